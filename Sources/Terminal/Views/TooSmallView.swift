import Basics
import Raster

/// A text in the middle of a screen that has room for nothing else.
struct TooSmallView {
    let theme: Theme

    /// Draws `text`.
    func draw(_ text: String, on canvas: inout Canvas) {
        let width = canvas.size.columns
        let text = text.truncated(to: width, ellipsis: theme.signs.ellipsis)
        canvas.draw(
            text, x: (width - text.columns) / 2, y: canvas.size.rows / 2, width: width,
            ink: theme.strong, ellipsis: theme.signs.ellipsis)
    }
}
