import Basics
import Browser
import Raster

/// The line at the top: title, section, count.
struct TopLineView {
    let theme: Theme

    /// Draws `line` over row 0.
    func draw(_ line: TopLine, on canvas: inout Canvas) {
        let width = canvas.size.columns
        canvas.fill(CellRect(x: 0, y: 0, columns: width, rows: 1), with: theme.bar.cell(" "))
        let ellipsis = theme.signs.ellipsis
        // At least half is left to the title.
        let right = canvas.draw(
            line.count, endingAt: width - 1, y: 0, width: max(0, width / 2 - 1),
            ink: theme.barMuted,
            ellipsis: ellipsis)
        var x = 1
        x += canvas.draw(
            line.title, x: x, y: 0, width: right - x - 1, ink: theme.barStrong, ellipsis: ellipsis)
        guard !line.section.isEmpty, right - x > 8 else { return }
        x += canvas.draw(
            theme.signs.separator, x: x, y: 0, width: right - x - 1, ink: theme.barMuted)
        canvas.draw(
            line.section, x: x, y: 0, width: right - x - 1, ink: theme.bar, ellipsis: ellipsis)
    }
}
