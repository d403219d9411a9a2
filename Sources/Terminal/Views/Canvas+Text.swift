import Raster

extension Canvas {
    /// Draws `text` from (`x`, `y`) in at most `width` cells, cut with `ellipsis`; returns the cells it took.
    ///
    /// One character a cell: what modifies another, controls anything, or has no width in the C library is left out.
    @discardableResult
    mutating func draw(
        _ text: String, x: Int, y: Int, width: Int, ink: Ink, ellipsis: String = "…",
        cut: TruncationMode = .tail
    ) -> Int {
        guard width > 0 else { return 0 }
        var column = x
        // Titles come from the network: no text on a screen is longer than its widest row.
        let short = text.prefix(4 * max(width, 256))
        for scalar in String(short).truncated(to: width, mode: cut, ellipsis: ellipsis)
            .unicodeScalars
        {
            let (glyph, columns) = Self.placeable(scalar)
            guard columns > 0 else { continue }
            guard column + columns <= x + width else { break }
            put(glyph, columns: columns, x: column, y: y, ink: ink)
            column += columns
        }
        return column - x
    }

    /// Draws `text` so that it ends before the column `right`; returns the column it begins in.
    @discardableResult
    mutating func draw(
        _ text: String, endingAt right: Int, y: Int, width: Int, ink: Ink, ellipsis: String = "…"
    ) -> Int {
        let cut = text.truncated(to: width, ellipsis: ellipsis)
        let x = right - cut.columns
        draw(cut, x: x, y: y, width: cut.columns, ink: ink, ellipsis: ellipsis)
        return x
    }

    /// A character of two cells is drawn whole or not at all.
    private mutating func put(_ glyph: Unicode.Scalar, columns: Int, x: Int, y: Int, ink: Ink) {
        if columns == 2 {
            guard clip.contains(x: x, y: y), clip.contains(x: x + 1, y: y), x + 1 < size.columns
            else {
                put(ink.cell(" "), x: x, y: y)
                put(ink.cell(" "), x: x + 1, y: y)
                return
            }
            put(ink.cell(" "), x: x + 1, y: y)
            put(ink.cell(glyph), x: x, y: y)
            put(ink.cell("\0"), x: x + 1, y: y)
        } else {
            put(ink.cell(glyph), x: x, y: y)
        }
    }

    /// What to draw for `scalar` and its width; in a locale without Unicode a question mark stands for what it lacks.
    private static func placeable(_ scalar: Unicode.Scalar) -> (Unicode.Scalar, Int) {
        let columns = GlyphWidth.of(scalar.value)
        if columns < 0, scalar.value >= 0xA0, !GlyphWidth.isUnicode {
            return ("?", 1)
        }
        return (scalar, columns)
    }
}
