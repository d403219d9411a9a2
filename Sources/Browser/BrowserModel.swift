public import Basics
public import Collector
public import Gallery
import Network
public import Pipeline
public import Raster
import State
public import Thumbnails
public import Trace

/// The root view model: routes input to the gallery, viewer, prompt, dialog and saving models.
///
/// Independent of the terminal. Input and results change the state at once, `update()` derives what follows from it, and
/// `scene()` describes the state without changing it.
@MainActor public final class BrowserModel: ContextSharing {
    /// Whether a spinner or transfer count is visible or a slideshow is running, as of the last `update`.
    public private(set) var isAnimating = false

    let gallery: GalleryModel
    let viewer: ViewerModel
    let prompt: PromptModel
    let dialogs: DialogsModel
    /// What is being saved.
    public let saving: SavingModel
    let context: BrowserContext
    var count = CountPrefix()
    /// Resolves the SOURCE to be opened, or makes a recipe, whichever was asked for last.
    var request: MainRequest? { didSet { endRequest("something else was asked for") } }
    /// Resolves the picture to be shown for another program, whatever the reader has asked for.
    var showRequest: MainRequest? { didSet { endRequest("something else was asked for") } }
    /// Tells the program that has asked for that what is wrong, if anything.
    var requestAnswer: ((_ failure: String?) -> Void)?
    /// Whether the current key was typed by a person; pasted or scripted keys may not save, quit or open anything.
    var isDeliberate = true
    /// Who has given what is being run.
    var origin = LineOrigin.bound
    /// What the view has to do, besides drawing.
    var effects: [Effect] = []
    /// The lines that a key runs one after the other.
    var script = Script()
    /// The keys of a sequence that is not complete.
    var pending: PendingKeys?
    /// The bookmark command that waits for its letter.
    var awaitedLetter: AwaitedLetter?
    /// What the command that changes files has done so far; empty if there is none.
    var fileProgress = ""
    /// One line for each file that could not be changed, of what has ended since the program's end began.
    public internal(set) var fileFailures: [String] = []
    /// What takes each of these commands back, the latest last.
    var fileHistory: [[FileWork]] = []
    /// Called when the state has changed.
    public var changed: () -> Void = {}
    /// Called with the path of each picture saved.
    public var saved: (_ order: SaveOrder, _ path: String) -> Void = { _, _ in }
    /// Whether to quit when the last save has succeeded.
    var quitsWhenSaved = false
    /// The program to run once the terminal is free.
    var programCall: ProgramCall?
    /// The picture that the hook for opening was last run for.
    private var lastOpened: Address?
    /// Whether the gallery's bottom line shows the most important keys in place of titles.
    private var showsHints = false
    private(set) var spinnerPhase = 0
    private var isSpinning = false
    /// The number of saved pictures of which it is not known yet how they look.
    private var indexingCount = 0
    /// The requests last pinned in memory.
    private var pinned: [ThumbnailRequest] = []

    /// Creates the model with one section per source; nothing is loaded before `start`.
    ///
    /// `clock` returns seconds since an arbitrary moment.
    public init(
        sources: [Source], options: BrowserOptions, pages: any PageLoading,
        thumbnails: any ThumbnailLoading, main: any MainScheduling, tracer: Tracer,
        services: BrowserServices = BrowserServices(),
        clock: @escaping () -> Double = { SteadyClock.now }
    ) {
        let display = DisplayState(style: options.style)
        context = BrowserContext(
            options: options, services: services, display: display, thumbnails: thumbnails,
            main: main, clock: clock, tracer: tracer, texts: LocalTexts(home: options.home))
        gallery = GalleryModel(sources: sources, pages: pages, context: context)
        viewer = ViewerModel(gallery: gallery, context: context)
        dialogs = DialogsModel(context)
        prompt = PromptModel(gallery: gallery, dialogs: dialogs, context: context)
        saving = SavingModel(context, pages: pages)

        gallery.loadingChanged = { [weak self] in self?.loadingChanged($0) }
        gallery.sectionForgotten = { [weak self] id in
            guard let self else { return }
            dialogs.ask(about: nil, ofSection: id)
            pictureRequests.forEach { $0.forget(section: id) }
            viewer.forget(section: id)
        }
        saving.saved = { [weak self] order, path in
            guard let self else { return }
            if let path {
                runLines(of: .save, for: order.picture, at: path)
                learnLook(ofSaved: path)
                saved(order, path)
            }
            gallery.unmark(order.picture.image)
        }
        saving.completed = { [weak self] in
            if self?.quitsWhenSaved == true { self?.effects.append(.quit) }
        }
        services.traffic?.withLock { $0.report = onMain(display.show) }
        gallery.tiles.changed = { [weak self] in self?.tileChanged($0) }
        gallery.pane.changed = { [display] _ in display.stateChanged() }
    }

