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
    let marked: MarkedCharacters

    /// Encodes `row` into `output`, which has the same length; returns the number of cells used, one per wide character.
    @MainActor func encode(
        _ row: UnsafeBufferPointer<Cell>, into output: inout [cchar_t], pairs: inout ColorPairs
    ) -> Int {
        var count = 0
        var x = 0
        var lastColors: SIMD2<Int32>?
        var pair: Int32 = 0
        while x < row.count {
            let cell = row[x]
            if cell.isPicture {
                cn_cell(&output[count], wchar_t(Self.placeholder), 0, 0)
                count += 1
                x += 1
                continue
            }
            let (glyph, width) = glyph(at: x, of: row)
            if depth != .mono {
                var colors = SIMD2(color(cell.foreground), color(cell.background))
                // A blank does not show its foreground.
                if glyph == 0x20, cell.style.subtracting(.picture).isEmpty, let lastColors {
                    colors.x = lastColors.x
                }
                if colors != lastColors {
                    pair = pairs.number(of: colors)
                    lastColors = colors
                }
            }
            let attributes = Self.attributes(cell.style)
            if glyph > MarkedCharacters.lastScalar {
                // Beyond CCHARW_MAX characters the rest is left out.
                let text = marked.scalars(of: glyph).map { wchar_t(truncatingIfNeeded: $0.value) }
                setcchar(&output[count], text + [0], attributes, 0, &pair)
            } else {
                cn_cell(&output[count], wchar_t(truncatingIfNeeded: glyph), attributes, pair)
            }
            count += 1
            x += width
        }
        return count
    }

    /// Returns the character to write at `x` and its width; a question mark for characters unknown to the C library, which ncurses
    /// could not place.
    private func glyph(at x: Int, of row: UnsafeBufferPointer<Cell>) -> (UInt32, Int) {
        let glyph = row[x].glyph
        if glyph >= 0x20 && glyph < 0x7F { return (glyph, 1) }
        // Looks the same; this character is reserved for the placeholder.
        if glyph == Self.placeholder { return (0x20, 1) }
        return switch (marked.text(of: glyph)?.base ?? Unicode.Scalar(glyph))?.libraryColumns {
        case 1: (glyph, 1)
        case -1 where glyph >= 0xA0: (0x3F, 1)
        case 2 where x + 1 < row.count && row[x + 1].glyph == 0: (glyph, 2)
        default: (0x20, 1)
        }
    }

    private static func attributes(_ style: CellStyle) -> attr_t {
        style.isEmpty
            ? 0 : attributes.reduce(0) { style.contains($1.style) ? $0 | $1.attribute : $0 }
    }

    private static let attributes: [(style: CellStyle, attribute: attr_t)] = [
        (.bold, cn_bold()), (.dim, cn_dim()), (.underline, cn_underline()),
        (.reverse, cn_reverse()),
    ]

    /// Returns the colour's number in the entry; -1 for the terminal's default and for colours that the entry cannot express.
    private func color(_ color: CellColor) -> Int32 {
        Int32(bitPattern: depth.shown(color).rawValue)
    }
}

/// ncurses' colour pairs, each defined once: redefining a visible one makes it search every cell of the screen.
struct ColorPairs {
    /// By foreground (x) and background (y).
    private var numbers: [SIMD2<Int32>: Int32] = [:]

    /// Whether to `reset` before the next frame, which may need as many new pairs as the largest screen has cells.
    var areMany: Bool { numbers.count > 1 << 16 }

    /// Returns the pair of a foreground and a background; pair 0, the default colours, if ncurses refuses.
    @MainActor mutating func number(of colors: SIMD2<Int32>) -> Int32 {
        if let number = numbers[colors] { return number }
        let number = Int32(numbers.count + 1)
        guard init_extended_pair(number, colors.x, colors.y) == OK else { return 0 }
        numbers[colors] = number
        return number
    }

    /// Forgets all pairs; the screen has to be cleared.
    @MainActor mutating func reset() {
        numbers = [:]
        reset_color_pairs()
    }
}
