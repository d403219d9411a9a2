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
