import Browser
import Raster

/// All keys, over the whole body.
struct HelpView {
    let theme: Theme

    /// One row of a column.
    private enum Line {
        case heading(String)
        case key(HelpScene.Row)
        case gap
    }

    /// What the keys and the texts of a help take, in cells.
    private struct Widths {
        let keys: Int
        let text: Int

        /// The widths for a body of `room` cells.
        init(_ help: HelpScene, room: Int) {
            let rows = help.groups.flatMap(\.rows)
            // Few commands have many keys; those push their text aside.
            keys = min(16, rows.map(\.keys.columns).max() ?? 0)
            let longest = rows.map(\.text.columns).max() ?? 0
            // Two columns with a few texts cut show more than one with none.
            text = room >= 2 * (keys + 44) ? min(36, longest) : longest
        }

        /// With two cells between keys and text, and three between columns.
        var column: Int { max(20, keys + 2 + text + 3) }
    }

    /// Draws `help` over `body`, in as many columns as fit.
    func draw(_ help: HelpScene, in body: CellRect, on canvas: inout Canvas) {
        canvas.clip = body
        let widths = Widths(help, room: body.size.columns)
        let count = max(1, min(3, (body.size.columns - 4) / widths.column))
        let columns = columns(of: help.groups, count: count)
        let rows = columns.map(\.count).max() ?? 0
        let frame = PanelView.centered(
            columns: count * widths.column + 1, rows: rows + 2, in: body)
        let inside = PanelView(theme: theme).draw(title: "Keys", in: frame, on: &canvas)
        canvas.clip = body.intersection(inside)
        let hidden = min(max(0, help.scrollRow), max(0, rows - inside.size.rows))
        let width = min(widths.column, (inside.size.columns + 3) / count)
        for (index, column) in columns.enumerated() {
            for (row, line) in column.enumerated() {
                draw(
                    line, x: inside.x + index * width, y: inside.y + row - hidden, width: width - 3,
                    keys: widths.keys, on: &canvas)
            }
        }
    }

    /// The groups in `count` columns of about the same length, in order.
    private func columns(of groups: [HelpScene.Group], count: Int) -> [[Line]] {
        let blocks = groups.map { group in
            [Line.heading(group.title)] + group.rows.map(Line.key) + [.gap]
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
        return columns.map {
            $0.last.map { if case .gap = $0 { true } else { false } } == true ? $0.dropLast() : $0
        }
    }

    private func draw(
        _ line: Line, x: Int, y: Int, width: Int, keys: Int, on canvas: inout Canvas
    ) {
        let keys = min(keys, width / 2)
        switch line {
        case .heading(let title):
            canvas.draw(
                title, x: x, y: y, width: width, ink: theme.panelHeading,
                ellipsis: theme.signs.ellipsis)
        case .key(let row):
            let used = canvas.draw(
                row.keys, x: x, y: y, width: max(keys, width - row.text.columns - 2),
                ink: theme.panelStrong, ellipsis: theme.signs.ellipsis)
            let start = max(keys, used) + 2
            canvas.draw(
                row.text, x: x + start, y: y, width: width - start, ink: theme.panel,
                ellipsis: theme.signs.ellipsis)
        case .gap: break
        }
    }
}
