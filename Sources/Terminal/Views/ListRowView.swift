import Basics
import Browser
import Raster

/// A row of the list: thumbnail left, texts right.
struct ListRowView {
    let theme: Theme
    let isTinted: Bool

    /// Draws `row` into `frame`.
    func draw(_ row: ListRowScene, in frame: CellRect, phase: Int, on canvas: inout Canvas) {
        let box = CellRect(
            x: frame.x, y: frame.y, columns: min(row.thumbnailColumns, frame.size.columns),
            rows: frame.size.rows)
        let texts = CellRect(
            x: box.x + box.size.columns, y: frame.y,
            columns: frame.size.columns - box.size.columns, rows: frame.size.rows)
        PictureView(theme: theme).draw(
            row.picture, in: box, isTinted: isTinted, phase: phase, on: &canvas)
        let ground = row.isSelected ? theme.selectedRow : theme.text
        canvas.fill(texts, with: ground.cell(" "))
        if row.isSelected {
            let edge = theme.edge.on(ground.background).cell(theme.signs.edgeSides.right)
            canvas.fill(
                CellRect(x: texts.x, y: texts.y, columns: 1, rows: texts.size.rows), with: edge)
        }
        draw(row, lines: texts, on: &canvas)
    }

    private func title(_ line: String, of row: ListRowScene) -> String {
        let signs = theme.signs
        return (row.isMarked ? signs.mark : "") + (row.isAlbum ? signs.album : "")
            + (row.isAnimated ? signs.animation : "") + line
    }

    private func draw(_ row: ListRowScene, lines texts: CellRect, on canvas: inout Canvas) {
        let muted = row.isSelected ? theme.selectedRowMuted : theme.muted
        let lines = row.lines.prefix(texts.size.rows)
        // Centred beside the picture, which is centred in its box.
        let top = texts.y + max(0, (texts.size.rows - lines.count) / 2)
        for (index, line) in lines.enumerated() {
            let isTitle = index == 0
            let ink =
                isTitle
                ? (row.isSelected ? theme.selection : theme.strong)
                : muted
            let text = isTitle ? title(line, of: row) : line
            canvas.draw(
                isTitle && row.isSelected ? " \(text) " : text,
                x: texts.x + (isTitle && row.isSelected ? 1 : 2), y: top + index,
                width: texts.size.columns - 3, ink: ink, ellipsis: theme.signs.ellipsis,
                // The end of an address tells more than its middle.
                cut: isTitle ? .tail : .middle)
        }
    }
}
