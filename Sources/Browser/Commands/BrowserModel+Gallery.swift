import Gallery
import Raster

extension BrowserModel {
    /// Runs a command on grid or list.
    func runInGallery(_ command: Command, count: Int?) {
        if move(command, count: count) { return }
        let steps = count ?? 1
        switch command {
        case .open: open()
        case .toggleLayout:
            layout = layout == .grid ? .list : .grid
            relayout()
        case .larger: setTileColumns(TileWidths.width(steps, stepsFrom: tileColumns))
        case .smaller: setTileColumns(TileWidths.width(-steps, stepsFrom: tileColumns))
        case .defaultSize: setTileColumns(TileWidths.clamped(options.tileColumns))
        case .filter:
            prompt = Prompt(
                purpose: .filter, text: order.filter, origin: level.selection)
        case .nextOrder: nextOrder()
        case .find: prompt = Prompt(purpose: .find)
        case .findNext: findNext(steps)
        case .findPrevious: findNext(-steps)
        default: runAnywhere(command)
        }
    }

    /// Runs a command that moves the selection; false if it is none.
    private func move(_ command: Command, count: Int?) -> Bool {
        let steps = count ?? 1
        let page = level.metrics.rowsPerScreen
        switch command {
        case .left: level.move(by: -steps)
        case .right: level.move(by: steps)
        case .up: level.move(byRows: -steps)
        case .down: level.move(byRows: steps)
        case .pageDown: level.page(byRows: page * steps)
        case .pageUp: level.page(byRows: -page * steps)
        case .halfPageDown: level.page(byRows: max(1, page / 2) * steps)
        case .halfPageUp: level.page(byRows: -max(1, page / 2) * steps)
        case .first: go(to: count ?? 1)
        case .last:
            level.sections.sections.forEach { $0.expectMore() }
            go(to: count)
        case .nextSection: level.moveToSection(steps)
        case .previousSection: level.moveToSection(-steps)
        default: return false
        }
        return true
    }

    /// Selects the picture with that number, from 1; the last one loaded if nil, or if it is not loaded yet.
    func go(to number: Int?) {
        let total = level.layout.pictureCount
        guard total > 0 else { return }
        level.select(number: min(number ?? total, total) - 1)
        if let number, number > total {
            show(message: "only \(total) are loaded")
        }
    }

    private func setTileColumns(_ columns: Int) {
        tileColumns = columns
        relayout()
    }

    /// Opens the selected picture in the viewer, or the selected album.
    func open() {
        guard let id = level.selection, let picture = level.sections.picture(id) else { return }
        switch picture.kind {
        case .picture:
            viewer = Viewer()
            viewer?.openedPicture = id
        case .album: openAlbum(picture)
        }
    }

    func openAlbum(_ album: Picture) {
        guard let address = album.link else {
            return show(message: "this album has no page")
        }
        let section = maker.section(at: address, title: album.caption, opener: album.page)
        levels.append(makeLevel(title: section.title, sections: [section]))
        closeViewer()
        section.pager?.advance()
    }

    /// Goes back to the gallery the album was opened from, as it was left.
    func closeAlbum() {
        let album = levels.removeLast()
        for section in album.sections.sections {
            section.pager?.cancel()
            failureQueue.remove(section: section.id)
        }
    }

    // MARK: Mouse

    /// Scrolls what is on top by `rows` of cells; in the viewer turns to the next or previous picture, or pans.
    func wheel(by rows: Int) {
        guard rows != 0 else { return }
        switch context {
        case .gallery: level.scroll(by: rows)
        case .viewer: runInViewer(rows > 0 ? .down : .up, count: 1)
        case .help: scrollHelp(by: rows)
        case .dialog: break
        }
    }

    /// Selects what is under the pointer; true if there is a picture.
    @discardableResult
    func click(x: Int, y: Int) -> Bool {
        guard context == .gallery, y > 0, y < size.rows - 1,
            let number = level.layout.picture(atX: x, row: level.scrollRow + y - 1)
        else { return false }
        // The sticky header covers what is below it.
        let isCovered = y == 1 && stickyBlock() != nil
        guard !isCovered else { return false }
        level.select(number: number)
        return true
    }

    /// Opens what is under the pointer; in the viewer goes back.
    func doubleClick(x: Int, y: Int) {
        if context == .viewer {
            goBack()
        } else if click(x: x, y: y) {
            open()
        }
    }
}
