import Basics
import CNcurses
import Raster

/// Turns a row of cells into ncurses' cells.
struct RowEncoder {
    /// What stands for a picture's cell that is written beside ncurses: no blank, which could be erased with others, and
    /// more than one byte, or ncurses would write it to move the cursor.
    static let placeholder: UInt32 = 0xA0

    /// Whether `bytes`, in UTF-8, write a placeholder.
    static func hasPlaceholder(_ bytes: [UInt8]) -> Bool {
        bytes.indices.dropLast().contains { bytes[$0] == 0xC2 && bytes[$0 + 1] == 0xA0 }
    }

    /// The colours ncurses was started with.
    let depth: ColorDepth
    /// The row, whose slot gives the pairs.
    let y: Int
    /// Whether the cells of pictures are written beside ncurses.
    let sparesPictures: Bool
    /// What the glyphs behind the last scalar stand for.
    let marked: MarkedCharacters

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
            if sparesPictures, cell.isPicture {
                cn_cell(&output[count], wchar_t(Self.placeholder), 0, 0)
                count += 1
                x += 1
                continue
            }
            let (glyph, width) = glyph(at: x, of: row)
            if slots != nil {
                var foreground = color(cell.foreground)
                let background = color(cell.background)
                // What a blank would be written with cannot be seen.
                if glyph == 0x20, cell.style.subtracting(.picture).isEmpty, let lastColors {
                    foreground = lastColors.foreground
                }
                if lastColors.map({ $0 != (foreground, background) }) ?? true {
                    pair =
                        slots?.pair(x: x, y: y, foreground: foreground, background: background) ?? 0
                    lastColors = (foreground, background)
                }
            }
            let attributes = Self.attributes(cell.style)
            if glyph > MarkedCharacters.lastScalar {
                let text = marked.scalars(of: glyph).map { wchar_t(bitPattern: $0.value) } + [0]
                cn_marked_cell(&output[count], text, attributes, pair)
            } else {
                cn_cell(&output[count], wchar_t(bitPattern: glyph), attributes, pair)
            }
            count += 1
            x += width
        }
        return count
    }

    /// The character to write at `x` and the cells it takes; a question mark for what the C library does not know, since ncurses
    /// could not place it.
    private func glyph(at x: Int, of row: UnsafeBufferPointer<Cell>) -> (UInt32, Int) {
        let glyph = row[x].glyph
        if glyph >= 0x20 && glyph < 0x7F {
            return (glyph, 1)
        }
        // It looks the same, and is the placeholder's alone.
        if glyph == Self.placeholder {
            return (0x20, 1)
        }
        let text = marked.text(of: glyph)
        switch (text?.base ?? Unicode.Scalar(glyph))?.libraryColumns {
        case 1: return (glyph, 1)
        case -1 where glyph >= 0xA0: return (0x3F, 1)
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
        let color = depth.shown(color)
        if depth == .truecolor {
            return Int32(bitPattern: color.rawValue)
        }
        return color.paletteIndex.map(Int32.init) ?? -1
    }
}
