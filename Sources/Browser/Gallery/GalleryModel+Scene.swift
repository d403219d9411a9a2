import Basics
import Gallery
import Raster
import Thumbnails

extension GalleryModel {
    func scene() -> GalleryScene {
        var elements: [GalleryScene.Element] = []
        let visible = level.visiblePictures
        for place in level.visibleBlocks {
            let block = level.layout.blocks[place]
            let section = level.sections.sections[place]
            if block.hasHeader, level.visibleRows.contains(block.firstRow) {
                elements.append(.header(header(section), line(block.firstRow)))
            }
            let own = block.firstPicture..<block.firstPicture + block.count
            elements += visible.clamped(to: own).compactMap(element)
            let row = level.layout.noteRow(ofBlock: place)
            if let note = section.note, level.visibleRows.contains(row) {
                elements.append(.note(note.text, isFailure: note.isFailure, line(row)))
            }
        }
        return GalleryScene(scrollRow: level.scrollRow, elements: elements, pane: paneScene)
    }

    private func header(_ section: Section) -> HeaderScene {
        HeaderScene(title: section.title, detail: section.detail, isLoading: section.isLoading)
    }

    private func element(_ number: Int) -> GalleryScene.Element? {
        let id = level.id(ofPicture: number)
        guard let picture = level.sections.picture(id) else { return nil }
        var frame = level.layout.frame(ofPicture: number)
        frame.y = screenRow(frame.y)
        let facts = tiles.thumbnail(of: id)?.facts
        var tile = TileScene(
            picture: tiles.pictureScene(of: id), lines: [picture.caption],
            isSelected: id == level.selection, isAlbum: picture.kind == .album,
            isMarked: level.marks.contains(picture.image) || range?.contains(number) == true,
            isAnimated: facts?.isAnimated == true)
        guard layout == .list else { return .tile(tile, frame) }
        let (metrics, texts) = (level.metrics, context.texts)
        tile.lines.append(
            texts.text(picture.kind == .album ? picture.link ?? picture.image : picture.image))
        tile.details = picture.details(facts: facts, texts)
        tile.failure = tiles.failure(of: id)?.description.oneLine()
        return .row(
            tile, thumbnailColumns: metrics.isPlain ? 0 : metrics.thumbnailBox.columns, frame)
    }

    private var paneScene: PaneScene? {
        guard let frame = level.metrics.paneFrame, let id = level.selection,
            let picture = level.sections.picture(id)
        else { return nil }
        let (own, tile) = (pane.thumbnail(of: id), tiles.thumbnail(of: id))
        let details = picture.details(facts: (own ?? tile)?.facts, context.texts)
        return PaneScene(
            picture: own == nil
                ? tile.map(PictureScene.ready) ?? pane.pictureScene(of: id)
                : pane.pictureScene(of: id),
            frame: frame,
            lines: [
                picture.caption, details.filter { !$0.isEmpty }.joined(separator: " · "),
                picture.summary?.oneLine() ?? "", context.texts.text(picture.largest),
            ].filter { !$0.isEmpty },
            failure: (pane.failure(of: id) ?? tiles.failure(of: id))?.description.oneLine())
    }

    private func screenRow(_ row: Int) -> Int { row - level.scrollRow + display.body.y }

    private func line(_ row: Int) -> CellRect {
        CellRect(x: 0, y: screenRow(row), columns: level.metrics.listColumns, rows: 1)
    }
}
