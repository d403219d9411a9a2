import Basics
import Gallery
import Network
import Raster
import Thumbnails

/// The viewer: the gallery's selected picture as large as the screen allows.
@MainActor final class ViewerModel: ContextSharing {
    private(set) var isOpen = false
    /// Whether it is open since the start, so that `q` leaves the program from there.
    private(set) var isOpenSinceStart = false
    private(set) var zoom = Zoom()
    /// The fit that each picture starts with.
    private(set) var fit = Zoom.Fit.screen
    /// Whether the zoom is that of the fit, also once the picture's own size is known, rather than the user's.
    private(set) var followsFit = true
    /// Whether zoom and place stay when another picture is shown.
    private var keepsView = false
    /// What is shown beside each picture.
    private(set) var pairing: Pairing? {
        get { comparesMarked ? .marked : level.reading.pairing }
        set {
            comparesMarked = false
            level.reading.pairing = newValue
        }
    }
    private var comparesMarked = false
    /// Whether of two pictures that are compared only the selected one is seen.
    private(set) var showsOne = false
    /// The marked picture that is compared with the selected one.
    var markedPartner: PictureID?
    private(set) var rotation = Turn()
    /// The parts of pictures without such borders, as first found, since pictures of other sizes differ in a pixel.
    private var contents: [PictureID: UnitRect] = [:]

    /// Which two pictures are shown side by side.
    enum Pairing: String {
        /// Two pages, the first one on the left, or on the right.
        case spread = "ltr"
        case rightToLeft = "rtl"
        /// A marked picture and the next one, with one zoom.
        case marked
        /// An old picture and the new one, which is followed by their difference.
        case versions
        /// Pages below each other without gaps, each as wide as the screen.
        case strip
    }

    /// How far the selected page of a strip has been scrolled off the screen, in parts of its height.
    var scrolledPart = 0.0
    let full: PictureRequests
    /// Requests the thumbnails of the filmstrip.
    let filmstrip: PictureRequests
    private(set) var isFilmstripShown = false
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
    let context: BrowserContext
    var velocity = ScrollVelocity()
    /// The picture opened with Enter, until another is shown: if it turns out to be an album, the album is opened.
    private var openedPicture: PictureID?
    /// The picture that is shown since `beginPicture`.
    var begun: Address?
    private var slideshow = Slideshow()

    init(gallery: GalleryModel, context: BrowserContext) {
        self.gallery = gallery
        self.context = context
        full = PictureRequests(context)
        filmstrip = PictureRequests(context)
        plays = context.options.isAnimated
        preview = ViewerPreview(context)
        details = context.services.details.map { DetailRequests(loading: $0, main: context.main) }
        filmstrip.changed = { [display] _ in display.needsDisplay = true }
        full.found = { [weak self, gallery] in
            gallery.record($1, of: $0)
            self?.contents[$0.id] = self?.contents[$0.id] ?? $1.content
        }
        full.changed = { [weak self] id in
            guard let self else { return }
            // After a failed guess, the next one can be tried.
            display.needsUpdate = true
            if isOpen, id == level.selection || pairing != nil { display.needsDisplay = true }
        }
        details?.changed = { [weak self] in self?.detailChanged($0, $1) }
    }

    var level: GalleryLevel { gallery.level }

    /// Shows the selected picture, if there is one.
    func open(atStart isStart: Bool = false) {
        guard let id = level.selection else { return }
        level.opensFirst = false
        isOpen = true
        isOpenSinceStart = isStart
        beginPicture()
        // Its end could not be seen.
        if level.rangeStart != nil { show(level.markRange()) }
        openedPicture = id
    }

    /// Returns to the gallery with the viewed picture selected; returns false if the viewer is not open.
    @discardableResult
    func close() -> Bool {
        defer { isOpen = false }
        isOpenSinceStart = false
        slideshow.stop()
        comparesMarked = false
        level.opensFirst = false
        return isOpen
    }