    /// The visible gallery.
    var level: GalleryLevel { gallery.level }

    /// Starts loading the first pages.
    public func start() {
        gallery.start()
        prompt.start()
        // Who has bound keys knows others, and need not be told.
        if options.showsHints, !options.isChooser, options.ownKeys == nil {
            let state = services.state
            state?.history(
                of: "hints", limit: .max,
                completion: onMain { [weak self] runs in
                    // By then they are known, or not missed.
                    guard runs.count < 5 else { return }
                    state?.append("\(runs.count)", toHistoryOf: "hints")
                    self?.showsHints = true
                })
        }
        if options.showsVersions {
            level.reading.pairing = .versions
            level.opensFirst = true
        }
        viewer.open(atStart: true)
    }

    /// The current rendering style of pictures.
    public var style: RenderStyle { display.style }

    /// Sets the screen size and the height-to-width ratio of a cell; keeps the selection in view.
    public func resize(to size: CellSize, cellAspect: Double) {
        display.size = CellSize(columns: max(1, size.columns), rows: max(1, size.rows))
        // Some terminals report nonsense; real fonts stay within this range.
        display.style.cellAspect = (0.5...8).contains(cellAspect) ? cellAspect : 2
        gallery.relayout()
    }

    /// Redraws pictures for the terminal's background, colours, block set and cells; the old ones stay until the new ones are ready.
    ///
    /// Block set, colour depth and graphics that the user has changed are kept. `pixelForms` are the forms that the terminal can show;
    /// `graphicsHint` says how to enable graphics if it can show none.
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

    /// Shows `text` on the bottom line until the next key press.
    public func show(_ text: String) { display.show(text) }

    /// Shows what went wrong at the start: one message itself, of several their number and how to read them.
    public func show(warnings: [String]) {
        warnings.forEach(display.show)
        if warnings.count > 1 {
            show("\(warnings.count) warnings: :messages shows them")
        }
    }

    /// Sets the info panel's description of how the decoder processes are confined.
    public func show(decoders text: String) {
        display.decoders = text
        display.needsDisplay = true
    }

    /// The smallest screen size with a regular layout; below it only a message is shown.
    static let smallest = CellSize(columns: 24, rows: 6)

    var isTooSmall: Bool {
        display.size.columns < Self.smallest.columns || display.size.rows < Self.smallest.rows
    }

    /// Looks again at the local files shown, which other programs may have changed; what has changed is loaded again.
    public func recheckFiles() { gallery.recheckFiles() }

    /// Advances the spinners and the slideshow; called about ten times a second while `isAnimating`.
    public func tick() {
        guard isAnimating else { return }
        if isSpinning {
            spinnerPhase &+= 1
            display.needsDisplay = true
        }
        viewer.tickSlideshow()
    }

    /// When `update` has work to do without any event, in seconds of a steady clock: pictures will then have been visible long
    /// enough to be requested; nil if none is waiting for that.
    public var updateDue: Double? {
        let dues = isTooSmall ? [] : pictureRequests.compactMap(\.settleDue)
        return (dues + nonNil(pending?.due)).min()
    }

