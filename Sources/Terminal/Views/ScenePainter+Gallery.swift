import Basics
import Browser
import Raster
import Thumbnails

/// The grid and list, between the top and bottom lines.
extension ScenePainter {
    mutating func drawGallery(_ gallery: GalleryScene, in body: CellRect) {
        // Drawn first, so that elements may cover the border where there is no free cell around the selected one.
        for case .tile(let tile, let frame) in gallery.elements where tile.isSelected {
            drawEdge(around: frame)
        }
        for element in gallery.elements {
            switch element {
            case .header(let header, let frame): drawHeader(header, in: frame)
            case .tile(let tile, let frame): drawTile(tile, in: frame)
            case .row(let tile, let thumbnailColumns, let frame):
                drawRow(tile, thumbnailColumns: thumbnailColumns, in: frame)
            case .note(let text, let isFailure, let frame):
                canvas.draw(
                    text, x: frame.x + 2, y: frame.y, width: frame.columns - 3,
                    ink: isFailure ? theme.failure : theme.muted)
            }
        }
        if let pane = gallery.pane { drawPane(pane, in: body) }
        canvas.scrollOffset = gallery.scrollRow
        canvas.scrollRows = body.y..<body.bottom
    }

    private mutating func drawEdge(around frame: CellRect) {
        drawBorder(
            theme.symbols.edge, around: frame.inset(columns: -1, rows: -1), ink: theme.edge)
    }

    private mutating func drawHeader(_ header: HeaderScene, in frame: CellRect) {
        canvas.fill(frame, with: theme.header)
        var right = canvas.draw(
            header.detail, endingAt: frame.right - 1, y: frame.y,
            width: max(0, frame.columns / 2 - 2), ink: theme.headerMuted)
        if header.isLoading {
            right -= 2
            canvas.put(theme.headerMuted.cell(spinner ?? " "), x: right, y: frame.y)
        }
        canvas.put(theme.headerMark.cell(theme.symbols.headerMark), x: frame.x, y: frame.y)
        canvas.draw(
            header.title, x: frame.x + 2, y: frame.y, width: right - frame.x - 3, ink: theme.header)
    }

    /// Draws a thumbnail above its title, which is the last row.
    private mutating func drawTile(_ tile: TileScene, in frame: CellRect) {
        var box = frame
        box.size.rows -= 1
        drawPicture(of: tile, in: box)
        let row = frame.row(box.bottom)
        let ink = titleInk(of: tile)
        canvas.fill(
            row,
            with: ink.background == .standard && !tile.isSelected ? .blank : ink.cell(" "))
        canvas.draw(title(of: tile), in: row, ink: ink, cut: .middle)
    }

    private mutating func drawPicture(of tile: TileScene, in box: CellRect) {
        drawPicture(tile.picture, in: box, isTinted: isTinted && !tile.isRejected)
        guard tile.isRejected else { return }
        // Every other cell is left, which dims a picture with any colours and pixels.
        box.forEach { x, y in
            if (x + y) % 2 == 0 { canvas.put(.blank, x: x, y: y) }
        }
    }

    /// The title's background continues the tint around the picture.
    private func titleInk(of tile: TileScene) -> Ink {
        if tile.isSelected { return theme.selection }
        guard isTinted, !tile.isRejected, case .ready(let thumbnail) = tile.picture else {
            return theme.muted
        }
        return theme.title(onTint: thumbnail.facts.tint)
    }

    /// Returns the title after the symbols for mark, new, album, what is there already, and animation.
    private func title(of tile: TileScene) -> String {
        let symbols = theme.symbols
        return (tile.isMarked ? symbols.mark : "") + (tile.isNew ? symbols.new : "")
            + (tile.isAlbum ? symbols.album : "")
            + (tile.isAsLargeHere.map { $0 ? "= " : symbols.larger } ?? "")
            + (tile.showsOnlyTop ? symbols.strip : "")
            + (tile.isAnimated ? symbols.animation : "") + tile.duration
            + (tile.lines.first ?? "")
    }

