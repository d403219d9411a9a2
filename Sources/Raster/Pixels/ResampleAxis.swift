/// The source pixels that contribute to each target pixel along one axis, and their weights.
///
/// All positions are integers, in a unit small enough for every edge of a source or target pixel. So coverage is exact, the weights of
/// every target have the same sum, and a mirrored picture has mirrored weights.
struct ResampleAxis {
    /// The source pixels of one target pixel; those between first and last have the weight `ResampleAxis.interior`.
    struct Span {
        var first: Int
        var last: Int
        var firstWeight: UInt64
        /// 0 if `last` is `first`.
        var lastWeight: UInt64
    }

    let spans: [Span]
    /// The weight of a source pixel that is fully covered.
    let interior: UInt64
    let total: UInt64
    /// Whether target pixels are means rather than interpolated points.
    let isShrinking: Bool

    /// The precision of the region's edges, in steps per source pixel; finer than any panning step.
    private static let stepsPerPixel = 16

    /// Distributes the part from `start` with `extent` (fractions of `length` pixels) over `count` target pixels.
    ///
    /// Shrinking weights pixels by coverage (a box filter); enlarging interpolates between the two nearest pixels.
    init(length: Int, start: Double, extent: Double, count: Int) {
        let steps = length * Self.stepsPerPixel
        let begin = min(Self.steps(start, of: steps), steps - 1)
        let end = min(max(Self.steps(start + extent, of: steps), begin + 1), steps)
        // Unit: half a step divided by `count`, so a target is `2 * (end - begin)` wide and pixel centres are integers.
        let pixel = 2 * Self.stepsPerPixel * count
        let target = 2 * (end - begin)
        let origin = 2 * begin * count
        isShrinking = target >= pixel
        interior = UInt64(pixel)
        total = UInt64(isShrinking ? target : pixel)
        let isShrinking = isShrinking
        spans = (0..<count).map { index in
            isShrinking
                ? Self.covering(origin + index * target, width: target, pixel: pixel)
                : Self.interpolating(
                    at: origin + index * target + target / 2, pixel: pixel, length: length)
        }
    }

    private static func steps(_ fraction: Double, of steps: Int) -> Int {
        // This order of `max` and `min` turns NaN into 0.
        Int((min(max(0, fraction), 1) * Double(steps)).rounded())
    }

    private static func covering(_ low: Int, width: Int, pixel: Int) -> Span {
        let high = low + width
        let first = low / pixel
        let last = (high - 1) / pixel
        return Span(
            first: first, last: last, firstWeight: UInt64(min(high, (first + 1) * pixel) - low),
            lastWeight: last > first ? UInt64(high - last * pixel) : 0)
    }

    private static func interpolating(at position: Int, pixel: Int, length: Int) -> Span {
        // Pixel n's centre lies at (n + ½) · pixel; beyond the outermost centres there is nothing to interpolate.
        let offset = min(max(position - pixel / 2, 0), (length - 1) * pixel)
        let first = offset / pixel
        let share = offset - first * pixel
        return Span(
            first: first, last: share > 0 ? first + 1 : first, firstWeight: UInt64(pixel - share),
            lastWeight: UInt64(share))
    }
}
