import CNcurses
import Raster

/// The numbers of ncurses' colour pairs, two for every cell of the screen, owned by us.
///
/// A pair that is on the screen must never be redefined: ncurses would look for it in every cell (15 µs a pair at
/// 200 × 60), or miss it. So each cell has two numbers and a change of its colours takes the one that is not shown.
/// A row of the screen owns a slot of numbers; when rows scroll, their slots go along, and their colours stay defined.
struct PairSlots {
    private let columns: Int
    /// The slot of each row of the screen.
    private var slots: [Int]
    /// The colours of each slot's cells, foreground in the upper half; `unset` before the first.
    private var colors: [UInt64]
    /// Which of its two numbers each cell uses.
    private var parities: [UInt8]

    /// No two colours: both halves are beyond every code there is.
    private static let unset: UInt64 = 0xFFFF_FFFE_FFFF_FFFE

    /// Makes slots for a screen of `size`, none of them defined.
    init(size: CellSize) {
        columns = size.columns
        slots = Array(0..<size.rows)
        colors = Array(repeating: Self.unset, count: size.columns * size.rows)
        parities = Array(repeating: 0, count: size.columns * size.rows)
    }

    /// The pair for `foreground` on `background` in the cell (`x`, `y`); defines it first if they are new there.
    ///
    /// At most one change a cell and refresh. Pair 0, the terminal's own colours, where ncurses refuses.
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

    /// Lets the slots of `rows` move up by `distance` rows with what they show (down if negative).
    mutating func scroll(_ rows: Range<Int>, by distance: Int) {
        let before = Array(slots[rows])
        for offset in before.indices {
            // The remainder may be negative.
            let source = (offset + distance) % before.count
            slots[rows.lowerBound + offset] = before[source < 0 ? source + before.count : source]
        }
    }
}
