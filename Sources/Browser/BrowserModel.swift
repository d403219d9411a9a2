public import Basics
public import Gallery
public import Pipeline
public import Raster
public import Thumbnails
public import Trace

/// The view model of the whole program: galleries, selection, layout, viewer, dialogs.
///
/// Knows no terminal.
///
/// Inputs and results change its state at once; `update()`, called once after each batch of them, settles what follows
/// from that: pages in reach, pictures wanted, what stays in memory, playback. `scene()` then only describes the state.
@MainActor public final class BrowserModel {
    /// Whether anything visible has changed since `didDisplay`.
    public internal(set) var needsDisplay = true
    /// Whether a spinner, or a number of transfers, is on the screen, or a slideshow goes on: as of the last `update`.
    public internal(set) var isAnimating = false
    /// How pictures are drawn now.
    public internal(set) var style: RenderStyle

    let options: BrowserOptions
    let thumbnails: any ThumbnailLoading
    let services: BrowserServices
    let main: any MainScheduling
    let tracer: Tracer
    /// Seconds of a steady clock.
    let clock: () -> Double
    let maker: SectionMaker
    let arranger: Arranger
    /// The galleries: the command line's first, then the albums opened from one another.
    ///
    /// Never empty.
    var levels: [GalleryLevel]
    /// The sections of the command line; related ones are not among them.
    let sources: [Section]
    /// Thumbnails of grid and list.
    let tiles: PictureRequests
    /// Pictures of the viewer.
    let full: PictureRequests
    /// The viewer's picture while it comes in.
    let preview: ViewerPreview
    /// The pages behind thumbnails, for the viewer; nil if nobody reads them.
    let details: DetailRequests?
    /// Where full pictures may be that no page names, for the viewer.
    let guesses = FullSizeGuesses()
    /// How the reader moves through the gallery, and how far ahead pictures are asked for.
    var travel = Travel()
    var reach = Reach()
    /// How fast the viewer's pictures are turned over.
    var turning = Travel()
    /// When pictures that wait for the reader to stop are asked for; nil if none does.
    var settleDue: Double?
    /// What is on the screen, as the loader was last told.
    var pinned: [ThumbnailRequest] = []
    var viewer: Viewer?
    /// What moves in the viewer.
    var playback: Playback?
    /// Nil if there is nowhere to save to.
    let saves: PictureSaves?
    /// Ticks until the slideshow turns to the next picture; nil while there is none.
    var ticksToNextPicture: Int?
    var failureQueue = FailureQueue()
    var count = Count()
    var message = ""
    /// In which order pictures are shown, and which.
    var order: PictureOrder
    /// The line that is being typed.
    var prompt: Prompt?
    /// What was looked for last.
    var sought = ""
    var isInfoShown = false
    /// The rows scrolled in the help; nil while it is closed.
    var helpRow: Int?
    var size = CellSize(columns: 80, rows: 24)
    var layout: Layout
    var tileColumns: Int
    var spinnerPhase = 0
    /// Whether something has changed that decides what is loaded.
    var needsUpdate = true
    /// Whether the screen holds something that turns: as of the last `update`.
    var isSpinning = false
    /// Whether pages may be loaded.
    var hasStarted = false

