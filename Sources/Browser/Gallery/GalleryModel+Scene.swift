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
        return GalleryScene(scrollRow: level.scrollRow, elements: elements)
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
        let tile = TileScene(
            picture: tiles.pictureScene(of: id),
            lines: layout == .grid ? [picture.caption] : picture.lines(facts: facts),
            isSelected: id == level.selection, isAlbum: picture.kind == .album,
            isMarked: level.marks.contains(picture.image), isAnimated: facts?.isAnimated == true)
        return switch layout {
        case .grid: .tile(tile, frame)
        case .list: .row(tile, thumbnailColumns: level.metrics.thumbnailBox.columns, frame)
        }
    }

    private func screenRow(_ row: Int) -> Int { row - level.scrollRow + display.body.y }

    private func line(_ row: Int) -> CellRect {
        CellRect(x: 0, y: screenRow(row), columns: display.size.columns, rows: 1)
    }
}
