import Gallery
import Raster
import Thumbnails

extension BrowserModel {
    /// What grid or list shows; touches visible pictures only.
    func galleryScene() -> GalleryScene {
        var elements: [GalleryScene.Element] = []
        let visible = level.layout.pictures(in: level.visibleRows)
        for place in visibleBlocks() {
            append(header: place, to: &elements)
            let block = level.layout.blocks[place]
            let own = block.firstPicture..<block.firstPicture + block.count
            for number in visible.clamped(to: own) {
                append(picture: number, to: &elements)
            }
            append(noteOf: place, to: &elements)
        }
        return GalleryScene(
            scrollRow: level.scrollRow, elements: elements,
            stickyHeader: stickyBlock().map(headerScene))
    }

    /// The section whose header has scrolled away while its pictures are at the top of the body, by place.
    func stickyBlock() -> Int? {
        let layout = level.layout
        guard !layout.blocks.isEmpty else { return nil }
        let place = layout.block(atRow: level.scrollRow)
        return layout.blocks[place].firstRow < level.scrollRow ? place : nil
    }

    private func headerScene(_ place: Int) -> HeaderScene {
        let section = level.sections.sections[place]
        return HeaderScene(
            title: section.title, detail: section.detail, isLoading: section.isLoading)
    }

    private func append(header place: Int, to elements: inout [GalleryScene.Element]) {
        let row = level.layout.blocks[place].firstRow
        guard level.visibleRows.contains(row) else { return }
        elements.append(.header(headerScene(place), onScreen(line: row)))
    }

    private func append(noteOf place: Int, to elements: inout [GalleryScene.Element]) {
        let row = level.layout.noteRow(ofBlock: place)
        guard let note = level.sections.sections[place].note, level.visibleRows.contains(row)
        else { return }
        elements.append(.note(note.text, isFailure: note.isFailure, onScreen(line: row)))
    }

    private func append(picture number: Int, to elements: inout [GalleryScene.Element]) {
        let id = level.id(ofPicture: number)
        guard let picture = level.sections.picture(id) else { return }
        var frame = level.layout.frame(ofPicture: number)
        frame.y = screenRow(frame.y)
        switch layout {
        case .grid:
            elements.append(
                .tile(
                    TileScene(
                        picture: tileScene(id), title: picture.caption,
                        isSelected: id == level.selection, isAlbum: picture.kind == .album,
                        isMarked: isMarked(picture), isAnimated: isAnimated(id)), frame)
            )
        case .list:
            elements.append(
                .row(
                    ListRowScene(
                        picture: tileScene(id),
                        thumbnailColumns: level.metrics.thumbnailBox.columns,
                        lines: picture.lines(facts: tiles.thumbnail(of: id)?.facts),
                        isSelected: id == level.selection, isAlbum: picture.kind == .album,
                        isMarked: isMarked(picture), isAnimated: isAnimated(id)), frame)
            )
        }
    }

    private func isAnimated(_ id: PictureID) -> Bool {
        tiles.thumbnail(of: id)?.facts.isAnimated == true
    }

    private func screenRow(_ row: Int) -> Int { row - level.scrollRow + body.y }

    private func onScreen(line row: Int) -> CellRect {
        CellRect(x: 0, y: screenRow(row), columns: size.columns, rows: 1)
    }

    /// A thumbnail as it is now.
    func tileScene(_ id: PictureID) -> PictureScene {
        tiles.pictureScene(of: id)
    }
}

extension PictureRequests {
    /// What is to be seen of a picture: its cells or older ones of it, a mark if it failed, else a placeholder.
    func pictureScene(of id: PictureID) -> PictureScene {
        if let thumbnail = thumbnail(of: id) { return .ready(thumbnail) }
        switch state(of: id) {
        case .failed: return .failed
        case .loading: return .placeholder(isLoading: true)
        case .wanted, .ready: return .placeholder(isLoading: false)
        }
    }
}
