import Raster

/// The size to which a picture is reduced after decoding: small enough to be kept, and fine enough that drawing from
/// it is as good as drawing from the file.
///
/// What is drawn is shrunk a second time, and two shrinkings at odd ratios blur: half blocks drawn from a picture 1.6
/// times as fine as themselves come within 32 dB of what the file gives, at whole ratios within 57 (`make bench-art`).
/// So a whole picture is reduced to a multiple of the sub-pixels of every set of blocks. Eight bits between the two are enough: in one
/// step from the file, gradients in half blocks would come within 59.5 dB of it instead of 56.4, a third of a code.
enum Reduction: Hashable, Sendable, BitwiseCopyable {
    /// The whole picture, for a box of this size in cells of this aspect, and of so many pixels if those are shown.
    case whole(CellSize, cellAspect: Double, grid: PixelSize? = nil)
    /// A picture of which parts are drawn: this many pixels on its longest side, in steps, so that zooming a little further finds it.
    case detail(Int)

    /// Pixels for each cell: the least that two columns and two, three and four rows of sub-pixels divide.
    private static let grid = PixelSize(width: 2, height: 12)
    /// The sub-pixels of the finest blocks.
    private static let finest = PixelSize(width: 2, height: 4)
    /// Twice the sub-pixels of a large terminal; a picture then costs 16 MB, the most the cache should hold as one piece.
    private static let steps = [256, 362, 512, 724, 1024, 1448, 2048]
    /// So many pixels a sub-pixel make the ratio's oddness invisible: 46 dB and more.
    private static let plenty = 4

    init(for request: ThumbnailRequest) {
        guard request.region != .whole || request.turn.swapsSides else {
            self = .whole(
                request.box, cellAspect: request.style.cellAspect,
                grid: request.style.pixels?.cell(in: request.box))
            return
        }
        let cell = request.style.pixels?.cell(in: request.box) ?? Self.finest
        let width = Double(request.box.columns * cell.width) / request.region.width.share
        let height = Double(request.box.rows * cell.height) / request.region.height.share
        let needed = max(width, height)
        self = .detail(
            Self.steps.first { Double($0) >= needed } ?? Self.steps[Self.steps.count - 1])
    }

    /// The size to which a picture of `source` pixels is reduced; in neither direction larger than it is, and not at all
    /// if that makes it no smaller on the whole.
    func size(of source: PixelSize) -> PixelSize {
        let wanted = wantedSize(of: source)
        guard source.width * source.height > wanted.width * wanted.height else { return source }
        return PixelSize(
            width: max(1, min(wanted.width, source.width)),
            height: max(1, min(wanted.height, source.height)))
    }

    /// The size to decode a picture of `source` pixels at, before it is reduced.
    ///
    /// Four pixels for each of the finest sub-pixels: libjpeg and libwebp shrink codes, not light, and what they make of
    /// fine lights in the dark would be seen (half blocks come within 54 dB of the file with two, 59 with four).
    func decodedSize(of source: PixelSize) -> PixelSize {
        let reduced = size(of: source)
        guard case .whole(_, _, let grid) = self, reduced != source else { return reduced }
        let cells = cells(of: source)
        // Pixels that are shown as they are need twice as many: one more ratio of shrinking, and not four.
        let width = max(Self.finest.width * Self.plenty, 2 * (grid?.width ?? 0))
        let height = max(Self.finest.height * Self.plenty, 2 * (grid?.height ?? 0))
        return PixelSize(
            width: min(cells.columns * width, source.width),
            height: min(cells.rows * height, source.height))
    }

    /// The least size of a smaller picture embedded in the file that will do; nil where none will: parts of a picture are
    /// looked at closely.
    ///
    /// Two pixels for each of the finest sub-pixels: cameras shrink codes and compress what is left, which costs more than
    /// the ratio does. Drawn from photographs' thumbnails of 160 × 120, tiles of 24 columns come within 39 to 42 dB of the
    /// file in half blocks and 36 to 39 in octants at 40 columns, where this rule ends; at a ratio of one 33 to 35 would be left.
    func embeddedSize(of source: PixelSize) -> PixelSize? {
        guard case .whole(_, _, let grid) = self else { return nil }
        let cells = cells(of: source)
        let width = max(Self.finest.width * 2, grid?.width ?? 0)
        let height = max(Self.finest.height * 2, grid?.height ?? 0)
        return PixelSize(
            width: min(cells.columns * width, source.width),
            height: min(cells.rows * height, source.height))
    }

    /// Whether a picture of `source` pixels that has been reduced to `size` is as good for `request` as the file.
    static func suffices(
        _ size: PixelSize, of source: PixelSize, for request: ThumbnailRequest
    ) -> Bool {
        let (fit, part) = (request.fit(source), request.turn.source(of: request.region))
        let width = Double(size.width) * part.width.share
        let height = Double(size.height) * part.height.share
        let seen = request.style.pixels?.size(of: fit.cells) ?? fit.pixels
        let wanted = request.turn.turned(seen)
        return suffices(width, for: wanted.width, isWhole: size.width == source.width)
            && suffices(height, for: wanted.height, isWhole: size.height == source.height)
    }

    private static func suffices(_ length: Double, for count: Int, isWhole: Bool) -> Bool {
        let ratio = length / Double(count)
        return isWhole || ratio >= Double(plenty) || (ratio >= 1 && ratio == ratio.rounded())
    }

    private func wantedSize(of source: PixelSize) -> PixelSize {
        switch self {
        case .whole(_, _, let grid):
            let cells = cells(of: source)
            let grid = grid ?? Self.grid
            return PixelSize(
                width: cells.columns * grid.width, height: cells.rows * grid.height)
        case .detail(let side):
            let scale = Double(side) / Double(max(source.width, source.height, 1))
            return PixelSize(
                width: Int((Double(source.width) * scale).rounded()),
                height: Int((Double(source.height) * scale).rounded()))
        }
    }

    private func cells(of source: PixelSize) -> CellSize {
        guard case .whole(let box, let cellAspect, _) = self else {
            return CellSize(columns: 1, rows: 1)
        }
        return Fit(source, into: box, style: RenderStyle(cellAspect: cellAspect)).cells
    }
}

extension PixelBuffer {
    /// The whole picture of a file with `source` pixels, as decoded, reduced.
    func reduced(_ reduction: Reduction, of source: PixelSize) -> PixelBuffer {
        let wanted = reduction.size(of: source)
        return resampled(
            to: PixelSize(
                width: min(wanted.width, size.width), height: min(wanted.height, size.height)))
    }
}

extension Double {
    /// A share of a picture that can be divided by: the request's region comes from outside.
    fileprivate var share: Double { self > 0 ? Swift.min(Swift.max(self, 1e-6), 1) : 1 }
}