    private var playbacks: [Playback] {
        nonNil(viewer.playback) + gallery.playbacks.values
    }

    /// When an animation shows its next frame, in seconds of a steady clock; nil while all are paused or played by the terminal.
    public var frameDue: Double? { playbacks.compactMap(\.due).min() }

    /// Shows the animations' next frames that are due; `now` is on the same clock as `frameDue`.
    public func showDueFrame(at now: Double) { playbacks.forEach { $0.advance(at: now) } }

    /// Returns what the view has to do now, in order; to be called after each input, and after `update`.
    public func takeEffects() -> [Effect] {
        defer { effects = [] }
        return effects
    }

    /// Whether anything visible has changed since `didDisplay`.
    public var needsDisplay: Bool { display.needsDisplay }

    /// Records that the current scene has been drawn.
    public func didDisplay() {
        display.needsDisplay = false
        if !viewer.isOpen, !viewer.isCovered { gallery.noteSeen() }
    }

    /// When the reader did something last, in seconds of a steady clock.
    public internal(set) var lastUsed = 0.0

    /// Whether the terminal copies files to the clipboard.
    public var takesFiles = false

    /// Whether the terminal has the focus, as far as it reports that.
    public var hasFocus: Bool {
        get { display.hasFocus }
        set {
            display.hasFocus = newValue
            display.needsUpdate = true
        }
    }

    /// Derives everything that follows from the state: pages in reach, wanted pictures, pinned pictures, playback.
    ///
    /// Must be called once after each batch of input and results, whether or not a frame is due; costs next to nothing if nothing
    /// has changed. Pictures that are already in memory appear in the very next frame.
    public func update() {
        if let due = updateDue, due <= context.clock() { display.stateChanged() }
        if let due = pending?.due, due <= context.clock() { endSequence() }
        if display.needsUpdate {
            settle()
            display.needsUpdate = false
            changed()
        }
        let spins = !isTooSmall && options.isAnimated && hasSpinner
        display.needsDisplay = display.needsDisplay || spins != isSpinning
        isSpinning = spins
        isAnimating = spins || !isTooSmall && viewer.hasSlideshow
    }

    private func settle() {
        let span = context.tracer.begin("update")
        defer { span.end() }
        viewer.isCovered = isTooSmall || dialogs.question != nil || dialogs.isHelpShown
        guard !isTooSmall else { return playbacks.forEach { $0.isPaused = true } }
        gallery.loadPagesInReach()
        gallery.keepPlace()
        let opened = viewer.isOpen ? level.selectedPicture?.image : nil
        if opened != nil, opened != lastOpened {
            runLines(of: .open, for: level.selectedPicture)
        }
        lastOpened = opened
        // New requests are made before old ones are cancelled, so that a file needed by both is fetched once.
        if viewer.isOpen { gallery.pane.update([]) } else { gallery.requestTiles() }
        viewer.update()
        gallery.updatePlaybacks(isShown: !viewer.isOpen, isCovered: viewer.isCovered)
        // The viewer's picture is pinned together with the thumbnail that stands in for it.
        let seen = pictureRequests.flatMap(\.seen)
        if seen != pinned {
            pinned = seen
            context.thumbnails.pin(seen)
        }
    }

    private var hasSpinner: Bool {
        if transfers > 0 || gallery.isLoadingPage { return true }
        guard viewer.isOpen else {
            return pictureRequests.contains(where: \.hasVisiblePlaceholder)
        }
        return level.selection.map(viewer.isLoadingFull) ?? false
    }

    /// All that requests pictures.
    var pictureRequests: [PictureRequests] {
        [gallery.tiles, gallery.pane, viewer.full, viewer.filmstrip]
    }

    var transfers: Int { context.thumbnails.transfersInFlight + saving.plan.underWayCount }

    /// Whether the command line names a single picture file or address.
    var isOnePicture: Bool {
        guard gallery.levels.count == 1, level.sections.count == 1,
            let section = gallery.sources.first, section.pictures.count == 1, !section.mayGrow
        else { return false }
        return section.pictures[0].image == section.address
    }

