import Browser
import Raster

/// Grid or list, between the top and the bottom line.
struct GalleryView {
    let theme: Theme
    let isTinted: Bool

    /// Draws `gallery` into `body`, which clips it.
    func draw(_ gallery: GalleryScene, in body: CellRect, phase: Int, on canvas: inout Canvas) {
        canvas.clip = body
        for case .tile(let tile, let frame) in gallery.elements where tile.isSelected {
            SelectionEdge(theme: theme).draw(around: frame, on: &canvas)
        }
        for element in gallery.elements {
            draw(element, phase: phase, on: &canvas)
        }
        if let header = gallery.stickyHeader {
            let row = CellRect(x: body.x, y: body.y, columns: body.size.columns, rows: 1)
            HeaderView(theme: theme).draw(header, in: row, phase: phase, on: &canvas)
        }
        canvas.scrollOffset = gallery.scrollRow
        canvas.scrollRows = body.y..<body.y + body.size.rows
    }

    private func draw(_ element: GalleryScene.Element, phase: Int, on canvas: inout Canvas) {
        switch element {
        case .header(let header, let frame):
            HeaderView(theme: theme).draw(header, in: frame, phase: phase, on: &canvas)
        case .tile(let tile, let frame):
            TileView(theme: theme, isTinted: isTinted).draw(
                tile, in: frame, phase: phase, on: &canvas)
        case .row(let row, let frame):
            ListRowView(theme: theme, isTinted: isTinted).draw(
                row, in: frame, phase: phase, on: &canvas)
        case .note(let text, let isFailure, let frame):
            canvas.draw(
                text, x: frame.x + 2, y: frame.y, width: frame.size.columns - 3,
                ink: isFailure ? theme.failure : theme.muted, ellipsis: theme.signs.ellipsis)
        }
    }
}
