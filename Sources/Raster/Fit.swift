/// The size at which a picture is drawn: the cells it covers and their sub-pixels.
public struct Fit: Hashable, Sendable {
    /// The cells covered: at least 1×1, at most the box.
    public let cells: CellSize
    /// The size to resample the picture to, in sub-pixels of the cells.
    public let pixels: PixelSize

    /// Fits `region` of a picture of `source` pixels into `box`, keeping the aspect ratio.
    ///
    /// The result fills the box in at least one direction, so small pictures are enlarged. Sizes below one count as one, and an invalid
    /// cell aspect counts as 2.
    public init(
        _ source: PixelSize, region: UnitRect = .whole, into box: CellSize, style: RenderStyle
    ) {
        let box = CellSize(columns: max(box.columns, 1), rows: max(box.rows, 1))
        let width = Double(max(source.width, 1)) * Self.share(region.width)
        let height = Double(max(source.height, 1)) * Self.share(region.height)
        let isSensible = style.cellAspect > 0 && style.cellAspect.isFinite
        let columnsPerRow = width / height * (isSensible ? style.cellAspect : 2)
        let rows = Double(box.columns) / columnsPerRow
        // Comparing before rounding and conversion keeps a strip of 1×20,000 from overflowing.
        cells =
            rows <= Double(box.rows)
            ? CellSize(columns: box.columns, rows: max(1, Int(rows.rounded())))
            : CellSize(
                columns: max(1, Int((Double(box.rows) * columnsPerRow).rounded())), rows: box.rows)
        pixels = cells.pixels(each: style.subpixels)
    }

    /// Fills `box`.
    public init(filling box: CellSize, style: RenderStyle) {
        cells = box
        pixels = box.pixels(each: style.subpixels)
    }

    /// The height of the tallest pictures that tiles show whole, by their width: phones' screens have up to 2.3.
    public static let tallest = 2.5

    /// Returns how many times as tall as the tallest shown whole a picture of `source` pixels is; 1 unless it is a strip.
    public static func excess(of source: PixelSize) -> Double {
        max(1, Double(source.height) / (tallest * Double(max(1, source.width))))
    }

    /// Returns the middle of a picture of `source` pixels that has the shape of `box`; of a strip, the top.
    ///
    /// If it has nearly that shape, all of it is returned: squeezing it by a tenth is what whole cells cost anyway.
    public static func middle(
        of source: PixelSize, filling box: CellSize, style: RenderStyle
    ) -> UnitRect {
        let shape = Double(max(source.width, 1)) / Double(max(source.height, 1))
        let wanted = Double(box.columns) / (Double(max(box.rows, 1)) * style.cellAspect)
        let width = min(1, wanted / shape)
        let height = min(1, shape / wanted)
        guard width * height < 0.9 else { return .whole }
        let y = excess(of: source) > 1 ? 0 : (1 - height) / 2
        return UnitRect(x: (1 - width) / 2, y: y, width: width, height: height)
    }

    /// Clamps a fraction of a picture's side so that it is never empty and never exceeds the whole.
    package static func share(_ fraction: Double) -> Double {
        fraction > 0 ? min(max(fraction, 1e-6), 1) : 1
    }
}
