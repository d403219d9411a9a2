import Browser
import Raster
import Thumbnails

/// A picture in its box: the cells, centred on their tint, or what stands in for them.
struct PictureView {
    let theme: Theme

    /// Draws `picture` into `box`; `isTinted` fills what it leaves free with its tint.
    func draw(
        _ picture: PictureScene, in box: CellRect, isTinted: Bool, phase: Int,
        on canvas: inout Canvas
    ) {
        switch picture {
        case .ready(let thumbnail):
            draw(thumbnail, in: box, isTinted: isTinted, on: &canvas)
        case .placeholder(let isLoading):
            PlaceholderArt(theme: theme).draw(in: box, on: &canvas)
            if isLoading {
                mark(theme.signs.spinner(at: phase), ink: theme.art.spinner, in: box, on: &canvas)
            }
        case .failed:
            PlaceholderArt(theme: theme).draw(in: box, on: &canvas)
            mark(theme.signs.failure, ink: theme.art.failure, in: box, on: &canvas)
        }
        canvas.markPicture(box)
    }

    private func draw(
        _ thumbnail: Thumbnail, in box: CellRect, isTinted: Bool, on canvas: inout Canvas
    ) {
        if isTinted {
            let tint = theme.nearest(to: thumbnail.facts.tint)
            canvas.fill(box, with: Cell(glyph: 0x20, background: tint))
        }
        let before = canvas.clip
        canvas.clip = before.intersection(box)
        canvas.draw(
            thumbnail.cells, x: box.x + (box.size.columns - thumbnail.cells.size.columns) / 2,
            y: box.y + (box.size.rows - thumbnail.cells.size.rows) / 2)
        canvas.clip = before
    }

    /// A sign in the middle, on the art behind it.
    private func mark(_ sign: Unicode.Scalar, ink: Ink, in box: CellRect, on canvas: inout Canvas) {
        let place = CellRect(
            x: box.x + (box.size.columns - 1) / 2, y: box.y + (box.size.rows - 1) / 2, columns: 1,
            rows: 1)
        canvas.fill(
            CellRect(x: place.x - 1, y: place.y, columns: 3, rows: 1).intersection(box),
            with: Cell(glyph: 0x20, background: ink.background))
        canvas.fill(place.intersection(box), with: ink.cell(sign))
    }
}
