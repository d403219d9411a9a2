/// Block art without colour: dithered to ink and paper, each cell the glyph of its pattern in the terminal's own colours.
struct MonoArt {
    /// Whether the terminal's ink is light on a dark ground, so that lit sub-pixels are bright ones.
    let isDark: Bool

    func cells(_ plan: CellPlan) -> CellGrid {
        let glyphs = BlockGlyphs.table(plan.blocks)
        let levels = ErrorDiffusion(palette: .blackAndWhite).indices(of: plan.pixels.grey)
        let ink: UInt8 = isDark ? 1 : 0
        var grid = CellGrid(size: plan.size)
        for y in 0..<plan.size.rows {
            for x in 0..<plan.size.columns {
                let mask = plan.values(levels, x, y).enumerated()
                    .reduce(0) { $0 | ($1.element == ink ? 1 << $1.offset : 0) }
                grid[x, y].glyph = glyphs[mask]
            }
        }
        return grid
    }
}

extension PixelBuffer {
    /// The picture in greys of the same luma.
    fileprivate var grey: PixelBuffer {
        var copy = self
        for start in stride(from: 0, to: bytes.count, by: 4) {
            let luma = RGB(red: bytes[start], green: bytes[start + 1], blue: bytes[start + 2]).luma
            copy.bytes[start] = luma
            copy.bytes[start + 1] = luma
            copy.bytes[start + 2] = luma
        }
        return copy
    }
}
