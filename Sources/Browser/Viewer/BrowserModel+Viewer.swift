import Gallery
import Pipeline
import Raster
import Thumbnails

extension BrowserModel {
    /// Runs a command on the viewer.
    func runInViewer(_ command: Command, count: Int?) {
        let steps = count ?? 1
        viewer?.awaitsNext = false
        switch command {
        case .nextPicture: turn(by: steps)
        case .previousPicture: turn(by: -steps)
        case .left: panOrTurn(x: -steps, y: 0)
        case .right: panOrTurn(x: steps, y: 0)
        case .up: panOrTurn(x: 0, y: -steps)
        case .down: panOrTurn(x: 0, y: steps)
        case .first: go(to: count ?? 1, thenFit: true)
        case .last: go(to: count, thenFit: true)
        case .open: openAlbumOrClose()
        case .zoomIn: viewer?.zoom(by: steps)
        case .zoomOut: viewer?.zoom(by: -steps)
        case .zoomFit: viewer?.fit()
        default: runAnywhere(command)
        }
    }

    /// Enter: into an album; a picture is open already, and closes.
    private func openAlbumOrClose() {
        if level.selection.flatMap(level.sections.picture)?.kind == .album {
            open()
        } else {
            closeViewer()
        }
    }

    private func panOrTurn(x: Int, y: Int) {
        if viewer?.isZoomed == true {
            viewer?.pan(x: x, y: y, shape: viewerShape())
        } else {
            turn(by: x + y)
        }
    }

    private func go(to number: Int?, thenFit: Bool) {
        viewer?.fit()
        go(to: number)
    }

    /// Turns to another picture; past the last one loaded, waits for the next page.
    func turn(by steps: Int) {
        guard let number = level.selectedNumberNow else { return }
        viewer?.fit()
        level.move(by: steps)
        let isAtEnd = number == level.layout.pictureCount - 1
        if steps > 0, isAtEnd {
            awaitNext()
        }
    }

    private func awaitNext() {
        let growing = level.sections.sections.filter(\.mayGrow)
        guard !growing.isEmpty else {
            return show(message: "this is the last picture")
        }
        viewer?.awaitsNext = true
        for section in growing {
            section.pager?.advance()
        }
        show(message: "loading more…")
    }

    /// Turns to the next picture if the reader asked for it before its page was there.
    func goOnIfAwaited() {
        guard viewer?.awaitsNext == true, let number = level.selectedNumberNow else { return }
        if number + 1 < level.layout.pictureCount {
            message = ""
            viewer?.fit()
            level.move(by: 1)
        } else if !level.sections.sections.contains(where: \.mayGrow) {
            viewer?.awaitsNext = false
            // A page that failed has its dialog.
            message = failureQueue.first == nil ? "this is the last picture" : ""
        }
    }

    /// Back to the gallery, where the picture viewed last is selected.
    func closeViewer() {
        viewer = nil
        details?.update([])
        full.update([])
        preview.show(nil)
    }

    /// The rows between top and bottom line.
    var body: CellRect {
        CellRect(x: 0, y: 1, columns: size.columns, rows: max(1, size.rows - 2))
    }

    /// Picture and body as width over height, in the same unit.
    func viewerShape() -> Viewer.Shape {
        let rows = Double(body.size.rows) * style.cellAspect
        let shape = Double(body.size.columns) / rows
        return Viewer.Shape(picture: selectedShape() ?? shape, body: shape)
    }

    /// Width over height of the selected picture, from its file, else from its page.
    private func selectedShape() -> Double? {
        guard let id = level.selection else { return nil }
        let facts = (full.thumbnail(of: id) ?? tiles.thumbnail(of: id))?.facts
        let picture = level.sections.picture(id)
        let width = facts?.size.width ?? picture?.width ?? 0
        let height = facts?.size.height ?? picture?.height ?? 0
        guard width > 0, height > 0 else { return nil }
        return Double(width) / Double(height)
    }

    /// Tells the loader which pictures the viewer shows: this one, then the next, then the previous; and as stand-ins
    /// the thumbnails of this one and of those a few turns ahead.
    func requestViewerPictures() {
        guard let viewer, let number = level.selectedNumberNow else { return }
        requestDetails([number, number + level.direction])
        var restDue: Double?
        repeat {
            let wants = [
                viewerWant(number, region: viewer.region(viewerShape()), priority: .urgent),
                viewerWant(number + level.direction, region: .whole, priority: .prefetch),
                viewerWant(number - level.direction, region: .whole, priority: .idle),
            ]
            restDue = requestFull(wants.compactMap(\.self), number: number)
        } while judgeGuesses([number, number + level.direction])
        preview.show(previewRequest(level.id(ofPicture: number)))
        let ahead = (1...3).map { tileWant(number + $0 * level.direction, priority: .prefetch) }
        tiles.update(
            ([tileWant(number, priority: .visible)] + ahead).compactMap(\.self), restDue: restDue)
        settleDue = [full.settleDue, tiles.settleDue].compactMap(\.self).min()
    }

    /// What is to be seen of a picture while it is on its way; nil once it is there, or while it is only guessed where it is.
    private func previewRequest(_ id: PictureID) -> ThumbnailRequest? {
        guard case .loading = full.state(of: id), fullSizeGuess(of: id) == nil,
            var request = full.want(of: id)?.request
        else { return nil }
        request.standIn = tileWant(id, priority: .visible)?.request.address
        return request
    }

    func exists(_ number: Int) -> Bool {
        number >= 0 && number < level.layout.pictureCount
    }

    private func tileWant(_ number: Int, priority: Priority) -> PictureRequests.Want? {
        exists(number) ? tileWant(level.id(ofPicture: number), priority: priority) : nil
    }

    private func viewerWant(
        _ number: Int, region: UnitRect, priority: Priority
    ) -> PictureRequests.Want? {
        guard exists(number) else { return nil }
        let id = level.id(ofPicture: number)
        // Its thumbnail stands in until it is known where the full picture is.
        guard level.sections.picture(id)?.kind == .picture, !awaitsDetail(id) else { return nil }
        let guess = fullSizeGuess(of: id)
        // Nothing is guessed for a picture that was left behind.
        if guess != nil, priority == .idle { return nil }
        return want(
            id, box: body.size, region: region, isFull: true, guess: guess?.address,
            priority: priority)
    }
}
