import Basics
public import Raster

/// Where each line of the help is: the groups in up to three columns of about the same length.
///
/// Scrolling counts these rows, and the view draws them.
public struct HelpLayout {
    /// One row of a column; `gap` is a free one between two groups.
    public enum Line: Hashable, Sendable {
        case heading(String)
        case row(HelpScene.Row)
        case gap
    }

    /// The lines of each column; never empty.
    public let columns: [[Line]]
    /// The width for keys, in cells; few commands have many keys, which push their text aside.
    public let keyWidth: Int
    /// The width of a column and of the three free cells after it.
    public let columnWidth: Int
    /// The rows of the longest column.
    public let rowCount: Int
    /// How many rows are seen at once.
    public let visibleRows: Int

    /// Lays `groups` out over `body`, of which the panel's border takes two rows.
    public init(_ groups: [HelpScene.Group], in body: CellSize) {
        let rows = groups.flatMap(\.rows)
        keyWidth = min(16, rows.map(\.keys.columns).max() ?? 0)
        let longest = rows.map(\.text.columns).max() ?? 0
        // Two columns with a few texts cut show more than one with none.
        let textWidth = body.columns >= 2 * (keyWidth + 44) ? min(36, longest) : longest
        columnWidth = max(20, keyWidth + 2 + textWidth + 3)
        let count = max(1, min(3, (body.columns - 4) / columnWidth))
        columns = Self.columns(of: groups, count: count)
        rowCount = columns.map(\.count).max() ?? 0
        visibleRows = max(0, min(rowCount, body.rows - 2))
    }

    /// How far it can be scrolled.
    public var maxScrollRow: Int { rowCount - visibleRows }

    private static func columns(of groups: [HelpScene.Group], count: Int) -> [[Line]] {
        let blocks = groups.map { group in
            [Line.heading(group.title)] + group.rows.map(Line.row) + [.gap]
        }
        let share = (blocks.reduce(0) { $0 + $1.count } + count - 1) / count
        var columns: [[Line]] = [[]]
        for block in blocks {
            let length = columns[columns.count - 1].count
            if length > 0, length + block.count / 2 > share, columns.count < count {
                columns.append([])
            }
            columns[columns.count - 1] += block
        }
        return columns.map { $0.last == .gap ? $0.dropLast() : $0 }
    }
}
