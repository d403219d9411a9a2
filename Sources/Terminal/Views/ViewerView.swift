import Basics
import Browser
import Raster

/// One picture over the whole body.
struct ViewerView {
    let theme: Theme

    /// Draws `viewer` into `body`.
    func draw(_ viewer: ViewerScene, in body: CellRect, phase: Int, on canvas: inout Canvas) {
        canvas.clip = body
        // Without tint: around a picture that is looked at closely, nothing but the terminal's own ground.
        PictureView(theme: theme).draw(
            viewer.picture, in: viewer.frame, isTinted: false, phase: phase, on: &canvas)
        let bottom = body.y + body.size.rows - 1
        if let failure = viewer.failure {
            note(
                "\(theme.signs.failure) \(failure)", y: bottom, width: body.size.columns,
                on: &canvas)
        } else if viewer.isLoading {
            let sign = theme.panelStrong.cell(theme.signs.spinner(at: phase))
            canvas.fill(
                CellRect(x: body.size.columns - 3, y: bottom, columns: 3, rows: 1),
                with: theme.panel.cell(" "))
            canvas.put(sign, x: body.size.columns - 2, y: bottom)
        }
    }

    private func note(_ text: String, y: Int, width: Int, on canvas: inout Canvas) {
        let room = max(0, width - 2)
        let columns = min(room, text.columns)
        canvas.fill(
            CellRect(x: 0, y: y, columns: columns + 2, rows: 1), with: theme.panel.cell(" "))
        canvas.draw(
            text, x: 1, y: y, width: room, ink: theme.panelFailure, ellipsis: theme.signs.ellipsis)
    }
}
