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

    /// A column that is wide enough for keys and what they do.
    private static let columnWidth = 46

    /// Draws `help` over `body`, in as many columns as fit.
    func draw(_ help: HelpScene, in body: CellRect, on canvas: inout Canvas) {
        canvas.clip = body
        let count = max(1, min(3, (body.size.columns - 4) / Self.columnWidth))
        let columns = columns(of: help.groups, count: count)
        let rows = columns.map(\.count).max() ?? 0
        let frame = PanelView.centered(
            columns: count * Self.columnWidth + 4, rows: rows + 2, in: body)
        let inside = PanelView(theme: theme).draw(title: "Keys", in: frame, on: &canvas)
        canvas.clip = body.intersection(inside)
        let hidden = min(max(0, help.scrollRow), max(0, rows - inside.size.rows))
        let width = inside.size.columns / count
        for (index, column) in columns.enumerated() {
            for (row, line) in column.enumerated() {
                draw(
                    line, x: inside.x + index * width, y: inside.y + row - hidden, width: width - 2,
                    on: &canvas)
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
        return columns.map { $0.last.map { if case .gap = $0 { true } else { false } } == true ? $0.dropLast() : $0 }
    }

    private func draw(_ line: Line, x: Int, y: Int, width: Int, on canvas: inout Canvas) {
        // Wide enough for most keys; longer ones push their text aside.
        let keys = min(16, width / 2)
        switch line {
        case .heading(let title):
            var ink = theme.panel
            ink.style.insert([.bold, .underline])
            canvas.draw(title, x: x, y: y, width: width, ink: ink, ellipsis: theme.signs.ellipsis)
        case .key(let row):
            let used = canvas.draw(
                row.keys, x: x, y: y, width: max(keys, width - row.text.columns - 1),
                ink: theme.panelStrong, ellipsis: theme.signs.ellipsis)
            let start = max(keys, used) + 1
            canvas.draw(
                row.text, x: x + start, y: y, width: width - start, ink: theme.panel,
                ellipsis: theme.signs.ellipsis)
        case .gap: break
        }
    }
}
