/// The widths that larger and smaller step through, in cells: about an eighth to a quarter each, so that every step
/// shows.
enum TileWidths {
    private static let steps = [
        8, 10, 12, 14, 16, 18, 20, 24, 28, 32, 36, 40, 48, 56, 64, 72, 80, 96, 108, 120,
    ]

    /// `width` brought into what `--tile` allows.
    static func clamped(_ width: Int) -> Int {
        min(max(width, 8), 120)
    }

    /// The width `count` steps above (or, negative, below) `width`.
    static func width(_ count: Int, stepsFrom width: Int) -> Int {
        var width = width
        for _ in 0..<min(count.magnitude, UInt(steps.count)) {
            let next =
                count > 0
                ? steps.first { $0 > width } : steps.last { $0 < width }
            width = next ?? width
        }
        return width
    }
}
