import Basics
import Browser
import Raster

/// A question over the middle of the body.
struct DialogView {
    let theme: Theme

    /// Wide enough for a sentence, narrow enough to be read at a glance.
    private static let widest = 64

    /// Draws `dialog` over `body`.
    ///
    /// Where rows are short, the answers stay and the texts give way.
    func draw(_ dialog: DialogScene, in body: CellRect, on canvas: inout Canvas) {
        canvas.clip = body
        let width = min(Self.widest, body.size.columns)
        let room = max(1, body.size.rows - 5)
        let lines = TextWrap.lines(dialog.message, width: width - 4, limit: room)
        let hasDetail = !dialog.detail.isEmpty && lines.count < room
        let rows = lines.count + (hasDetail ? 1 : 0) + 4
        let frame = PanelView.centered(columns: width, rows: rows, in: body)
        let inside = PanelView(theme: theme).draw(title: dialog.title, in: frame, on: &canvas)
        var y = inside.y
        for line in lines {
            canvas.draw(line, x: inside.x, y: y, width: inside.size.columns, ink: theme.panel)
            y += 1
        }
        if hasDetail {
            canvas.draw(
                dialog.detail, x: inside.x, y: y, width: inside.size.columns, ink: theme.panelMuted,
                ellipsis: theme.signs.ellipsis, cut: .middle)
        }
        draw(dialog.answers, y: inside.y + inside.size.rows - 1, in: inside, on: &canvas)
    }

    /// The first answer is the one at hand.
    private func draw(
        _ answers: [DialogScene.Answer], y: Int, in inside: CellRect, on canvas: inout Canvas
    ) {
        var x = inside.x
        let end = inside.x + inside.size.columns
        for (index, answer) in answers.enumerated() {
            x += canvas.draw(
                " \(answer.title) ", x: x, y: y, width: end - x,
                ink: index == 0 ? theme.selection : theme.panelStrong,
                ellipsis: theme.signs.ellipsis)
            x += 1
            x += canvas.draw(answer.key, x: x, y: y, width: end - x, ink: theme.panelMuted) + 2
        }
    }
}
