import Basics
import Gallery
import Network
import Pipeline
import Raster
import Thumbnails

/// One picture over the whole body: the gallery's selected one, as large as the screen allows.
@MainActor final class ViewerModel {
    private(set) var isOpen = false
    private(set) var zoom = Zoom()
    let full: PictureRequests
    let preview: ViewerPreview
    /// The pages behind thumbnails; nil if there is nothing that reads them.
    let details: DetailRequests?
    /// Where full pictures may be that no page names.
    let guesses = FullSizeGuesses()
    var playback: Playback?
    /// Whether something covers the picture, so that it need not move.
    var isCovered = false

    let gallery: GalleryModel
    let display: DisplayState
    let context: BrowserContext
    var velocity = ScrollVelocity()
    /// The picture that Enter was pressed on, until another is turned to: should it prove to be an album, that is what was meant.
    private var openedPicture: PictureID?
    /// Ticks until the slideshow turns to the next picture; nil while there is none.
    private var ticksToNextPicture: Int?

    init(gallery: GalleryModel, context: BrowserContext) {
        self.gallery = gallery
        self.context = context
        display = context.display
        full = PictureRequests(context)
        preview = ViewerPreview(context)
        details = context.services.details.map { DetailRequests(loading: $0, main: context.main) }
        full.changed = { [weak self] in self?.fullPictureChanged($0) }
        details?.changed = { [weak self] in self?.detailChanged($0, $1) }
    }

    var level: GalleryLevel { gallery.level }

    func open(_ id: PictureID) {
        isOpen = true
        fit()
        openedPicture = id
    }

    /// Back to the gallery, where the picture viewed last is selected; false if it is not open.
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

    /// Forgets what is known of the pictures of a section that is loaded anew, or gone.
    func forget(section: Int) {
        full.forget(section: section)
        guesses.forget(section: section)
        details?.forget(section: section)
    }

    /// Runs a command of the viewer's own; false if it is none.
    func run(_ command: Command, count: Int?) -> Bool {
        let steps = count ?? 1
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
        case .zoomIn: zoom.zoom(by: steps)
        case .zoomOut: zoom.zoom(by: -steps)
        case .zoomFit: fit()
        default: return false
        }
        return true
    }

    /// Enter: into an album; a picture is open already, and closes.
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

    /// Shows the whole picture, and forgets how it was come to.
    func fit() {
        zoom = Zoom()
        openedPicture = nil
    }

    /// Turns to another picture; past the last one loaded, waits for the next page.
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

    /// Picture and body as width over height, in the same unit; the picture's from its file, else from its page.
    private var shape: Zoom.Shape {
        let body = display.body.size
        let shape = Double(body.columns) / (Double(body.rows) * display.style.cellAspect)
        let facts = level.selection.flatMap {
            full.thumbnail(of: $0) ?? gallery.tiles.thumbnail(of: $0)
        }?.facts
        let picture = level.selectedPicture
        let width = facts?.size.width ?? picture?.width?.count ?? 0
        let height = facts?.size.height ?? picture?.height?.count ?? 0
        guard width > 0, height > 0 else { return Zoom.Shape(picture: shape, body: shape) }
        return Zoom.Shape(picture: Double(width) / Double(height), body: shape)
    }

    var region: UnitRect { zoom.region(shape) }

    /// Ticks that a picture stays: five seconds, at ten ticks a second.
    private static let slideshowTicks = 50

    var hasSlideshow: Bool { ticksToNextPicture != nil }

    /// Shows one picture after the other, from the selected one, until a key is pressed.
    func startSlideshow() {
        guard level.selection != nil else { return }
        isOpen = true
        fit()
        ticksToNextPicture = Self.slideshowTicks
        display.show(message: "slideshow: any key stops it")
    }

    /// False if none is running.
    func stopSlideshow() -> Bool {
        guard hasSlideshow else { return false }
        ticksToNextPicture = nil
        display.show(message: "slideshow stopped")
        return true
    }

    /// Counts a tick; a picture still on its way is waited for, so that each is seen.
    func tickSlideshow() {
        guard let ticks = ticksToNextPicture else { return }
        if ticks > 1 {
            ticksToNextPicture = ticks - 1
            return
        }
        guard let id = level.selection, !isLoadingFull(id), gallery.awaited == nil else { return }
        ticksToNextPicture = Self.slideshowTicks
        display.stateChanged()
        if level.selectedNumber == level.layout.pictureCount - 1, !level.sections.mayGrow {
            ticksToNextPicture = nil
            display.show(message: "this is the last picture")
        } else {
            display.show(message: "")
            turn(by: 1)
        }
    }

    private func fullPictureChanged(_ id: PictureID) {
        // A guess that failed makes room for the next one.
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
