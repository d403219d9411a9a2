import Basics
public import Raster

extension CellStyle {
    /// The cell belongs to a picture: the screen may write it beside ncurses.
    static let picture = CellStyle(rawValue: 0x80)
}

extension Canvas {
    /// Tells that the cells of `rectangle` are a picture's, clipped; whatever is put over them later is not.
    ///
    /// Changes nothing that can be seen: such cells are written by a `CellWriter` where the terminal allows it.
    public mutating func markPicture(_ rectangle: CellRect) {
        update(rectangle) { $0.style.insert(.picture) }
    }
}

extension Cell {
    /// Whether it can be written beside ncurses: marked, and one column wide for certain.
    @inline(__always) var isPicture: Bool {
        guard style.contains(.picture) else { return false }
        return (0x20..<0x7F).contains(glyph) || (0x2580..<0x25A0).contains(glyph)
            || Unicode.Scalar(glyph)?.libraryColumns == 1
    }
}
