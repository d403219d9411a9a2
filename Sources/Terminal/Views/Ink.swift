import Raster

/// How text is set: its colours and style.
struct Ink: Hashable {
    /// The glyphs' colour.
    var foreground = CellColor.standard
    /// The colour behind them.
    var background = CellColor.standard
    /// Bold and its like.
    var style: CellStyle = []

    /// A cell that shows `glyph` in this ink.
    func cell(_ glyph: Unicode.Scalar) -> Cell {
        Cell(glyph: glyph.value, foreground: foreground, background: background, style: style)
    }

    /// The same ink on another background.
    func on(_ background: CellColor) -> Ink {
        Ink(foreground: foreground, background: background, style: style)
    }
}
