import Basics
import Collector
import Gallery
import Network
import Pipeline
import Raster
import Thumbnails

/// The pictures requested by the grid and list.
extension GalleryModel {
    /// Adapts the tile shape to the first visible pictures, once, when all of those are known and before any input.
    private func shapeTiles() {
        guard level.tileShape == nil, layout == .grid, !level.isTouched else { return }
        let seen = level.visibleIDs.prefix(12).filter { tiles.failure(of: $0) == nil }
        let shapes = seen.compactMap(shape(of:))
        guard !shapes.isEmpty, shapes.count == seen.count, shapes.count > 5 || !level.mayGrow
        else { return }
        level.tileShape = GalleryMetrics.shape(for: shapes)
        level.adopt(metrics)
    }

    /// Adapts rows to the pictures on the screen and within a screen of it, as far as their files or pages have told their sizes.
    private func shapeRows() {
        guard layout == .rows else { return }
        let rows = level.visibleRows
        let near = max(0, rows.lowerBound - rows.count)..<rows.upperBound + rows.count
        for number in level.layout.pictures(in: near) {
            let id = level.id(ofPicture: number)
            if let size = tiles.thumbnail(of: id)?.facts.size ?? self.size(of: id) {
                level.learn(size, ofPicture: number)
            }
        }
    }

    /// Returns the height-to-width ratio of what a tile shows; thumbnails may be cropped, so theirs is known only once loaded.
    private func shape(of id: PictureID) -> Double? {
        let isWhole = level.picture(id)?.variants.count == 1
        let size = tiles.thumbnail(of: id)?.facts.size ?? (isWhole ? self.size(of: id) : nil)
        return size.map { Double($0.height) / Double($0.width) }
    }

    /// Requests the visible and nearby thumbnails and cancels those out of reach.
    func requestTiles() {
        shapeTiles()
        shapeRows()
        let now = context.clock()
        let level = level
        let rows = level.visibleRows
        velocity.observe(
            row: rows.lowerBound, screen: rows.count, of: ObjectIdentifier(level), level.metrics,
            at: now)
        let wants = level.layout.window(
            visible: rows, selected: level.selectedNumber, direction: level.direction,
            rowsAhead: screensAhead * rows.count
        ).compactMap { tileWant(level.id(ofPicture: $0), priority: $1) }
        let restDue = velocity.restDue(at: now)
        tiles.update(wants, restDue: restDue)
        let preview = level.metrics.paneFrame.flatMap { frame in
            level.selection.flatMap { want($0, in: frame.size, priority: .urgent) }
        }
        pane.update(nonNil(preview), restDue: restDue)
    }

    /// The screens to prefetch: people page, and a terminal that grows then shows its pictures at once; but only one where the line is to be
    /// spared, where another is of megabytes (13 s over 10 Mbit/s), and where it has more than a third of the tiles kept in memory.
    private var screensAhead: Int {
        let count = level.visiblePictures.count
        guard display.hasFocus else { return 0 }
        let isDear = count > 200 || count * tiles.bytesPerPicture > 16_000_000
        return isDear || options.sparesLine ? 1 : 2
    }

    func tileWant(_ id: PictureID, priority: Priority) -> PictureRequests.Want? {
        let box = level.number(of: id).map(level.layout.box(ofPicture:))
        return want(
            id, in: box ?? level.metrics.thumbnailBox, isTile: true, priority: priority)
    }

    func want(
        _ id: PictureID, in box: CellSize, isTile: Bool = false, priority: Priority
    ) -> PictureRequests.Want? {
        guard let section = level.section(id.section),
            let picture = level.picture(id), picture.isDrawable
        else { return nil }
        var style = display.style
        // What rows would cut off is less than cells are exact to.
        if isTile { style.crop = cropsTiles || layout == .rows ? .box : .strips }
        // In rows boxes change, but not the file.
        let columns = isTile ? level.metrics.thumbnailBox.columns : box.columns
        let variant = picture.variant(covering: columns * style.pixelsAcross)
        var request = ThumbnailRequest(
            address: variant.address, referer: picture.page, box: box, style: style,
            generation: section.generation(of: picture),
            mayBeEmbedded: variant.address == picture.image)
        // Pixels themselves would be blurred.
        if isTile, style.pixels == nil, !cropsTiles {
            request.keptBox = level.metrics.keptBox
        }
        return PictureRequests.Want(
            id: id, identity: picture.image, request: request, priority: priority)
    }

    /// Plays the animated tiles on the screen that are to move.
    func updatePlaybacks(isShown: Bool, isCovered: Bool) {
        var moving: [PictureID] = []
        let isSentOnce = display.style.pixels?.playsFilms == true
        if isShown, options.isAnimated, isSentOnce || !options.isOverSSH {
            switch options.movingTiles {
            case .none: break
            case .selected: moving = level.selectedIDs
            case .all: moving = level.visibleIDs
            }
        }
        var before = playbacks
        playbacks = [:]
        for id in moving {
            playbacks[id] = Playback.next(
                after: before.removeValue(forKey: id), tiles.want(of: id), still: tiles.ready(id),
                isPaused: isCovered || !display.hasFocus, shortest: isSentOnce ? 0 : 0.1,
                context: context)
        }
        before.values.forEach { $0.stop() }
    }

