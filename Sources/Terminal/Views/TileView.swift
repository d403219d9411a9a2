import Browser
import Raster
import Thumbnails

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
        let ink = titleInk(of: tile)
        let isPlain = ink.background == .standard && !tile.isSelected
        canvas.fill(titleRow, with: isPlain ? .blank : ink.cell(" "))
        let signs = theme.signs
        let title =
            (tile.isMarked ? signs.mark : "") + (tile.isAlbum ? signs.album : "")
            + (tile.isAnimated ? signs.animation : "") + tile.title
        canvas.draw(
            title, x: titleRow.x, y: titleRow.y, width: titleRow.size.columns, ink: ink,
            ellipsis: theme.signs.ellipsis)
    }

    /// The title shares the card that the tint makes of a picture.
    private func titleInk(of tile: TileScene) -> Ink {
        if tile.isSelected { return theme.selection }
        guard isTinted, case .ready(let thumbnail) = tile.picture else { return theme.muted }
        return theme.title(onTint: thumbnail.facts.tint)
    }
}
