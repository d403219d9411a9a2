import Basics
import CNcurses
import Raster

struct RowEncoder {
    /// The placeholder for a picture's cell that is written without ncurses: not a blank, which could be erased with others, and
    /// more than one byte, or ncurses would write it to move the cursor.
    static let placeholder: UInt32 = 0xA0

    /// Returns whether `bytes`, in UTF-8, contain a placeholder.
    static func hasPlaceholder(_ bytes: [UInt8]) -> Bool {
        bytes.indices.dropLast().contains { bytes[$0] == 0xC2 && bytes[$0 + 1] == 0xA0 }
    }

    let depth: ColorDepth
    let y: Int
    let sparesPictures: Bool
    let marked: MarkedCharacters

    /// Encodes `row` into `output`, which has the same length; returns the number of cells used, one per wide character.
    ///
    /// Neighbours of the same colours share a pair, so that ncurses sends those once. The whole row must then be written, since
    /// the owner of the shared pair may have changed for all of it.
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
            if slots != nil, depth != .mono {
                var foreground = color(cell.foreground)
                let background = color(cell.background)
                // A blank does not show its foreground.
                if glyph == 0x20, cell.style.subtracting(.picture).isEmpty, let lastColors {
                    foreground = lastColors.foreground
                }
                if lastColors.map({ $0 != (foreground, background) }) ?? true {
                    pair =
                        slots?.pair(x: x, y: y, foreground: foreground, background: background) ?? 0
                    lastColors = (foreground, background)
                }
            }
            write(glyph, cell.style, pair, to: &output[count])
            count += 1
            x += width
        }
        return count
    }

    private func write(
        _ glyph: UInt32, _ style: CellStyle, _ pair: Int32, to cell: inout cchar_t
    ) {
        let attributes = Self.attributes(style)
        if glyph > MarkedCharacters.lastScalar {
            let text = marked.scalars(of: glyph).map { wchar_t(bitPattern: $0.value) } + [0]
            cn_marked_cell(&cell, text, attributes, pair)
        } else {
            cn_cell(&cell, wchar_t(bitPattern: glyph), attributes, pair)
        }
    }

    /// Returns the character to write at `x` and its width; a question mark for characters unknown to the C library, which ncurses
    /// could not place.
    private func glyph(at x: Int, of row: UnsafeBufferPointer<Cell>) -> (UInt32, Int) {
        let glyph = row[x].glyph
        if glyph >= 0x20 && glyph < 0x7F { return (glyph, 1) }
        // Looks the same; this character is reserved for the placeholder.
        if glyph == Self.placeholder { return (0x20, 1) }
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

    /// Returns the colour's number in the entry; -1 for the terminal's default and for colours that the entry cannot express.
    private func color(_ color: CellColor) -> Int32 {
        Int32(bitPattern: depth.shown(color).rawValue)
    }
}

/// Allocates ncurses' colour pairs, two for each cell of the screen.
///
/// A visible pair must never be redefined: ncurses would search every cell for it (15 µs per pair at 200 × 60), or miss it. So
/// each cell has two pair numbers, and a change of its colours uses the one that is not visible. Each screen row owns a slot of
/// numbers; when rows scroll, their slots move with them, and their colours stay defined.
struct PairSlots {
    private let columns: Int
    private var slots: [Int]
    /// The colours of each slot's cells, foreground in the upper half; initially `unset`.
    private var colors: [UInt64]
    /// Which of its two numbers each cell uses.
    private var parities: [UInt8]

    /// Not a pair of colours: both halves are outside the range of colour codes.
    private static let unset: UInt64 = 0xFFFF_FFFE_FFFF_FFFE

    init(size: CellSize) {
        columns = size.columns
        slots = Array(0..<size.rows)
        colors = Array(repeating: Self.unset, count: size.columns * size.rows)
        parities = Array(repeating: 0, count: size.columns * size.rows)
    }

    /// Returns the pair for `foreground` on `background` in the cell (`x`, `y`), defining it if these colours are new there.
    ///
    /// At most one change per cell and refresh. Returns pair 0, the default colours, if ncurses refuses.
    mutating func pair(x: Int, y: Int, foreground: Int32, background: Int32) -> Int32 {
        let index = slots[y] * columns + x
        let wanted =
            UInt64(UInt32(bitPattern: foreground)) << 32 | UInt64(UInt32(bitPattern: background))
        if colors[index] != wanted {
            let parity = parities[index] ^ 1
            let number = Int32(1 + 2 * index + Int(parity))
            guard init_extended_pair(number, foreground, background) == OK else { return 0 }
            colors[index] = wanted
            parities[index] = parity
        }
        return Int32(1 + 2 * index + Int(parities[index]))
    }

    /// Moves the slots of `rows` up by `distance` rows with their contents (down if negative).
    mutating func scroll(_ rows: Range<Int>, by distance: Int) {
        let before = Array(slots[rows])
        for offset in before.indices {
            // The remainder may be negative.
            let source = (offset + distance) % before.count
            slots[rows.lowerBound + offset] = before[source < 0 ? source + before.count : source]
        }
    }
}
