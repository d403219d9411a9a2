import Basics
import Browser
import Raster
import Thumbnails

/// Grid or list, between the top and the bottom line.
struct GalleryView {
    let theme: Theme
    let isTinted: Bool

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

struct HeaderView {
    let theme: Theme

    func draw(_ header: HeaderScene, in frame: CellRect, phase: Int, on canvas: inout Canvas) {
        canvas.fill(frame, with: theme.header.cell(" "))
        let ellipsis = theme.signs.ellipsis
        let end = frame.x + frame.size.columns
        var right = canvas.draw(
            header.detail, endingAt: end - 1, y: frame.y, width: max(0, frame.size.columns / 2 - 2),
            ink: theme.headerMuted, ellipsis: ellipsis)
        if header.isLoading {
            right -= 2
            canvas.put(theme.headerMuted.cell(theme.signs.spinner(at: phase)), x: right, y: frame.y)
        }
        canvas.put(theme.headerMark.cell(theme.signs.headerMark), x: frame.x, y: frame.y)
        canvas.draw(
            header.title, x: frame.x + 2, y: frame.y, width: right - frame.x - 3, ink: theme.header,
            ellipsis: ellipsis)
    }
}

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

struct ListRowView {
    let theme: Theme
    let isTinted: Bool

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

/// The bright edge around what is selected, in the free cells around it: it covers nothing of a picture.
struct SelectionEdge {
    let theme: Theme

    /// Draws the edge around `frame`; before the elements, which may cover it where there is no free cell.
    func draw(around frame: CellRect, on canvas: inout Canvas) {
        let signs = theme.signs
        let left = frame.x - 1
        let right = frame.x + frame.size.columns
        let top = frame.y - 1
        let bottom = frame.y + frame.size.rows
        for y in frame.y..<bottom {
            canvas.put(theme.edge.cell(signs.edgeSides.left), x: left, y: y)
            canvas.put(theme.edge.cell(signs.edgeSides.right), x: right, y: y)
        }
        for x in frame.x..<right {
            canvas.put(theme.edge.cell(signs.edgeRows.above), x: x, y: top)
            canvas.put(theme.edge.cell(signs.edgeRows.below), x: x, y: bottom)
        }
        let corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
        for (corner, sign) in zip(corners, signs.edge.corners) {
            canvas.put(theme.edge.cell(sign), x: corner.0, y: corner.1)
        }
    }
}
