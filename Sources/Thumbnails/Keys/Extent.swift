import Raster

/// The longest side, in pixels, to which a picture is reduced after decoding: what one decode can serve.
///
/// Requests that need about the same detail share an extent and with it a decode: the steps are powers of √2, and everything a tile of 32 columns
/// can show with any set of blocks has the smallest one, so that list and grid, `B` and the usual tile sizes never decode anew.
struct Extent: Hashable, Comparable, Sendable {
    /// Pixels.
    let side: Int

    /// Two pixels for each of 32 columns; reduced to it a picture costs at most 16 KB.
    static let smallest = 64

    /// Twice the sub-pixels of a large terminal; a picture then costs 16 MB, the most the cache should hold as one piece.
    static let steps: [Extent] = [64, 91, 128, 181, 256, 362, 512, 724, 1024, 1448, 2048].map {
        Extent(side: $0)
    }

    private init(side: Int) {
        self.side = side
    }

    /// The extent for the part `region` of a picture to fill `box`; the largest one if even that is too small.
    init(filling box: CellSize, region: UnitRect, style: RenderStyle) {
        let grid = style.blocks.subpixels
        let width = Double(box.columns * grid.width) / Self.fraction(region.width)
        let height = Double(box.rows * grid.height) / Self.fraction(region.height)
        let needed = max(width, height)
        self = Self.steps.first { Double($0.side) >= needed } ?? Self.steps[Self.steps.count - 1]
    }

    /// The size to which a picture of `source` pixels is reduced; never larger than it is.
    func size(reducing source: PixelSize) -> PixelSize {
        let longest = max(source.width, source.height, 1)
        guard longest > side else { return source }
        let scale = Double(side) / Double(longest)
        return PixelSize(
            width: max(1, Int((Double(source.width) * scale).rounded())),
            height: max(1, Int((Double(source.height) * scale).rounded())))
    }

    static func < (left: Extent, right: Extent) -> Bool {
        left.side < right.side
    }

    /// A share of a picture that can be divided by: the request's region comes from outside.
    private static func fraction(_ value: Double) -> Double {
        value > 0 ? min(max(value, 1e-6), 1) : 1
    }
}
