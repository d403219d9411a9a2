import Basics
public import Raster

/// The layout of the help: groups below each other, with texts wrapped rather than truncated.
///
/// Scrolling and drawing use the same lines.
public struct HelpLayout {
    /// One line, without keys on continuation lines; `gap` is the empty one between two groups.
    public enum Line: Hashable, Sendable {
        case heading(String)
        case row(HelpScene.Row)
        case gap
    }

    /// The lines, from top to bottom.
    public let lines: [Line]
    /// The width of the keys, in cells; the few commands with more keys have them on a line of their own.
    public let keyWidth: Int
    /// The width of the lines, in cells.
    public let width: Int
    /// The number of lines visible at once.
    public let visibleRows: Int

    /// Lays out `groups` in `body`; the panel's border and margin take two rows and four columns.
    public init(_ groups: [HelpScene.Group], in body: CellSize) {
        let rows = groups.flatMap(\.rows)
        let keys = min(16, rows.map(\.keys.columns).max() ?? 0)
        let longest = rows.map(\.text.columns).max() ?? 0
        let width = min(body.columns - 4, max(20, keys + 2 + longest))
        lines = Array(
            groups.flatMap { group in
                [.heading(group.title)]
                    + group.rows.flatMap { row in
                        let texts = TextWrap.lines(row.text, width: width - keys - 2, limit: 9)
                        // Long lists of keys have a line of their own.
                        let isLong = row.keys.columns > keys || texts.isEmpty
                        return ((isLong ? [""] : []) + texts).enumerated().map { index, text in
                            Line.row(
                                HelpScene.Row(
                                    keys: index == 0 ? row.keys : "", text: text, find: row.find))
                        }
                    } + [.gap]
            }.dropLast())
        keyWidth = keys
        self.width = width
        visibleRows = max(0, min(lines.count, body.rows - 2))
    }

    /// The largest scroll row.
    public var maxScrollRow: Int { lines.count - visibleRows }

    /// The first lines of all matches.
    var foundRows: [Int] {
        lines.indices.filter {
            if case .row(let row) = lines[$0] {
                row.find != nil && !row.keys.isEmpty
            } else {
                false
            }
        }
    }
}
