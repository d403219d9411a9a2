import Browser
import Raster

/// A section's header.
struct HeaderView {
    let theme: Theme

    /// Draws `header` over the one row of `frame`.
    func draw(_ header: HeaderScene, in frame: CellRect, phase: Int, on canvas: inout Canvas) {
        canvas.fill(frame, with: theme.header.cell(" "))
        let ellipsis = theme.signs.ellipsis
        let end = frame.x + frame.size.columns
        var right = canvas.draw(
            header.detail, endingAt: end - 1, y: frame.y, width: max(0, frame.size.columns / 2 - 2),
            ink: theme.headerMuted, ellipsis: ellipsis)
        if header.isLoading {
            right -= 2
            canvas.put(theme.headerMuted.cell(theme.signs.spinner(at: phase)), x: right, y: frame.y)
        }
        canvas.put(theme.headerMark.cell(theme.signs.headerMark), x: frame.x, y: frame.y)
        canvas.draw(
            header.title, x: frame.x + 2, y: frame.y, width: right - frame.x - 3, ink: theme.header,
            ellipsis: ellipsis)
    }
}
