public import Basics
public import Gallery
public import Pipeline
public import Raster
public import Thumbnails
public import Trace

/// The view model of the whole program: routes inputs to the models of gallery, viewer, prompt, dialogs and saving.
///
/// Knows no terminal. Inputs and results change the state at once; `update()` then settles what follows from that, and
/// `scene()` only describes the state.
@MainActor public final class BrowserModel {
    /// Whether a spinner, or a number of transfers, is on the screen, or a slideshow goes on: as of the last `update`.
    public private(set) var isAnimating = false

    let gallery: GalleryModel
    let viewer: ViewerModel
    let prompt: PromptModel
    let dialogs: DialogsModel
    let saving: SavingModel
    let display: DisplayState
    let context: BrowserContext
    var count = CountPrefix()
    /// Looks for the place that is to be opened.
    var placeRequest: MainRequest?
    var copyRequest: MainRequest?
    /// Whether the key that is answered was pressed by hand: others may not save, quit or open.
    var isDeliberate = true
    /// The command that waits for the terminal to be free.
    var commandWords: [String] = []
    private(set) var spinnerPhase = 0
    private var isSpinning = false
    /// What must stay in memory, as the loader was last told.
    private var pinned: [ThumbnailRequest] = []

    /// One section for each source; nothing is loaded before `start`.
    ///
    /// `clock` tells seconds since any moment.
    public init(
        sources: [Source], options: BrowserOptions, pages: any PageLoading,
        thumbnails: any ThumbnailLoading, main: any MainScheduling, tracer: Tracer,
        services: BrowserServices = BrowserServices(),
        clock: @escaping () -> Double = { SteadyClock.now }
    ) {
        let display = DisplayState(style: options.style)
        self.display = display
        context = BrowserContext(
            options: options, services: services, display: display, thumbnails: thumbnails,
            main: main, clock: clock, tracer: tracer, texts: LocalTexts(home: options.home))
        gallery = GalleryModel(sources: sources, pages: pages, context: context)
        viewer = ViewerModel(gallery: gallery, context: context)
        dialogs = DialogsModel(context)
        prompt = PromptModel(gallery: gallery, dialogs: dialogs, context: context)
        saving = SavingModel(context)
        gallery.sectionChanged = { [weak self] in self?.sectionChanged($0) }
        gallery.sectionForgotten = { [dialogs, viewer] id in
            dialogs.ask(about: nil, ofSection: id)
            viewer.forget(section: id)
        }
        saving.saved = { [gallery] picture in
            for level in gallery.levels { level.marks.remove(picture.image) }
        }
        gallery.tiles.changed = { [weak self] in self?.tileChanged($0) }
        gallery.pane.changed = { [display] _ in display.stateChanged() }
    }

    /// Loads the first pages.
    public func start() { gallery.start() }

    /// How pictures are drawn now.
    public var style: RenderStyle { display.style }

    /// Tells the size of the screen, and how tall a cell is against its width; keeps the selection in view.
    public func resize(to size: CellSize, cellAspect: Double) {
        display.size = CellSize(columns: max(1, size.columns), rows: max(1, size.rows))
        // Terminals report nonsense; no font is flatter than square or taller than this.
        display.style.cellAspect = (0.5...8).contains(cellAspect) ? cellAspect : 2
        gallery.relayout()
    }

    /// Draws pictures anew for the background, colours, blocks and cells of the terminal; until they are there the old ones stay.
    ///
    /// Blocks, depth and graphics that the user has chosen meanwhile stay, too. `pixelForms` are all that can be shown,
    /// `graphicsHint` is what would let there be some where there are none.
    public func adopt(
        _ surroundings: RenderStyle, pixelForms: [PixelForm] = [], graphicsHint: String = ""
    ) {
        let isChosen = style.pixels?.graphics != display.suggested.pixels?.graphics
        let graphics = (isChosen ? style : surroundings).pixels?.graphics
        display.pixelForms = [nil] + pixelForms
        display.graphicsHint = pixelForms.isEmpty ? graphicsHint : ""
        display.style.pixels = pixelForms.first { $0.graphics == graphics }
        if style.depth == display.suggested.depth { display.style.depth = surroundings.depth }
        if style.blocks == display.suggested.blocks { display.style.blocks = surroundings.blocks }
        display.suggested = surroundings
        display.style.background = surroundings.background
        display.style.systemColors = surroundings.systemColors
        resize(to: display.size, cellAspect: surroundings.cellAspect)
    }

    /// Shows `text` on the bottom line until the next key.
    public func show(message text: String) { display.show(message: text) }

    /// Notes what holds the processes that decode pictures, for the panel of facts.
    public func show(decoders text: String) {
        display.decoders = text
        display.needsDisplay = true
    }

    /// The smallest screen that shows more than a text.
    static let smallest = CellSize(columns: 24, rows: 6)

    var isTooSmall: Bool {
        display.size.columns < Self.smallest.columns || display.size.rows < Self.smallest.rows
    }

