import Basics
import Browser
import Raster

/// The line at the bottom: position, what is selected or said, what goes on, a reminder.
struct BottomLineView {
    let theme: Theme

    /// Draws `line` over the last row.
    func draw(_ line: BottomLine, phase: Int, on canvas: inout Canvas) {
        let width = canvas.size.columns
        let y = canvas.size.rows - 1
        canvas.fill(CellRect(x: 0, y: y, columns: width, rows: 1), with: theme.bar.cell(" "))
        let ellipsis = theme.signs.ellipsis
        var x = 1
        x += canvas.draw(
            line.position, x: x, y: y, width: width / 2, ink: theme.barStrong, ellipsis: ellipsis)
        x += x > 1 ? 2 : 0
        let right = drawActivity(line, phase: phase, y: y, from: x, on: &canvas)
        let text = line.message.isEmpty ? line.label : line.message
        canvas.draw(text, x: x, y: y, width: right - x - 1, ink: theme.bar, ellipsis: ellipsis)
    }

    /// Draws what stands at the right, as far as there is room; returns where that begins.
    private func drawActivity(
        _ line: BottomLine, phase: Int, y: Int, from left: Int, on canvas: inout Canvas
    ) -> Int {
        var right = canvas.size.columns - 1
        // The reminder goes first where it gets narrow.
        if right - left > 32, !line.hint.isEmpty {
            right =
                canvas.draw(line.hint, endingAt: right, y: y, width: 16, ink: theme.barMuted) - 2
        }
        if line.transfers > 0, right - left > 8 {
            right =
                canvas.draw(
                    "\(theme.signs.download)\(line.transfers)", endingAt: right, y: y, width: 6,
                    ink: theme.barMuted) - 1
        }
        if !line.progress.isEmpty, right - left > 36 {
            right =
                canvas.draw(line.progress, endingAt: right, y: y, width: 20, ink: theme.barMuted)
                - 1
        }
        if line.isLoading, right - left > 4 {
            canvas.put(theme.barStrong.cell(theme.signs.spinner(at: phase)), x: right - 1, y: y)
            right -= 2
        }
        return right
    }
}