    func enter(_ album: Picture) {
        gallery.openAlbum(album)
        close()
    }

    /// Forgets the pictures of a section that is gone or being reloaded.
    func forget(section: Int) {
        contents = [:]
        guesses.forget(section: section)
        details?.forget(section: section)
    }

    /// Begins to show another picture: unrotated, and fitted like the one before, or with the same zoom and place.
    func beginPicture(at edge: Zoom.Edge? = nil) {
        rotation = Turn()
        scrolledPart = 0
        showsOne = false
        openedPicture = nil
        begun = level.selectedPicture?.image
        if keepsView { return }
        followsFit = true
        // At 100 %, the same part of two pictures can be compared.
        if let edge = edge ?? (fit == .actualSize ? nil : .top) { zoom.show(edge) }
    }

    /// Whether two pages are shown side by side.
    var showsSpreads: Bool { pairing == .spread || pairing == .rightToLeft }

    /// Shows spreads in the direction named, or single pages again if the name is empty or `off`.
    func showSpreads(_ name: String) {
        display.choice(
            name, among: ["off", "ltr", "rtl"], after: showsSpreads ? "rtl" : "off", named: \.self
        ).map { show(Pairing(rawValue: $0), "two pages") }
    }

    func toggleStrip() { show(pairing == .strip ? nil : .strip, "one strip: Space scrolls") }

    private func show(_ pairing: Pairing?, _ message: String) {
        self.pairing = pairing
        beginPicture()
        show(pairing == nil ? "single pages" : message)
    }

    /// Shows the marked pictures side by side, two at a time.
    func compareMarked() {
        if comparesMarked { return comparesMarked = false }
        guard level.marks.count > 1 else {
            return show("mark two pictures to compare them")
        }
        if let picture = level.selectedPicture, !level.marks.contains(picture.image) {
            level.goToMarked(step: 1)
        }
        comparesMarked = true
        isOpen = true
        beginPicture()
    }

    /// Shows one of two pictures that are compared, then the other one in its place.
    func blink() {
        guard let number = level.selectedNumber, let other = partner(of: number) else {
            return show("nothing is beside this picture")
        }
        if showsOne { showHere(other) }
        showsOne = true
    }

    /// Shows the difference of two versions, then these again.
    func showDifference() {
        guard pairing == .versions, let number = level.selectedNumber else {
            return show("--compare shows differences")
        }
        let versions = spread(around: number)
        showHere(number == versions.last ? versions.lowerBound : versions.upperBound - 1)
        showsOne = false
    }

    /// Shows another picture with the same zoom and place.
    func showHere(_ number: Int) {
        level.select(number: number)
        begun = level.selectedPicture?.image
    }

    /// Returns by how many pictures to go in order to turn `steps` pages or spreads.
    private func pictures(in steps: Int) -> Int {
        guard showsSpreads || pairing == .versions, let start = level.selectedNumber else {
            return steps
        }
        var number = start
        for _ in 0..<min(abs(steps), 100) {
            let pages = spread(around: number)
            number =
                steps > 0
                ? pages.upperBound : spread(around: max(0, pages.lowerBound - 1)).lowerBound
        }
        return number - start
    }

    func toggleKeepingView() {
        display.toggle(&keepsView, "zoom and place stay", "each picture is fitted")
    }

    func toggleCropping() {
        display.toggle(&level.reading.cropsBorders, "borders are cropped", "whole pictures")
        setFit(fit)
    }

    func invert() {
        display.toggle(&level.reading.tone.isInverted, "inverted", "as the pictures are")
    }

    /// Sets the brightness, or changes it by a number with a sign; without a number it is the picture's.
    func setBrightness(_ text: String) {
        guard text.isEmpty || Int(text) != nil else { return show("\(text) is no number") }
        let before = text.hasPrefix("+") || text.hasPrefix("-") ? level.reading.tone.brightness : 0
        level.reading.tone.brightness = before + min(max(Int(text) ?? 0, -200), 200)
        show("brightness \(level.reading.tone.brightness) %")
    }

