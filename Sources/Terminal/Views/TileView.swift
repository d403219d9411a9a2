import Browser
import Raster

/// A thumbnail over its title.
struct TileView {
    let theme: Theme
    let isTinted: Bool

    /// Draws `tile` into `frame`, whose last row is the title's.
    func draw(_ tile: TileScene, in frame: CellRect, phase: Int, on canvas: inout Canvas) {
        let box = CellRect(
            x: frame.x, y: frame.y, columns: frame.size.columns, rows: frame.size.rows - 1)
        PictureView(theme: theme).draw(
            tile.picture, in: box, isTinted: isTinted, phase: phase, on: &canvas)
        let titleRow = CellRect(
            x: frame.x, y: frame.y + frame.size.rows - 1, columns: frame.size.columns, rows: 1)
        let ink = tile.isSelected ? theme.selection : theme.muted
        canvas.fill(titleRow, with: (tile.isSelected ? ink : theme.text).cell(" "))
        let signs = theme.signs
        let title =
            (tile.isMarked ? signs.mark : "") + (tile.isAlbum ? signs.album : "")
            + (tile.isAnimated ? signs.animation : "") + tile.title
        canvas.draw(
            title, x: titleRow.x, y: titleRow.y, width: titleRow.size.columns, ink: ink,
            ellipsis: theme.signs.ellipsis)
    }
}