    private func loadingChanged(_ section: Section) {
        if isOnePicture, section === gallery.sources.first, !level.isTouched {
            viewer.open(atStart: true)
        }
        if level.opensFirst { viewer.open(atStart: options.showsVersions) }
        dialogs.ask(
            about: section.isNews || section.failure?.isStopped == true ? nil : section.failure,
            ofSection: section.id,
            retry: { section.pager?.retry() },
            dismiss: gallery.stay)
        if dialogs.questions.isEmpty { gallery.goOn() }
    }

    /// Learns how a saved picture looks; what is on the screen is looked for again once no other is being saved or learnt.
    private func learnLook(ofSaved path: String) {
        guard let index = services.index else { return }
        indexingCount += 1
        index.index(
            Address(path: path),
            completion: onMain { [weak self] _ in
                guard let self else { return }
                indexingCount -= 1
                if indexingCount + saving.openCount == 0 { gallery.tiles.findAgain() }
            })
    }

    /// Called when a thumbnail of the grid or list has been drawn or has failed; a frame is due only if it is visible.
    private func tileChanged(_ id: PictureID) {
        // An open viewer uses thumbnails to verify guessed addresses and requests cancelled ones again; until the tile shape is settled,
        // and in rows, any thumbnail may decide it.
        if viewer.isOpen || gallery.tiles.isWanted(id) || level.tileShape == nil
            || gallery.layout == .rows
        {
            display.needsUpdate = true
        }
        if id == level.selection || !viewer.isOpen && gallery.isSeen(id) {
            display.needsDisplay = true
        }
    }

    /// Whether at least one section has loaded a page; determines the exit code.
    public var hasLoadedAnything: Bool {
        gallery.sources.contains { $0.pager?.hasLoadedPage == true }
    }

    /// The address and error of each failed section, for standard error on exit.
    public var failures: [String] {
        gallery.sources.compactMap { section in
            if let failure = section.failure {
                return "\(failure.address): \(failure.reason.oneLine())"
            }
            guard section.pager?.isWithoutPictures == true else { return nil }
            return "\(section.address): \(PageError.noPictures.description)"
        }
    }

    /// The addresses (paths for local files) to print on exit: those chosen, or those marked when `Q` was pressed.
    public internal(set) var chosen: [String] = []

    /// One line for each picture that could not be saved; determines the exit code.
    public var saveFailures: [String] { saving.failures }

    /// Saves all sections of the command line in the usual folder.
    public func saveAll() { saveAll(gallery.sources, to: "") }

    func saveAll(_ sections: [Section], to folder: String) {
        saving.save(sections.map(level.albumOrder), to: folder)
    }
}

/// The frame to draw.
extension BrowserModel {
    /// Returns the frame to draw: describes the state as of the last `update` and changes nothing.
    public func scene() -> Scene {
        if isTooSmall { return tooSmallScene() }
        return Scene(
            size: display.size,
            top: TopLine(
                path: options.heading.map { [$0] } ?? gallery.path,
                count: level.currentSection?.detail ?? ""),
            bottom: bottomLine(), hidesBars: display.hidesBars,
            title: level.selection.flatMap {
                gallery.text(of: $0, options.titleTemplate)
            },
            body: viewer.isOpen ? .viewer(viewer.scene()) : .gallery(gallery.scene()),
            overlay: pendingScene.map(Scene.Overlay.info) ?? dialogs.scene(info: infoScene),
            spinnerPhase: options.isAnimated ? spinnerPhase : nil)
    }

    private func tooSmallScene() -> Scene {
        let texts = [
            "too small: \(Self.smallest.columns) × \(Self.smallest.rows) at least", "too small",
            "small",
        ]
        return Scene(
            size: display.size, top: TopLine(path: [], count: ""), bottom: BottomLine(),
            body: .tooSmall(texts.first { $0.count <= display.size.columns } ?? ""),
            spinnerPhase: spinnerPhase)
    }

