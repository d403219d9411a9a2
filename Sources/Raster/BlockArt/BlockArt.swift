/// Draws pixels with characters: each cell the glyph and the two colours that come nearest to its sub-pixels.
public struct BlockArt: Sendable {
    /// How pixels become cells.
    public let style: RenderStyle
    /// The colour that ASCII glyphs stand on where it is not the terminal's own.
    public let tint: RGB?

    /// Makes a drawing hand.
    ///
    /// `tint` matters to ASCII only, whose glyphs leave the background to be seen.
    public init(style: RenderStyle, tint: RGB? = nil) {
        self.style = style
        self.tint = tint
    }

    /// Draws `pixels`, which must be opaque (`composited(over:)`) and have the size that `Fit` tells.
    ///
    /// Pixels that do not fill a cell, at the right and lower edge, are left out.
    public func cells(from pixels: PixelBuffer) -> CellGrid {
        if style.blocks == .ascii { return ASCIIArt(style: style, tint: tint).cells(from: pixels) }
        let plan = CellPlan(pixels, style.blocks)
        switch style.depth {
        case .truecolor, .palette256: return split(plan)
        case .palette16: return PaletteArt(.xterm16).cells(plan)
        case .palette8: return PaletteArt(.xterm8).cells(plan)
        case .mono: return MonoArt(isDark: style.background.isDark).cells(plan)
        }
    }

    private func split(_ plan: CellPlan) -> CellGrid {
        let composer = CellComposer(plan.blocks)
        let search = SplitSearch(count: plan.subpixels.width * plan.subpixels.height)
        return plan.map { pixels, left in
            let split = search.split(pixels)
            return composer.cell(
                split.mask, lit: style.depth.nearest(to: split.lit),
                unlit: style.depth.nearest(to: split.unlit), after: left)
        }
    }
}
