import Basics
import Gallery
import Network
import Pipeline
import Raster
import Thumbnails

/// The viewer: the gallery's selected picture as large as the screen allows.
@MainActor final class ViewerModel {
    private(set) var isOpen = false
    private(set) var zoom = Zoom()
    private(set) var turn = Turn()
    let full: PictureRequests
    /// Requests the thumbnails of the filmstrip.
    let strip: PictureRequests
    private(set) var isStripShown = false
    /// Whether the zoom stays at 100 %, also once the picture's own size is known.
    private var isActualSize = false
    /// Whether animated pictures play.
    private(set) var plays: Bool
    let preview: ViewerPreview
    /// Requests the detail pages behind thumbnails; nil if no service reads them.
    let details: DetailRequests?
    /// Guesses the addresses of full pictures that no page names.
    let guesses = FullSizeGuesses()
    var playback: Playback?
    /// Whether an overlay covers the picture, which pauses playback.
    var isCovered = false

    let gallery: GalleryModel
    let display: DisplayState
    let context: BrowserContext
    var velocity = ScrollVelocity()
    /// The picture opened with Enter, until another is shown: if it turns out to be an album, the album is opened.
    private var openedPicture: PictureID?
    private var slideshow = Slideshow()

    init(gallery: GalleryModel, context: BrowserContext) {
        self.gallery = gallery
        self.context = context
        display = context.display
        full = PictureRequests(context)
        strip = PictureRequests(context)
        plays = context.options.isAnimated
        preview = ViewerPreview(context)
        details = context.services.details.map { DetailRequests(loading: $0, main: context.main) }
        strip.changed = { [display] _ in display.needsDisplay = true }
        full.found = { [gallery] in gallery.note($0, $1) }
        full.changed = { [weak self] in self?.fullPictureChanged($0) }
        details?.changed = { [weak self] in self?.detailChanged($0, $1) }
    }

    var level: GalleryLevel { gallery.level }

    func open(_ id: PictureID) {
        isOpen = true
        fit()
        openedPicture = id
    }

    /// Returns to the gallery with the viewed picture selected; returns false if the viewer is not open.
    @discardableResult
    func close() -> Bool {
        defer { isOpen = false }
        if isOpen { fit() }
        return isOpen
    }

    func enter(_ album: Picture) {
        gallery.openAlbum(album)
        close()
    }

    /// Forgets the pictures of a section that is gone or being reloaded.
    func forget(section: Int) {
        full.forget(section: section)
        strip.forget(section: section)
        guesses.forget(section: section)
        details?.forget(section: section)
    }

    /// Runs a command of the viewer; returns false if it is not one.
    func run(_ command: Command, count: Int?) -> Bool {
        let steps = count ?? 1
        if [.zoomIn, .zoomOut, .zoomFit, .fitWidth, .fitHeight].contains(command) {
            isActualSize = false
        }
        switch command {
        case .nextPicture: turn(by: steps)
        case .previousPicture: turn(by: -steps)
        case .left: panOrTurn(x: -steps, y: 0)
        case .right: panOrTurn(x: steps, y: 0)
        case .up: panOrTurn(x: 0, y: -steps)
        case .down: panOrTurn(x: 0, y: steps)
        case .first, .last:
            fit()
            gallery.run(command, count: count)
        case .open: openAlbumOrClose()
        case .zoomIn: zoomIn(by: steps)
        case .zoomOut: zoomIn(by: -steps)
        case .zoomFit: zoom = Zoom()
        case .fitWidth: zoom.set(shape.widthFactor)
        case .fitHeight: zoom.set(shape.heightFactor)
        case .actualSize:
            isActualSize = true
            _ = followActualSize()
        case .filmstrip: toggleStrip()
        default: return look(command, steps)
        }
        return true
    }

    /// Runs a command for rotation, flipping or playback; returns false if it is not one.
    private func look(_ command: Command, _ steps: Int) -> Bool {
        switch command {
        case .rotateRight: rotate(by: steps)
        case .rotateLeft: rotate(by: -steps)
        case .flip: turn.flip(isVertical: false)
        case .flipVertical: turn.flip(isVertical: true)
        case .play: togglePlaying()
        case .nextFrame: showNextFrame()
        default: return false
        }
        return true
    }

    private func rotate(by quarters: Int) {
        turn.rotate(by: quarters)
        zoom = Zoom()
        isActualSize = false
    }

    private func togglePlaying() {
        guard isAnimated else { return display.show(message: "this picture is not animated") }
        plays.toggle()
        display.show(message: plays ? "" : "paused")
    }

    private func showNextFrame() {
        guard isAnimated else { return display.show(message: "this picture is not animated") }
        plays = false
        playback = playback ?? level.selection.flatMap(full.want).flatMap(player)
        playback?.step()
    }