    func setGamma(_ text: String) {
        guard text.isEmpty || Double(text)?.isFinite == true else {
            return show("\(text) is no number")
        }
        level.reading.tone.gamma = Double(text) ?? 1
        show("gamma \(level.reading.tone.gamma)")
    }

    /// Returns the part of a picture to be seen: without its borders if they are cropped, except in a strip or once it is turned.
    func content(of id: PictureID) -> UnitRect {
        let isCropped = level.reading.cropsBorders && pairing != .strip && rotation == Turn()
        return isCropped ? contents[id] ?? .whole : .whole
    }

    func setFit(_ fit: Zoom.Fit) {
        self.fit = fit
        followsFit = true
        if fit == .width { zoom.show(.top) } else { zoom.pan(x: 0, y: 0, ratios: ratios) }
        _ = adaptZoom()
    }

    /// Adapts the zoom to the fit, as the picture's size may have become known; returns whether it changed.
    func adaptZoom() -> Bool {
        guard followsFit, let factor = fitFactor(ratios) else { return false }
        let before = zoom.factor
        zoom.set(factor)
        return zoom.factor != before
    }

    /// Returns the factor at which a picture with these ratios has the fit; nil while it is unknown.
    func fitFactor(_ ratios: Zoom.Ratios) -> Double? {
        switch fit {
        case .screen: 1
        case .width: ratios.widthFactor
        case .height: ratios.heightFactor
        case .actualSize: fittingScale.map { 1 / $0 }
        }
    }

    /// Says that a strip is neither turned nor zoomed; returns false if none is shown.
    private func refuseInStrip() -> Bool {
        if pairing == .strip { show("a strip is as wide as the screen") }
        return pairing == .strip
    }

    func rotate(by quarters: Int) {
        if refuseInStrip() { return }
        rotation.rotate(by: quarters)
        zoom = Zoom()
        setFit(fit)
    }

    func flip(isVertical: Bool) {
        if !refuseInStrip() { rotation.flip(isVertical: isVertical) }
    }

    func togglePlaying() {
        guard isAnimated else { return show("this picture is not animated") }
        display.toggle(&plays, "", "paused")
    }

    func showNextFrame() {
        guard isAnimated else { return show("this picture is not animated") }
        plays = false
        playback = nextPlayback(of: level.selection.flatMap(full.want), isPaused: true)
        playback?.step()
    }

    private var isAnimated: Bool {
        level.selection.flatMap { full.thumbnail(of: $0) }?.facts.isAnimated == true
    }

    func toggleFilmstrip() {
        isFilmstripShown.toggle()
        if isFilmstripShown, filmstripRows == 0 { show("no room for the filmstrip here") }
    }

    func zoomIn(by steps: Int) {
        if refuseInStrip() { return }
        let before = zoom.factor
        followsFit = false
        zoom.zoom(by: steps, ratios: ratios)
        guard zoom.factor == before else { return }
        show(steps > 0 ? "no larger" : "the whole picture is visible")
    }

    /// Zooms around the pointer.
    func zoom(by steps: Int, x: Int, y: Int) {
        let area = area
        followsFit = false
        zoom.zoom(
            by: steps,
            at: (
                (Double(x - area.x) + 0.5) / Double(area.columns),
                (Double(y - area.y) + 0.5) / Double(area.rows)
            ), ratios: ratios)
    }

    /// Shows the picture clicked in the filmstrip.
    func click(x: Int, y: Int) {
        guard let place = filmstripScene.firstIndex(where: { $0.frame.contains(x: x, y: y) }) else {
            return
        }
        level.select(number: filmstripPictures.lowerBound + place)
    }

    /// Moves the zoomed picture with the pointer.
    func drag(columns: Int, rows: Int) {
        guard zoom.isZoomed else { return }
        let size = area.size
        zoom.pan(
            x: -Double(columns) / Double(size.columns), y: -Double(rows) / Double(size.rows),
            ratios: ratios)
    }