    /// Draws the preview of the selected picture beside the list, with its description below.
    private mutating func drawPane(_ pane: PaneScene, in body: CellRect) {
        drawPicture(pane.picture, in: pane.frame)
        var y = pane.frame.bottom + 1
        var lines = pane.lines.map { (text: $0, ink: theme.muted) }
        if !lines.isEmpty { lines[0].ink = theme.strong }
        if let failure = pane.failure {
            lines.insert((failure, theme.failure), at: min(1, lines.count))
        }
        for (text, ink) in lines {
            for line in TextWrap.lines(text, width: pane.frame.columns, limit: body.bottom - y) {
                canvas.draw(line, in: pane.frame.row(y), ink: ink)
                y += 1
            }
        }
    }

    /// Draws a list item in one line: the title, then the details in columns.
    private mutating func drawTextRow(_ row: TileScene, in frame: CellRect) {
        let isSelected = row.isSelected
        if isSelected { canvas.fill(frame, with: theme.selectedRow) }
        let muted = isSelected ? theme.selectedRowMuted : theme.muted
        var right = frame.right - 1
        if let failure = row.failure {
            right = canvas.draw(
                failure, endingAt: right, y: frame.y, width: frame.columns / 2,
                ink: isSelected ? muted : theme.failure)
        } else if frame.columns >= 60 {
            for (text, width) in zip(row.details, [13, 10, 11]).reversed() {
                canvas.draw(text, endingAt: right, y: frame.y, width: width, ink: muted)
                right -= width
            }
        }
        canvas.draw(
            title(of: row), x: frame.x + 1, y: frame.y, width: right - frame.x - 2,
            ink: isSelected ? theme.selection : theme.text, cut: .middle)
        // On the blank cell before the title, where it hides no letter.
        if isSelected { canvas.cursor = (frame.x, frame.y) }
    }

    private mutating func drawRow(
        _ row: TileScene, thumbnailColumns columns: Int, in frame: CellRect
    ) {
        guard columns > 0 else { return drawTextRow(row, in: frame) }
        var box = frame
        box.size.columns = min(columns, frame.columns)
        drawPicture(of: row, in: box)
        let texts = frame.from(box.right)
        let ground = row.isSelected ? theme.selectedRow : theme.text
        canvas.fill(texts, with: ground)
        if row.isSelected {
            canvas.fill(
                CellRect(x: texts.x, y: texts.y, columns: 1, rows: texts.rows),
                with: theme.edge.on(ground.background).cell(theme.symbols.edge.right))
        }
        drawTexts(of: row, in: texts)
    }

    private mutating func drawTexts(of row: TileScene, in texts: CellRect) {
        let isSelected = row.isSelected
        let second = row.failure ?? row.details.nonEmpty.joined(separator: " · ")
        let lines = (row.lines.prefix(1) + [second].nonEmpty + row.lines.dropFirst())
            .prefix(texts.rows)
        // Centred vertically, like the picture in its box.
        let top = texts.y + max(0, (texts.rows - lines.count) / 2)
        let width = texts.columns - 3
        if !lines.isEmpty {
            let title = title(of: row)
            canvas.draw(
                isSelected ? " \(title) " : title,
                x: texts.x + (isSelected ? 1 : 2), y: top, width: width,
                ink: isSelected ? theme.selection : theme.strong, cut: .middle)
            if isSelected { canvas.cursor = (texts.x + 1, top) }
        }
        let muted = isSelected ? theme.selectedRowMuted : theme.muted
        let failure =
            isSelected ? theme.failure.on(theme.selectedRow.background) : theme.failure
        for (index, line) in lines.enumerated().dropFirst() {
            // The end of an address says more than its middle.
            canvas.draw(
                line, x: texts.x + 2, y: top + index, width: width,
                ink: index == 1 && row.failure != nil ? failure : muted, cut: .middle)
        }
    }
}

