import Basics
import Browser
import Raster

/// All keys, over the whole body.
struct HelpView {
    let theme: Theme

    /// Draws `help` over `body`, in as many columns as fit.
    func draw(_ help: HelpScene, in body: CellRect, on canvas: inout Canvas) {
        canvas.clip = body
        let layout = HelpLayout(help.groups, in: body.size)
        let count = layout.columns.count
        let frame = PanelView.centered(
            columns: count * layout.columnWidth + 1, rows: layout.rowCount + 2, in: body)
        let inside = PanelView(theme: theme).draw(title: "Keys", in: frame, on: &canvas)
        canvas.clip = body.intersection(inside)
        let hidden = min(max(0, help.scrollRow), layout.maxScrollRow)
        let width = min(layout.columnWidth, (inside.size.columns + 3) / count)
        for (index, column) in layout.columns.enumerated() {
            for (row, line) in column.enumerated() {
                draw(
                    line, x: inside.x + index * width, y: inside.y + row - hidden, width: width - 3,
                    keys: layout.keyWidth, on: &canvas)
            }
        }
    }

    private func draw(
        _ line: HelpLayout.Line, x: Int, y: Int, width: Int, keys: Int, on canvas: inout Canvas
    ) {
        let keys = min(keys, width / 2)
        switch line {
        case .heading(let title):
            canvas.draw(
                title, x: x, y: y, width: width, ink: theme.panelHeading,
                ellipsis: theme.signs.ellipsis)
        case .row(let row):
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