    private func bottomLine() -> BottomLine {
        let typed = typedLine
        let hints =
            showsHints && keyContext == .gallery
            ? "Enter open  m mark  f filter  s save  : commands  ? help  q quit" : nil
        let label =
            typed.map { "\($0.lead)\($0.trail)" } ?? count.value.map(String.init)
            ?? level.selection.flatMap {
                gallery.text(of: $0, options.statusTemplate)
            } ?? hints ?? level.selectedPicture?.caption
        return BottomLine(
            position: position, label: label ?? "", lead: typed?.lead,
            isLoading: gallery.isLoadingPage,
            transfers: transfers,
            progress: progress,
            // A message takes their place, too.
            facts: typed == nil && viewer.isOpen && display.message.isEmpty ? viewer.facts : [],
            message: typed != nil
                ? ""
                : display.message.isEmpty
                    ? level.currentSection?.pager?.activity ?? "" : display.message,
            hint: hints == nil ? hint : "",
            // In the gallery its tile shows that.
            isMarked: viewer.isOpen
                && level.selectedPicture.map { level.marks.contains($0.image) }
                    == true
        )
    }

    /// A reminder of the key that opens or closes the help, that a slideshow is running, or that Enter chooses.
    var hint: String {
        func key(_ command: Command, _ keyContext: KeyContext) -> String {
            options.keys.keys(for: command, in: keyContext).first?.name ?? "?"
        }
        if dialogs.isHelpShown { return "\(key(.back, .help)) goes back" }
        let choice = options.isChooser ? "\(key(.open, .gallery)) chooses · " : ""
        return viewer.slideshowHint ?? "\(choice)\(key(.help, .gallery)) help"
    }

    var progress: String {
        if !fileProgress.isEmpty { return fileProgress }
        guard saving.openCount == 0, viewer.isOpen else { return saving.progress }
        return viewer.preview.progress.map(Quantity.progress) ?? ""
    }

    private var position: String {
        guard let number = level.selectedNumber else { return "" }
        let layout = level.layout
        let sections = level.sections
        let block = layout.blocks[layout.block(ofPicture: number)]
        let section = sections[block.section]
        let more = section.mayGrow ? "+" : ""
        let place = sections.count > 1 ? " · \(block.section + 1) of \(sections.count)" : ""
        let marks = level.marks.isEmpty ? "" : " · \(level.marks.count) marked"
        let ordinal = block.offset + number - block.firstPicture + 1
        return "\(ordinal)/\(section.arrangement.count)\(more)\(place)\(marks)"
    }

    private func infoScene() -> InfoScene? {
        guard let id = level.selection, let picture = level.picture(id) else { return nil }
        let tiles = gallery.tiles
        let full = viewer.full
        let host = picture.page.host
        var scene = InfoScene(
            of: picture, facts: (full.thumbnail(of: id) ?? tiles.thumbnail(of: id))?.facts,
            largest: full.facts(of: id, picture)
                ?? tiles.facts(of: id, picture), texts,
            showsPosition: display.isPositionShown,
            others: [
                (
                    "Have",
                    picture.twin.map {
                        "\(texts.shortened($0.path)) \($0.width) × \($0.height)"
                    }
                ),
                ("Error", tiles.failure(of: id)?.description),
                ("Detail page", viewer.details?.failure(of: id)?.description),
                ("Full picture", full.failure(of: id)?.description),
                (
                    "Requests",
                    services.traffic?.withLock { $0.counts[host] }.map { "\($0) to \(host)" }
                ),
                ("Decoders", display.decoders),
                ("Graphics", display.graphicsText),
            ])
        let columns = display.factsColumns
        if viewer.isOpen, columns > 0 {
            scene.frame = CellRect(
                x: display.size.columns - columns, y: display.body.y, columns: columns,
                rows: display.body.rows)
        }
        return scene
    }
}
