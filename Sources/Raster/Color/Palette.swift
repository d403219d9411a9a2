/// A terminal's palette of 8, 16 or 256 colours, as xterm has them, and the search for the nearest one.
public struct Palette: Hashable, Sendable {
    /// The colours that the search may answer, by index.
    public let colors: [RGB]
    /// Where the search begins: the first 16 of 256 are left to the user's theme, and so are never sure.
    private let firstUsable: Int
    private let opponents: [OpponentColor]

    /// The colours of `depth`, or nil where there is no palette: 24 bits a colour, and mono.
    public init?(_ depth: ColorDepth) {
        switch depth {
        case .palette256: self = .xterm256
        case .palette16: self = .xterm16
        case .palette8: self = .xterm8
        case .truecolor, .mono: return nil
        }
    }

    private init(_ colors: [RGB], firstUsable: Int = 0) {
        self.colors = colors
        self.firstUsable = firstUsable
        opponents = colors.map { OpponentColor($0) }
    }

    /// The first eight of xterm's colours.
    public static let xterm8 = Palette(Array(SystemColors.xterm.colors[..<8]))
    /// xterm's system colours.
    public static let xterm16 = Palette(SystemColors.xterm.colors)
    /// System colours, the cube of 6×6×6, and 24 greys.
    public static let xterm256 = Palette(SystemColors.xterm.colors + cube + greys, firstUsable: 16)

    /// The index of the nearest colour; of equals the first.
    ///
    /// Of 256 by plain distance; of fewer by lightness and tint, so that a single colour, which nothing is mixed with,
    /// stays grey if it is grey.
    public func nearest(to color: RGB) -> UInt8 {
        firstUsable == 16 ? XtermPalette().index(nearest: SIMD4(color)) : nearestByTrial(color)
    }

    /// The nearest colour itself.
    public func nearestColor(to color: RGB) -> RGB {
        colors[Int(nearest(to: color))]
    }

    private func nearestByTrial(_ color: RGB) -> UInt8 {
        let wanted = OpponentColor(color)
        var best = (distance: Int.max, index: 0)
        for (index, other) in opponents.enumerated() {
            let distance = wanted.squaredDistance(to: other)
            if distance < best.distance { best = (distance, index) }
        }
        return UInt8(best.index)
    }

    private static let cube: [RGB] = {
        let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
        return (0..<216).map { (index: Int) in
            RGB(red: levels[index / 36], green: levels[index / 6 % 6], blue: levels[index % 6])
        }
    }()

    private static let greys: [RGB] = (0..<24).map { (index: Int) in
        let level = UInt8(8 + 10 * index)
        return RGB(red: level, green: level, blue: level)
    }
}

extension ColorDepth {
    /// The cell colour nearest to `color` that this depth has; the terminal's own in mono.
    public func nearest(to color: RGB) -> CellColor {
        switch self {
        case .truecolor: CellColor(color)
        case .palette256: CellColor(palette: Palette.xterm256.nearest(to: color))
        case .palette16: CellColor(palette: Palette.xterm16.nearest(to: color))
        case .palette8: CellColor(palette: Palette.xterm8.nearest(to: color))
        case .mono: .standard
        }
    }
}