    /// Makes a browser with one section for each source.
    ///
    /// Nothing is loaded before `start`. `clock` tells seconds since any moment.
    public init(
        sources: [Source], options: BrowserOptions, pages: any PageLoading,
        thumbnails: any ThumbnailLoading, main: any MainScheduling, tracer: Tracer,
        services: BrowserServices = BrowserServices(),
        clock: @escaping () -> Double = SteadyClock.read
    ) {
        self.options = options
        self.thumbnails = thumbnails
        self.services = services
        self.main = main
        self.tracer = tracer
        self.clock = clock
        style = options.style
        layout = options.layout
        order = options.order
        tileColumns = TileWidths.clamped(options.tileColumns)
        let maker = SectionMaker(pages: pages, main: main, limit: options.pageLimit)
        self.maker = maker
        arranger = Arranger(main: main)
        self.sources = sources.map { maker.section(at: $0.address, title: $0.argument) }
        tiles = PictureRequests(
            thumbnails: thumbnails, main: main, clock: clock, tracer: tracer)
        full = PictureRequests(
            thumbnails: thumbnails, main: main, clock: clock, tracer: tracer)
        preview = ViewerPreview(thumbnails: thumbnails, main: main)
        details = services.details.map { DetailRequests(loading: $0, main: main) }
        saves = services.saving.map { PictureSaves(saving: $0, main: main) }
        levels = []
        levels = [makeLevel(title: "", sections: self.sources)]
        tiles.changed = { [weak self] in self?.tileChanged($0) }
        saves?.report = { [weak self] in self?.show(message: $0) }
        details?.changed = { [weak self] in self?.detailChanged($0, $1) }
        preview.changed = { [weak self] in self?.needsDisplay = true }
        full.changed = { [weak self] in self?.fullPictureChanged($0) }
    }

    /// Notes that the state is another one: to be settled, and to be drawn.
    func stateChanged() {
        needsUpdate = true
        needsDisplay = true
    }

    /// Loads the first pages of the sections; where there are very many, those far below wait until they come within
    /// reach.
    public func start() {
        needsUpdate = true
        hasStarted = true
        for section in sources.prefix(Self.firstSections) {
            section.pager?.advance()
        }
    }

    /// Enough to fill any screen; a list of thousands of pictures, each a section, must not be fetched whole at once.
    private static let firstSections = 32

    /// Tells the size of the screen, and how tall a cell is against its width; keeps the selection in view.
    public func resize(to size: CellSize, cellAspect: Double) {
        self.size = CellSize(columns: max(1, size.columns), rows: max(1, size.rows))
        // Terminals report nonsense; no font is flatter than square or taller than this.
        style.cellAspect = (0.5...8).contains(cellAspect) ? cellAspect : 2
        relayout()
    }

    /// Tells what the terminal turned out to look like: `surroundings`' background, colours and cells.
    ///
    /// Pictures are drawn anew; until they are there the old ones stay.
    public func adopt(_ surroundings: RenderStyle) {
        style.background = surroundings.background
        style.systemColors = surroundings.systemColors
        stateChanged()
        if surroundings.cellAspect != style.cellAspect {
            resize(to: size, cellAspect: surroundings.cellAspect)
        }
    }

    /// Answers a key or the mouse.
    public func handle(_ event: InputEvent) -> Effect {
        stateChanged()
        message = ""
        level.isTouched = true
        if stopSlideshow() { return .none }
        switch event {
        case .key(let key): return handle(key)
        case .wheel(let rows, _, _): wheel(by: rows)
        case .click(let x, let y): click(x: x, y: y)
        case .doubleClick(let x, let y): doubleClick(x: x, y: y)
        }
        return .none
    }

    /// Moves the spinners on by one, and the slideshow; called about ten times a second while `isAnimating`.
    public func tick() {
        guard isAnimating else { return }
        if isSpinning {
            spinnerPhase &+= 1
            needsDisplay = true
        }
        tickSlideshow()
    }

    /// Shows `text` on the bottom line until the next key.
    public func show(message text: String) {
        message = OneLine.text(text)
        needsDisplay = true
    }

    /// Whether at least one section has loaded a page: decides the exit code.
    public var hasLoadedAnything: Bool {
        sources.contains { $0.pager?.hasLoadedPage == true }
    }

    /// Each failed section's address and reason, for standard error at the end.
    public var failures: [String] {
        sources.compactMap { section in
            if let failure = section.failure {
                return "\(failure.address): \(OneLine.text(failure.reason))"
            }
            guard section.pager?.isWithoutPictures == true else { return nil }
            return "\(section.address): \(PageError.noPictures.description)"
        }
    }
}