    /// Pans sideways; shows another picture if the whole width is visible.
    func moveSideways(by steps: Int) {
        if region.width < 1 {
            zoom.pan(x: Double(steps) / 8, y: 0, ratios: ratios)
        } else {
            turnPage(by: pairing == .rightToLeft ? -steps : steps)
        }
    }

    /// Scrolls by a part of the screen; at the end of the picture turns to the next one's top, at its top to the previous one's end.
    func scroll(_ steps: Int, by part: Double) {
        if pairing == .strip { return scrollStrip(by: Double(steps) * part) }
        let seen = region
        let isAtEnd = steps > 0 ? seen.y + seen.height > 0.999 : seen.y < 0.001
        if seen.height == 1 {
            turnPage(by: steps)
        } else if isAtEnd {
            turnPage(by: steps.signum(), at: steps < 0 ? .bottom : .top)
        } else {
            zoom.pan(x: 0, y: Double(steps) * part, ratios: ratios)
        }
    }

    /// Selects the picture with this number, or the last one.
    func go(to number: Int?) {
        beginPicture()
        gallery.goToLast(number)
    }

    /// Shows another picture; beyond the last loaded one, waits for the next page.
    func turnPage(by steps: Int, at edge: Zoom.Edge? = nil) {
        gallery.go(pictures(in: steps)) { [weak self] steps in
            guard let self, let number = level.selectedNumber else { return 0 }
            let shown = spread(around: number)
            let rest = level.move(by: steps)
            let isAtEnd = steps > 0 && rest == 0 && level.selectedNumber.map(shown.contains) == true
            // The volumes of a comic are read one after the other.
            if isAtEnd, pairing != .marked, gallery.openNextAlbum() { return 0 }
            show(isAtEnd ? "this is the last picture" : "")
            if level.selectedNumber != number { beginPicture(at: edge) }
            return rest
        }
    }

    var hasSlideshow: Bool { slideshow.isRunning }

    /// Starts a slideshow at the selected picture; each one is shown for `seconds` until a key is pressed.
    func startSlideshow(seconds: Int?) {
        guard level.selection != nil else { return }
        isOpen = true
        beginPicture()
        slideshow.start(seconds: seconds)
        show("slideshow, \(slideshow.seconds) s each: n p skip, P pauses")
    }

    /// A reminder that a slideshow is running; nil if none is.
    var slideshowHint: String? { hasSlideshow ? "slideshow \(slideshow.seconds) s" : nil }

    /// Shows another picture for the full time.
    func continueSlideshow(by steps: Int) {
        slideshow.start(seconds: nil)
        turnPage(by: steps)
    }

    func stopSlideshow(isPause: Bool) {
        slideshow.stop()
        show(isPause ? "slideshow paused: P resumes it" : "slideshow stopped")
    }

    func tickSlideshow() {
        guard let id = level.selection else { return }
        let isShown = !isLoadingFull(id) && gallery.pendingMove == nil
        guard slideshow.tick(isShown: isShown) else { return }
        display.stateChanged()
        if !level.marks.isEmpty {
            level.goToMarked(step: 1)
        } else if level.selectedNumber == level.pictureCount - 1, !level.mayGrow {
            slideshow.stop()
            show("this is the last picture")
        } else {
            show("")
            turnPage(by: 1)
        }
    }

    private func detailChanged(_ id: PictureID, _ detail: Detail?) {
        for level in gallery.levels {
            guard let section = level.section(id.section) else { continue }
            if let detail { section.adopt(detail, at: id.index) }
            level.invalidateLayout()
        }
        display.needsUpdate = true
        guard isOpen, id == level.selection else { return }
        display.needsDisplay = true
        guard detail == .album, let album = level.picture(id) else { return }
        if openedPicture == id {
            enter(album)
        } else {
            show("an album: Enter opens it")
        }
    }
}
