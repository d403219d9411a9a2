import CNcurses
import Raster

/// Turns a row of cells into ncurses' cells.
struct RowEncoder {
    /// The colours ncurses was started with.
    let depth: ColorDepth
    /// The row, whose slot gives the pairs.
    let y: Int

    /// Writes `row` into `output`, which is as long, and returns how many cells that took: a wide character is one.
    ///
    /// Neighbours of the same colours share a pair, so that ncurses sends those once. The whole row must be put after
    /// that: which cell owns the shared pair may have changed for all of it.
    @MainActor func encode(
        _ row: UnsafeBufferPointer<Cell>, into output: inout [cchar_t], slots: inout PairSlots?
    ) -> Int {
        var count = 0
        var x = 0
        var lastColors: (foreground: Int32, background: Int32)?
        var pair: Int32 = 0
        while x < row.count {
            let cell = row[x]
            let (glyph, width) = Self.glyph(at: x, of: row)
            if slots != nil {
                var foreground = color(cell.foreground)
                let background = color(cell.background)
                // What a blank would be written with cannot be seen.
                if glyph == 0x20, cell.style.isEmpty, let lastColors {
                    foreground = lastColors.foreground
                }
                if lastColors.map({ $0 != (foreground, background) }) ?? true {
                    pair =
                        slots?.pair(x: x, y: y, foreground: foreground, background: background) ?? 0
                    lastColors = (foreground, background)
                }
            }
            cn_cell(&output[count], wchar_t(bitPattern: glyph), Self.attributes(cell.style), pair)
            count += 1
            x += width
        }
        return count
    }

    /// The character to write at `x` and the cells it takes; a blank for anything ncurses could not place.
    private static func glyph(at x: Int, of row: UnsafeBufferPointer<Cell>) -> (UInt32, Int) {
        let glyph = row[x].glyph
        if glyph >= 0x20 && glyph < 0x7F {
            return (glyph, 1)
        }
        switch GlyphWidth.of(glyph) {
        case 1: return (glyph, 1)
        case 2 where x + 1 < row.count && row[x + 1].glyph == 0: return (glyph, 2)
        default: return (0x20, 1)
        }
    }

    private static func attributes(_ style: CellStyle) -> attr_t {
        guard !style.isEmpty else { return 0 }
        var attributes: attr_t = 0
        if style.contains(.bold) { attributes |= cn_bold() }
        if style.contains(.dim) { attributes |= cn_dim() }
        if style.contains(.underline) { attributes |= cn_underline() }
        if style.contains(.reverse) { attributes |= cn_reverse() }
        return attributes
    }

    /// The colour's number in the entry; -1 is the terminal's own, and what the entry cannot say.
    private func color(_ color: CellColor) -> Int32 {
        if depth == .truecolor {
            return Int32(bitPattern: color.rawValue)
        }
        guard let index = color.paletteIndex else { return -1 }
        switch depth {
        case .palette256: return Int32(index)
        case .palette16: return index < 16 ? Int32(index) : -1
        default: return index < 16 ? Int32(index % 8) : -1
        }
    }
}
