/// Turns a match into a cell, of the two ways there are choosing the one that sends less.
///
/// A glyph and its complement with the colours swapped look the same. A terminal is sent a colour only where it
/// differs from the cell before, so the way that shares more with the left neighbour wins.
struct CellComposer {
    private let glyphs: [UInt32]
    private let full: Int
    private let hasComplements: Bool

    init(_ set: GlyphSet) {
        glyphs = set.scalars
        full = glyphs.count - 1
        hasComplements = set.hasComplements
    }

    /// The cell for `mask` in two colours, to follow `left` in its row.
    func cell(_ mask: Int, lit: CellColor, unlit: CellColor, after left: Cell?) -> Cell {
        if mask == 0 || lit == unlit {
            // A space shows no foreground: keeping the neighbour's leaves one thing less to change.
            return Cell(
                glyph: 0x20, foreground: left?.foreground ?? .standard,
                background: unlit)
        }
        let plain = Cell(glyph: glyphs[mask], foreground: lit, background: unlit)
        guard hasComplements else { return plain }
        let swapped = Cell(glyph: glyphs[full ^ mask], foreground: unlit, background: lit)
        // Of equals the one with more ink below: fonts may leave a seam over ▀, hardly ever under ▄.
        let isPlainLower = mask > full ^ mask
        let difference = changes(plain, after: left) - changes(swapped, after: left)
        return difference < 0 || (difference == 0 && isPlainLower) ? plain : swapped
    }

    private func changes(_ cell: Cell, after left: Cell?) -> Int {
        guard let left else { return 2 }
        return (cell.foreground == left.foreground ? 0 : 1)
            + (cell.background == left.background ? 0 : 1)
    }
}
