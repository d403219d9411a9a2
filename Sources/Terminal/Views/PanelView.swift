import Basics
import Raster

/// A box over the body with a border and a title, for dialogs, help and facts.
struct PanelView {
    let theme: Theme

    /// Draws an empty panel in `frame`, and returns the part inside its border and a column of air.
    func draw(title: String, in frame: CellRect, on canvas: inout Canvas) -> CellRect {
        canvas.fill(frame, with: theme.panel.cell(" "))
        let right = frame.x + frame.size.columns - 1
        let bottom = frame.y + frame.size.rows - 1
        let border = theme.signs.border
        for x in frame.x...max(frame.x, right) {
            canvas.put(theme.panelMuted.cell(border.horizontal), x: x, y: frame.y)
            canvas.put(theme.panelMuted.cell(border.horizontal), x: x, y: bottom)
        }
        for y in frame.y...max(frame.y, bottom) {
            canvas.put(theme.panelMuted.cell(border.vertical), x: frame.x, y: y)
            canvas.put(theme.panelMuted.cell(border.vertical), x: right, y: y)
        }
        let corners = [(frame.x, frame.y), (right, frame.y), (right, bottom), (frame.x, bottom)]
        for (corner, sign) in zip(corners, border.corners) {
            canvas.put(theme.panelMuted.cell(sign), x: corner.0, y: corner.1)
        }
        canvas.draw(
            " \(title.truncated(to: max(0, frame.size.columns - 6), ellipsis: theme.signs.ellipsis)) ",
            x: frame.x + 2, y: frame.y, width: frame.size.columns - 4, ink: theme.panelStrong)
        return CellRect(
            x: frame.x + 2, y: frame.y + 1, columns: max(0, frame.size.columns - 4),
            rows: max(0, frame.size.rows - 2))
    }

    /// A rectangle of `columns` × `rows`, or as much of that as fits, in the middle of `body`.
    static func centered(columns: Int, rows: Int, in body: CellRect) -> CellRect {
        let columns = min(columns, body.size.columns)
        let rows = min(rows, body.size.rows)
        return CellRect(
            x: body.x + (body.size.columns - columns) / 2, y: body.y + (body.size.rows - rows) / 2,
            columns: columns, rows: rows)
    }
}
