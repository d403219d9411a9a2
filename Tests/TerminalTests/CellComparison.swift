import Raster

/// The cells of a screen that differ from what was drawn, for test messages.
struct CellComparison: CustomStringConvertible {
    private let size: CellSize
    private let wrong: [(index: Int, shown: Cell, drawn: Cell)]

    /// Compares all cells of two screens of the same size.
    init(shown: CellGrid, drawn: CellGrid) {
        size = drawn.size
        wrong = drawn.cells.indices.filter {
            !shown.cells.indices.contains($0)
                || Self.seen(shown.cells[$0]) != Self.seen(drawn.cells[$0])
        }.map { ($0, shown.cells.indices.contains($0) ? shown.cells[$0] : .blank, drawn.cells[$0]) }
    }

    /// Whether all cells match.
    var isEmpty: Bool { wrong.isEmpty }

    var description: String {
        guard let first = wrong.first else { return "none" }
        let place = first.index.quotientAndRemainder(dividingBy: size.columns)
        return "\(wrong.count) cells differ, first in row \(place.quotient), column"
            + " \(place.remainder): \(first.shown) instead of \(first.drawn)"
    }

    /// A space shows no foreground unless it is reversed or underlined, nor is bold visible.
    private static func seen(_ cell: Cell) -> Cell {
        var cell = cell
        guard cell.style.isDisjoint(with: [.reverse, .underline]) else { return cell }
        if cell.glyph == 0x20 {
            cell.foreground = .standard
            cell.style = []
        }
        return cell
    }
}