    private var isAnimated: Bool {
        level.selection.flatMap { full.thumbnail(of: $0) }?.facts.isAnimated == true
    }

    private func toggleStrip() {
        isStripShown.toggle()
        if isStripShown, stripRows == 0 { display.show(message: "no room for the filmstrip here") }
    }

    /// Restores 100 %, as a smaller size may have stood in when it was requested; returns whether the zoom changed.
    func followActualSize() -> Bool {
        guard isActualSize, let scale = fittingScale else { return false }
        let before = zoom.factor
        zoom.set(1 / scale)
        return zoom.factor != before
    }

    private func zoomIn(by steps: Int) {
        let before = zoom.factor
        zoom.zoom(by: steps, shape: shape)
        guard zoom.factor == before else { return }
        display.show(message: steps > 0 ? "no larger" : "the whole picture is visible")
    }

    /// Zooms around the pointer.
    func zoom(by steps: Int, x: Int, y: Int) {
        let area = area
        isActualSize = false
        zoom.zoom(
            by: steps,
            at: (
                (Double(x - area.x) + 0.5) / Double(area.size.columns),
                (Double(y - area.y) + 0.5) / Double(area.size.rows)
            ), shape: shape)
    }

    /// Shows the picture clicked in the filmstrip.
    func click(x: Int, y: Int) {
        guard let place = stripScene.firstIndex(where: { $0.frame.contains(x: x, y: y) }) else {
            return
        }
        fit()
        level.select(number: stripPictures.lowerBound + place)
    }

    /// Moves the zoomed picture with the pointer.
    func drag(columns: Int, rows: Int) {
        guard zoom.isZoomed else { return }
        let size = area.size
        zoom.pan(
            x: -Double(columns) / Double(size.columns), y: -Double(rows) / Double(size.rows),
            shape: shape)
    }

    /// Handles Enter: opens an album, or closes the viewer.
    private func openAlbumOrClose() {
        if let picture = level.selectedPicture, picture.kind == .album {
            enter(picture)
        } else {
            close()
        }
    }

    private func panOrTurn(x: Int, y: Int) {
        if zoom.isZoomed {
            zoom.pan(x: x, y: y, shape: shape)
        } else {
            turn(by: x + y)
        }
    }

    /// Shows the whole picture unrotated, and forgets how it was opened.
    func fit() {
        zoom = Zoom()
        turn = Turn()
        isActualSize = false
        openedPicture = nil
    }

    /// Shows another picture; beyond the last loaded one, waits for the next page.
    private func turn(by steps: Int) {
        fit()
        gallery.go(steps) { [weak self] steps in
            guard let self, let number = level.selectedNumber else { return 0 }
            let rest = level.move(by: steps)
            let isAtEnd = steps > 0 && rest == 0 && level.selectedNumber == number
            display.show(message: isAtEnd ? "this is the last picture" : "")
            return rest
        }
    }

    var hasSlideshow: Bool { slideshow.isRunning }

    /// Starts a slideshow at the selected picture; each one is shown for `seconds` until a key is pressed.
    func startSlideshow(seconds: Int?) {
        guard level.selection != nil else { return }
        isOpen = true
        fit()
        slideshow.start(seconds: seconds)
        display.show(
            message: "slideshow, \(slideshow.seconds) s each: P pauses, any other key stops it")
    }

    func stopSlideshow(isPause: Bool) {
        slideshow.stop()
        display.show(message: isPause ? "slideshow paused: P resumes it" : "slideshow stopped")
    }

    func tickSlideshow() {
        guard let id = level.selection else { return }
        let isShown = !isLoadingFull(id) && gallery.awaited == nil
        guard slideshow.tick(isShown: isShown) else { return }
        display.stateChanged()
        if level.selectedNumber == level.layout.pictureCount - 1, !level.sections.mayGrow {
            slideshow.stop()
            display.show(message: "this is the last picture")
        } else {
            display.show(message: "")
            turn(by: 1)
        }
    }

    private func fullPictureChanged(_ id: PictureID) {
        // After a failed guess, the next one can be tried.
        display.needsUpdate = true
        if isOpen, id == level.selection { display.needsDisplay = true }
    }

    private func detailChanged(_ id: PictureID, _ detail: Detail?) {
        for level in gallery.levels {
            guard let section = level.sections.section(id.section) else { continue }
            if let detail { section.adopt(detail, at: id.index) }
            level.sectionsChanged()
        }
        display.needsUpdate = true
        guard isOpen, id == level.selection else { return }
        display.needsDisplay = true
        guard detail == .album, let album = level.sections.picture(id) else { return }
        if openedPicture == id {
            enter(album)
        } else {
            display.show(message: "an album: Enter opens it")
        }
    }
}