    /// Counts the new pictures on the screen as seen, as far as they are drawn.
    func noteSeen() {
        for id in level.visibleIDs {
            // Most pictures are not new, which is known without unpacking them.
            guard let section = level.section(id.section),
                section.pictures[id.index].isNew, let picture = level.picture(id),
                tiles.thumbnail(of: id) != nil || !picture.isDrawable
            else { continue }
            services.followed?.markSeen(picture) { [main = context.main] in
                main.post { section.unmark(picture.image, near: id.index) }
            }
        }
    }

    func isSeen(_ id: PictureID) -> Bool {
        level.number(of: id).map(level.visiblePictures.contains) ?? false
    }
}

/// The visible part of the gallery.
extension GalleryModel {
    func scene() -> GalleryScene {
        var elements: [GalleryScene.Element] = []
        let visible = level.visiblePictures
        for place in level.visibleBlocks {
            let block = level.layout.blocks[place]
            let section = level.section(ofBlock: place)
            if block.hasHeader, level.visibleRows.contains(block.firstRow) {
                elements.append(.header(header(section, block), line(block.firstRow)))
            }
            elements += visible.clamped(to: block.pictures).compactMap(element)
            let row = level.layout.noteRow(ofBlock: place)
            if block.hasNote, let note = section.note, level.visibleRows.contains(row) {
                elements.append(.note(note.text, isFailure: note.isFailure, line(row)))
            }
        }
        return GalleryScene(scrollRow: level.scrollRow, elements: elements, pane: paneScene)
    }

    /// Returns what a template says of a picture; nil without template.
    func text(of id: PictureID, _ template: String?) -> String? {
        template.map { level.values(of: id).filled($0) { _ in "" }.oneLine() }
    }

    private func header(_ section: Section, _ block: GalleryLayout.Block) -> HeaderScene {
        guard let heading = block.heading else {
            return HeaderScene(
                title: section.title, detail: section.detail, isLoading: section.isLoading)
        }
        let title = heading.contains("/") ? texts.shortened(heading) : texts.day(heading)
        return HeaderScene(title: title.oneLine(), detail: "\(block.count)", isLoading: false)
    }

    private func element(_ number: Int) -> GalleryScene.Element? {
        let id = level.id(ofPicture: number)
        guard let picture = level.picture(id) else { return nil }
        var frame = level.layout.frame(ofPicture: number)
        frame.y = screenRow(frame.y)
        let facts = tiles.thumbnail(of: id)?.facts
        var tile = TileScene(
            picture: playbacks[id]?.thumbnail.map(PictureScene.ready)
                ?? tiles.pictureScene(of: id),
            lines: [
                (picture.isRejected ? picture.summary : nil)
                    ?? text(of: id, options.labelTemplate) ?? picture.caption
            ],
            isSelected: id == level.selection, isAlbum: picture.kind == .album,
            isMarked: level.isMarked(picture, number: number), isNew: picture.isNew,
            isRejected: picture.isRejected,
            showsOnlyTop: facts.map { Fit.excess(of: $0.size) > 1 } ?? false,
            isAsLargeHere: picture.image.isFile ? nil : picture.twin.map { !$0.isSmaller },
            isAnimated: facts?.isAnimated == true || facts?.duration != nil,
            duration: facts?.duration.map { "\($0) " } ?? "")
        guard layout == .list else { return .tile(tile, frame) }
        let metrics = level.metrics
        tile.lines.append(
            texts.text(picture.kind == .album ? picture.place : picture.image))
        tile.details = picture.details(facts: tiles.facts(of: id, picture), texts)
        tile.failure = tiles.failure(of: id)?.description.oneLine()
        return .row(
            tile, thumbnailColumns: metrics.isPlain ? 0 : metrics.thumbnailBox.columns, frame)
    }

    private var paneScene: PaneScene? {
        guard let frame = level.metrics.paneFrame, let id = level.selection,
            let picture = level.picture(id)
        else { return nil }
        let ready = pane.thumbnail(of: id) ?? tiles.thumbnail(of: id)
        let facts =
            pane.facts(of: id, picture) ?? tiles.facts(of: id, picture)
        return PaneScene(
            picture: ready.map(PictureScene.ready) ?? pane.pictureScene(of: id),
            frame: frame,
            lines: [
                picture.caption,
                picture.details(facts: facts, texts).nonEmpty.joined(separator: " · "),
                picture.summary?.oneLine() ?? "", texts.text(picture.largest),
            ].nonEmpty,
            failure: (pane.failure(of: id) ?? tiles.failure(of: id))?.description.oneLine())
    }

    private func screenRow(_ row: Int) -> Int { row - level.scrollRow + display.body.y }

    private func line(_ row: Int) -> CellRect {
        CellRect(x: 0, y: screenRow(row), columns: level.metrics.listColumns, rows: 1)
    }
}
