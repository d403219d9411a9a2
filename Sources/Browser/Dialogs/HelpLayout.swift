import Basics
public import Raster

/// The layout of the help: groups in up to three columns of similar length, with texts wrapped rather than truncated.
///
/// Scrolling and drawing use the same rows.
public struct HelpLayout {
    /// One row of a column, without keys on continuation lines; `gap` is the empty row between two groups.
    public enum Line: Hashable, Sendable {
        case heading(String)
        case row(HelpScene.Row)
        case gap
    }

    /// The lines of each column; never empty.
    public let columns: [[Line]]
    /// The width of the keys, in cells; the few commands with more keys have them on a line of their own.
    public let keyWidth: Int
    /// The width of a column, including the three empty cells after it.
    public let columnWidth: Int
    /// The number of rows of the longest column.
    public let rowCount: Int
    /// The number of rows visible at once.
    public let visibleRows: Int

    /// Lays out `groups` in `body`; the panel's border takes two rows.
    public init(_ groups: [HelpScene.Group], in body: CellSize) {
        let rows = groups.flatMap(\.rows)
        keyWidth = min(16, rows.map(\.keys.columns).max() ?? 0)
        let longest = rows.map(\.text.columns).max() ?? 0
        // Narrower texts would wrap into fragments.
        let count = max(1, min(3, (body.columns - 4) / (keyWidth + 2 + 32 + 3)))
        columnWidth = min((body.columns - 1) / count, max(20, keyWidth + 2 + longest + 3))
        let (keys, textWidth) = (keyWidth, columnWidth - keyWidth - 5)
        let wrapped = groups.map { group in
            var group = group
            group.rows = group.rows.flatMap { Self.wrapped($0, keys, textWidth) }
            return group
        }
        columns = Self.columns(of: wrapped, count: count)
        rowCount = columns.map(\.count).max() ?? 0
        visibleRows = max(0, min(rowCount, body.rows - 2))
    }

    /// The largest scroll row.
    public var maxScrollRow: Int { rowCount - visibleRows }

    /// The first rows of all matches, column by column.
    public var foundRows: [Int] {
        columns.flatMap { column in
            column.indices.filter {
                if case .row(let row) = column[$0] {
                    row.find != nil && !row.keys.isEmpty
                } else {
                    false
                }
            }
        }
    }

    private static func wrapped(
        _ row: HelpScene.Row, _ keyWidth: Int, _ textWidth: Int
    ) -> [HelpScene.Row] {
        let lines = TextWrap.lines(row.text, width: textWidth, limit: 9)
        // Long lists of keys have a line of their own.
        let isLong = row.keys.columns > keyWidth
        let texts = (isLong || lines.isEmpty ? [""] : []) + lines
        return texts.enumerated().map { index, text in
            HelpScene.Row(keys: index == 0 ? row.keys : "", text: text, find: row.find)
        }
    }

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
