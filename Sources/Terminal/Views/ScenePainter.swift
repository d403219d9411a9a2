import Basics
import Browser
import Raster

/// Draws scenes: hands each part to its view.
struct ScenePainter {
    /// Colours and signs.
    let theme: Theme

    /// The canvas of `size` that shows `scene`; with `isTinted`, what a thumbnail leaves free of its box is filled with
    /// its tint.
    func paint(_ scene: Scene, size: CellSize, isTinted: Bool = true) -> Canvas {
        var canvas = Canvas(size: size)
        let whole = canvas.clip
        if case .tooSmall(let text) = scene.body {
            TooSmallView(theme: theme).draw(text, on: &canvas)
            return canvas
        }
        let body = CellRect(x: 0, y: 1, columns: size.columns, rows: max(0, size.rows - 2))
        draw(scene, in: body, isTinted: isTinted, on: &canvas)
        if let overlay = scene.overlay {
            draw(overlay, in: body, on: &canvas)
        }
        canvas.clip = whole
        TopLineView(theme: theme).draw(scene.top, on: &canvas)
        BottomLineView(theme: theme).draw(scene.bottom, phase: scene.spinnerPhase, on: &canvas)
        return canvas
    }

    private func draw(
        _ scene: Scene, in body: CellRect, isTinted: Bool, on canvas: inout Canvas
    ) {
        switch scene.body {
        case .gallery(let gallery):
            GalleryView(theme: theme, isTinted: isTinted).draw(
                gallery, in: body, phase: scene.spinnerPhase, on: &canvas)
        case .viewer(let viewer):
            ViewerView(theme: theme).draw(
                viewer, in: body, phase: scene.spinnerPhase, on: &canvas)
        case .tooSmall: break
        }
    }

    private func draw(_ overlay: Scene.Overlay, in body: CellRect, on canvas: inout Canvas) {
        switch overlay {
        case .dialog(let dialog): DialogView(theme: theme).draw(dialog, in: body, on: &canvas)
        case .help(let help): HelpView(theme: theme).draw(help, in: body, on: &canvas)
        case .info(let info): InfoView(theme: theme).draw(info, in: body, on: &canvas)
        }
    }
}

/// The line at the top: title, section, count.
struct TopLineView {
    let theme: Theme

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

/// The line at the bottom: position, what is selected or said, what goes on, a reminder.
struct BottomLineView {
    let theme: Theme

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

/// A text in the middle of a screen that has room for nothing else.
struct TooSmallView {
    let theme: Theme

    func draw(_ text: String, on canvas: inout Canvas) {
        let width = canvas.size.columns
        let text = text.truncated(to: width, ellipsis: theme.signs.ellipsis)
        canvas.draw(
            text, x: (width - text.columns) / 2, y: canvas.size.rows / 2, width: width,
            ink: theme.strong, ellipsis: theme.signs.ellipsis)
    }
}