    /// Moves the spinners on by one, and the slideshow; called about ten times a second while `isAnimating`.
    public func tick() {
        guard isAnimating else { return }
        if isSpinning {
            spinnerPhase &+= 1
            display.needsDisplay = true
        }
        viewer.tickSlideshow()
    }

    /// When `update` has something to do although nothing has happened, in seconds of a steady clock: pictures will
    /// have been seen for long enough to be asked for; nil if none waits for that.
    public var updateDue: Double? {
        isTooSmall ? nil : [gallery.updateDue, viewer.updateDue].compactMap(\.self).min()
    }

    /// When the viewer's animation goes on, in seconds of a steady clock; nil while it stands still.
    public var frameDue: Double? { viewer.playback?.due }

    /// Shows the animation's next frame if it is due; tells the time by the clock of `frameDue`.
    public func showDueFrame(at now: Double) { viewer.playback?.advance(at: now) }

    /// Whether anything visible has changed since `didDisplay`.
    public var needsDisplay: Bool { display.needsDisplay }

    /// Notes that the scene of this moment has been drawn.
    public func didDisplay() { display.needsDisplay = false }

    /// Settles what follows from the state: pages in reach, pictures wanted, what stays in memory, playback.
    ///
    /// To be called once after each batch of inputs and results, whether or not a frame is due; costs next to nothing when
    /// nothing has changed. Pictures in memory are in the very next frame.
    public func update() {
        if let due = updateDue, due <= context.clock() { display.stateChanged() }
        if display.needsUpdate {
            settle()
            display.needsUpdate = false
        }
        let spins = !isTooSmall && context.options.isAnimated && hasSpinner
        display.needsDisplay = display.needsDisplay || spins != isSpinning
        isSpinning = spins
        isAnimating = spins || !isTooSmall && viewer.hasSlideshow
    }

    private func settle() {
        let span = context.tracer.begin("update")
        defer { span.end() }
        viewer.isCovered = isTooSmall || dialogs.question != nil || dialogs.isHelpShown
        guard !isTooSmall else {
            viewer.playback?.isPaused = true
            return
        }
        gallery.loadPagesInReach()
        // What is to be seen is asked for before the rest is given up, so that a file that both need is fetched once.
        if !viewer.isOpen { gallery.requestTiles() }
        viewer.update()
        // The viewer's picture stays in memory with the thumbnail that stands in for it.
        let seen = gallery.tiles.seen + gallery.pane.seen + viewer.full.seen
        if seen != pinned {
            pinned = seen
            context.thumbnails.pin(seen)
        }
    }

    private var hasSpinner: Bool {
        if transfers > 0 || gallery.isLoadingPage { return true }
        guard viewer.isOpen else {
            return gallery.tiles.hasVisiblePlaceholder || gallery.pane.hasVisiblePlaceholder
        }
        return gallery.level.selection.map(viewer.isLoadingFull) ?? false
    }

    var transfers: Int { context.thumbnails.transfersInFlight + saving.underWayCount }

    /// Whether all that was asked for is one picture, as it is.
    var isOnePicture: Bool {
        guard gallery.levels.count == 1, gallery.level.sections.sections.count == 1,
            let section = gallery.sources.first, section.pictures.count == 1, !section.mayGrow
        else { return false }
        return section.pictures[0].image == section.address
    }

    private func sectionChanged(_ section: Section) {
        if isOnePicture, !gallery.level.isTouched, let id = gallery.level.selection {
            viewer.open(id)
        }
        dialogs.ask(
            about: section.failure, ofSection: section.id, retry: { section.pager?.retry() },
            dismiss: { [gallery] in gallery.awaited = nil })
        if dialogs.question == nil { gallery.goOn() }
    }

    /// A thumbnail of grid or list is there or has failed; a frame is due only if it is seen.
    private func tileChanged(_ id: PictureID) {
        // An open viewer judges guessed addresses by thumbnails, and asks again for one that was cancelled; until the tiles have their
        // shape, each thumbnail may decide it.
        if viewer.isOpen || gallery.tiles.isWanted(id) || gallery.level.shape == nil {
            display.needsUpdate = true
        }
        if id == gallery.level.selection || !viewer.isOpen && gallery.isSeen(id) {
            display.needsDisplay = true
        }
    }

    /// Whether at least one section has loaded a page: decides the exit code.
    public var hasLoadedAnything: Bool {
        gallery.sources.contains { $0.pager?.hasLoadedPage == true }
    }

    /// Each failed section's address and reason, for standard error at the end.
    public var failures: [String] {
        gallery.sources.compactMap { section in
            if let failure = section.failure {
                return "\(failure.address): \(failure.reason.oneLine())"
            }
            guard section.pager?.isWithoutPictures == true else { return nil }
            return "\(section.address): \(PageError.noPictures.description)"
        }
    }

    /// The addresses that are to be printed when the program has ended, paths for files: chosen, or marked when `Q` quit.
    public internal(set) var chosen: [String] = []

    /// One line for each picture that could not be saved; decides the exit code.
    public var saveFailures: [String] { saving.failures }

    /// Gives up what is being saved, at the end of the program.
    public func cancelSaves() { saving.cancel() }
}