/// Pictures in their boxes.
extension ScenePainter {
    /// Draws the viewer's picture, filmstrip, map and status.
    mutating func drawViewer(_ viewer: ViewerScene, in body: CellRect) {
        // No tint: a picture under close inspection is surrounded by the terminal's own background.
        drawPicture(viewer.picture, in: viewer.frame)
        for other in viewer.others { drawPicture(other.picture, in: other.frame) }
        for picture in viewer.filmstrip {
            if picture.isSelected { drawEdge(around: picture.frame) }
            drawPicture(picture.picture, in: picture.frame)
        }
        if let map = viewer.map { drawMap(map) }
        let bottom = body.row(body.bottom - 1)
        if let failure = viewer.failure {
            canvas.draw(
                " \(theme.symbols.failure) \(failure) ", in: bottom, ink: theme.panelFailure)
        } else if viewer.isLoading, let spinner {
            canvas.draw(" \(spinner) ", in: bottom.from(bottom.right - 3), ink: theme.panelStrong)
        }
    }

    /// Draws the overview map; the visible part takes at least one cell.
    private mutating func drawMap(_ map: MapScene) {
        let frame = map.frame
        let part = map.part
        canvas.fill(frame, with: theme.panel.cell(theme.depth == .mono ? "." : " "))
        func span(_ start: Double, _ length: Double, _ count: Int) -> (Int, Int) {
            let first = min(count - 1, Int(start * Double(count)))
            return (first, min(count - first, max(1, Int((length * Double(count)).rounded()))))
        }
        let (x, columns) = span(part.x, part.width, frame.columns)
        let (y, rows) = span(part.y, part.height, frame.rows)
        canvas.fill(
            CellRect(x: frame.x + x, y: frame.y + y, columns: columns, rows: rows),
            with: theme.selection)
    }

    /// Draws a picture's cells, centred on their tint, or its placeholder.
    private mutating func drawPicture(
        _ picture: PictureScene, in box: CellRect, isTinted: Bool = false
    ) {
        switch picture {
        case .ready(let thumbnail):
            canvas.draw(
                thumbnail.cells, centeredIn: box,
                on: isTinted ? theme.depth.nearest(to: thumbnail.facts.tint) : nil)
            if let pixels = thumbnail.pixels { canvas.place(pixels, centeredIn: box) }
        case .placeholder(let isLoading):
            drawPlaceholder(in: box, symbol: isLoading ? spinner : nil, ink: theme.shadeSpinner)
        case .failed:
            drawPlaceholder(in: box, symbol: theme.symbols.failure, ink: theme.shadeFailure)
        }
        canvas.markPicture(box)
    }
}

/// What a missing picture leaves: a shade that does not compete with pictures, or dots if there are no shades.
extension ScenePainter {
    /// Draws the shade or the dots, with `symbol` in the middle.
    private mutating func drawPlaceholder(in box: CellRect, symbol: Unicode.Scalar?, ink: Ink) {
        if theme.shade == .standard {
            drawDots(in: box)
        } else {
            canvas.fill(box, with: Ink(background: theme.shade))
        }
        guard let symbol else { return }
        let middle = box.middle(columns: 1, rows: 1)
        canvas.fill(middle.inset(columns: -1, rows: 0).intersection(box), with: ink)
        canvas.fill(middle, with: ink.cell(symbol))
    }

    /// Draws a dot in every fourth cell, with every other row shifted by two cells.
    private mutating func drawDots(in box: CellRect) {
        let dot = theme.muted.cell(theme.symbols.hasBlocks ? "·" : ".")
        box.forEach { x, y in
            let isDot = (x - box.x + 2 * (y - box.y)) % 4 == 1
            canvas.put(isDot ? dot : .blank, x: x, y: y)
        }
    }
}
