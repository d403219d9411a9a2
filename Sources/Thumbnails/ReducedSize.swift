import Raster

/// The size to which a picture is reduced after decoding: small enough to be cached, and fine enough that drawing from it is as good as
/// drawing from the file.
///
/// Drawing shrinks the picture a second time, and two reductions at odd ratios blur: half blocks drawn from a picture 1.6 times as fine
/// come within 32 dB of those drawn from the file, at integer ratios within 57 (`make bench-art`). So a whole picture is reduced to a
/// multiple of the sub-pixels of every block set. Eight bits in between suffice: a single step from the file would bring gradients in half
/// blocks within 59.5 dB instead of 56.4, a third of a code value.
enum ReducedSize: Hashable, BitwiseCopyable {
    /// A whole picture for a box of cells with this aspect, and with `grid` pixels per cell if pixels are shown.
    ///
    /// What will be cropped is larger.
    case whole(CellSize, cellAspect: Double, grid: PixelSize? = nil, crop: Crop = .none)
    /// A picture drawn in part: its longest side in pixels, in steps, so that zooming slightly further reuses it.
    case detail(Int)

    /// The pixels per cell: the smallest size divisible by two columns, and by two, three and four rows of sub-pixels.
    private static let grid = PixelSize(width: 2, height: 12)
    /// The pixels per cell of a kept box, whose drawings are at odd ratios: two for each of the finest sub-pixels, four for each that half
    /// blocks have across.
    private static let shared = PixelSize(width: 4, height: 8)
    /// The sub-pixels of the finest block sets.
    private static let finest = PixelSize(width: 2, height: 4)
    /// Up to the pixels of a large screen; a square picture takes 64 MB, the most that a decoder process may answer.
    private static let steps = [256, 362, 512, 724, 1024, 1448, 2048, 2896, 4096]
    /// The number of pixels per sub-pixel at which odd ratios become invisible: 46 dB and more.
    private static let plenty = 4

    init(for request: ThumbnailRequest) {
        let kept = request.keptBox
        let style = request.style
        let grid = style.pixels?.cell
        guard request.region != .whole || request.turn.swapsSides else {
            self = .whole(
                kept ?? request.box, cellAspect: style.cellAspect,
                grid: kept == nil ? grid : Self.shared, crop: kept == nil ? style.crop : .strips)
            return
        }
        let cell = PixelForm.reduced(grid ?? Self.finest, in: request.box)
        let width = Double(request.box.columns * cell.width) / Fit.share(request.region.width)
        let height = Double(request.box.rows * cell.height) / Fit.share(request.region.height)
        let needed = max(width, height)
        self = .detail(
            Self.steps.first { Double($0) >= needed } ?? Self.steps[Self.steps.count - 1])
    }

    /// Returns the size to which a picture of `source` pixels is reduced: no larger in either direction, and `source` itself if the
    /// reduced picture would not have fewer pixels.
    func size(of source: PixelSize) -> PixelSize {
        let wanted = wantedSize(of: source)
        guard source.count > wanted.count else { return source }
        let size = wanted.limited(to: source)
        return PixelSize(width: max(1, size.width), height: max(1, size.height))
    }

    /// Returns the size to decode a picture of `source` pixels at, before it is reduced.
    ///
    /// Four pixels for each of the finest sub-pixels: libjpeg and libwebp shrink code values, not light, which is visible in fine lights in
    /// the dark (half blocks come within 54 dB of the file with two, 59 with four).
    func decodedSize(of source: PixelSize) -> PixelSize {
        let reduced = size(of: source)
        guard reduced != source else { return source }
        // Pixels that are shown directly need only twice as many: one more shrinking step, not a factor of four.
        return size(of: source, finest: Self.plenty, grid: 2) ?? reduced
    }

    /// Returns the size of a whole picture, no larger than `source`, with so many pixels for each of the finest sub-pixels, and for each of
    /// the `grid`; nil for a picture drawn in part.
    func size(of source: PixelSize, finest: Int, grid factor: Int) -> PixelSize? {
        guard case .whole(_, _, let grid, _) = self else { return nil }
        let cells = cells(of: source)
        let shown = grid.map { PixelForm.reduced($0, in: cells) }
        let cell = PixelSize(
            width: max(Self.finest.width * finest, factor * (shown?.width ?? 0)),
            height: max(Self.finest.height * finest, factor * (shown?.height ?? 0)))
        return cells.pixels(each: cell).limited(to: source)
    }

    /// Returns the smallest usable size of a picture embedded in the file; nil if none will do, since parts of a picture are viewed
    /// closely.
    ///
    /// Two pixels for each of the finest sub-pixels: cameras shrink code values and compress the result, which costs more than the ratio.
    /// Drawn from photographs' thumbnails of 160 × 120, tiles of 24 columns come within 39 to 42 dB of the file in half blocks, and within
    /// 36 to 39 in octants at 40 columns, where this rule ends; at a ratio of one it would be 33 to 35.
    func embeddedSize(of source: PixelSize) -> PixelSize? {
        size(of: source, finest: 2, grid: 1)
    }

    /// Returns whether a picture of `source` pixels reduced to `size` is as good for `request` as the file.
    static func suffices(
        _ size: PixelSize, of source: PixelSize, for request: ThumbnailRequest
    ) -> Bool {
        let fit = request.fit(source)
        let part = request.turn.source(of: request.part(of: source))
        let width = Double(size.width) * Fit.share(part.width)
        let height = Double(size.height) * Fit.share(part.height)
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
        case .whole(_, _, let grid, _):
            let cells = cells(of: source)
            return cells.pixels(each: PixelForm.reduced(grid ?? Self.grid, in: cells))
        case .detail(let side):
            let scale = Double(side) / Double(max(source.width, source.height, 1))
            return PixelSize(
                width: Int((Double(source.width) * scale).rounded()),
                height: Int((Double(source.height) * scale).rounded()))
        }
    }

    private func cells(of source: PixelSize) -> CellSize {
        guard case .whole(let box, let cellAspect, _, let crop) = self else {
            return CellSize(columns: 1, rows: 1)
        }
        let fit = Fit(source, into: box, style: RenderStyle(cellAspect: cellAspect)).cells
        guard crop != .none else { return fit }
        let columns = Double(fit.columns)
        let rows = Double(fit.rows)
        let needed =
            crop == .strips
            ? Fit.excess(of: source) : max(Double(box.columns) / columns, Double(box.rows) / rows)
        // A strip would be enlarged without end.
        let scale = min(4, needed)
        return CellSize(
            columns: Int((columns * scale).rounded(.up)), rows: Int((rows * scale).rounded(.up)))
    }
}

extension PixelBuffer {
    /// Returns the picture, decoded from a file with `source` pixels, reduced.
    func reduced(_ reduction: ReducedSize, of source: PixelSize) -> PixelBuffer {
        resampled(to: reduction.size(of: source).limited(to: size))
    }
}
