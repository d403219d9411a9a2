import Gallery
import Raster
import Thumbnails

extension GalleryModel {
    /// What grid or list shows; touches visible pictures only.
    func scene() -> GalleryScene {
        var elements: [GalleryScene.Element] = []
        let visible = level.visiblePictures
        for place in level.visibleBlocks {
            let block = level.layout.blocks[place]
            let section = level.sections.sections[place]
            if level.visibleRows.contains(block.firstRow) {
                elements.append(.header(header(section), line(block.firstRow)))
            }
            let own = block.firstPicture..<block.firstPicture + block.count
            elements += visible.clamped(to: own).compactMap(element)
            let row = level.layout.noteRow(ofBlock: place)
            if let note = section.note, level.visibleRows.contains(row) {
                elements.append(.note(note.text, isFailure: note.isFailure, line(row)))
            }
        }
        return GalleryScene(
            scrollRow: level.scrollRow, elements: elements,
            stickyHeader: level.stickyBlock.map { header(level.sections.sections[$0]) })
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
        let isAnimated = facts?.isAnimated == true
        let isSelected = id == level.selection
        let isMarked = level.marks.contains(picture.image)
        switch layout {
        case .grid:
            let tile = TileScene(
                picture: tiles.pictureScene(of: id), title: picture.caption,
                isSelected: isSelected, isAlbum: picture.kind == .album, isMarked: isMarked,
                isAnimated: isAnimated)
            return .tile(tile, frame)
        case .list:
            let row = ListRowScene(
                picture: tiles.pictureScene(of: id),
                thumbnailColumns: level.metrics.thumbnailBox.columns,
                lines: picture.lines(facts: facts), isSelected: isSelected,
                isAlbum: picture.kind == .album, isMarked: isMarked, isAnimated: isAnimated)
            return .row(row, frame)
        }
    }

    private func screenRow(_ row: Int) -> Int { row - level.scrollRow + display.body.y }

    private func line(_ row: Int) -> CellRect {
        CellRect(x: 0, y: screenRow(row), columns: display.size.columns, rows: 1)
    }
}
