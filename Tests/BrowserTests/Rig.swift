import Basics
import Browser
import Gallery
import Network
import Pipeline
import Raster
import State
import TestSupport
import Thumbnails
import Trace

/// A browser with made-up galleries, whose pages and pictures arrive when the test says so.
@MainActor struct Rig {
    let pages = GatedPages()
    let thumbnails: GatedThumbnails
    let main = ManualMain()
    let saving = GatedSaving()
    let files = GatedFiles()
    let details = GatedDetails()
    let clock = ManualClock()
    let traffic = NetworkOptions().traffic
    let model: BrowserModel

    /// Creates one section for each of `sections`, given as the number of pictures on each of its pages, or for each of `sources`.
    init(
        _ sections: [[Int]] = [[24]], columns: Int = 80, rows: Int = 40,
        remembers: Bool = true, options: BrowserOptions = BrowserOptions(), starts: Bool = true,
        tracer: Tracer = .disabled, sizeOfFile: (@Sendable (Address) -> PixelSize?)? = nil,
        readFacts: (@Sendable ([Address], _ isCancelled: () -> Bool) -> [FileFacts?])? = nil,
        running: (any CommandRunning)? = nil, index: (any PictureIndexing)? = nil,
        state: StateStore? = nil, finder: (any SourceFinding)? = nil,
        sources: [Source]? = nil, showsHints: Bool = false, watch: FolderWatch? = nil,
        toggleRendering: (@Sendable ([Address]) -> Bool)? = nil
    ) {
        var options = options
        options.showsHints = showsHints
        thumbnails = GatedThumbnails(remembers: remembers)
        for (section, counts) in sections.enumerated() {
            for (page, count) in counts.enumerated() {
                let isLast = page == counts.count - 1
                pages.set(
                    .success(
                        Self.page(section, page, count: count, next: isLast ? nil : page + 1)),
                    at: Self.address(section, page))
            }
        }
        let sources =
            sources
            ?? sections.indices.map {
                Source(argument: "source \($0)", address: Self.address($0, 0))
            }
        var services = BrowserServices()
        services.saving = saving
        services.files = files
        services.traffic = traffic
        services.details = details
        services.opening = NamingOpener()
        if let sizeOfFile {
            services.readFacts = { addresses, _, _ in
                addresses.map(sizeOfFile).map { size in
                    size.map { FileFacts(width: Pixels($0.width), height: Pixels($0.height)) }
                }
            }
        }
        if let readFacts { services.readFacts = { readFacts($0, $2) } }
        services.running = running
        services.index = index
        services.state = state
        services.sources = finder
        services.watch = watch
        services.toggleRendering = toggleRendering
        model = BrowserModel(
            sources: sources, options: options, pages: pages, thumbnails: thumbnails, main: main,
            tracer: tracer, services: services, clock: { [clock] in clock.now })
        model.resize(to: CellSize(columns: columns, rows: rows), cellAspect: 2)
        if starts {
            model.start()
        }
    }

    /// Returns the address of a page.
    static func address(_ section: Int, _ page: Int) -> Address {
        Address("https://s\(section).example/p\(page)") ?? Address(path: "/")
    }

    /// Returns the address of a picture.
    static func image(_ section: Int, _ page: Int, _ picture: Int) -> Address {
        Address("https://s\(section).example/p\(page)/\(picture).jpg") ?? Address(path: "/")
    }

    /// Returns a page with `count` pictures titled "section.page.picture".
    static func page(
        _ section: Int, _ page: Int, count: Int, next: Int? = nil, related: [Page.Related] = []
    ) -> Page {
        Page(
            address: address(section, page), title: "gallery \(section)",
            pictures: (0..<count).map { picture(section, page, $0) },
            next: next.map { address(section, $0) }, related: related)
    }

    static func picture(
        _ section: Int, _ page: Int, _ picture: Int, kind: Picture.Kind = .picture
    ) -> Picture {
        Picture(
            variants: [Picture.Variant(address: image(section, page, picture))],
            page: address(section, page), title: "\(section).\(page).\(picture)", kind: kind)
    }

    /// Draws the current frame.
    @discardableResult func draw() -> Scene { model.draw() }

    /// Delivers current and future pages, and draws until nothing changes.
    func loadPages() {
        pages.open()
        settle()
    }

    /// Runs posted work and draws until neither causes more; one second passes, so scrolling has stopped.
    func settle() {
        clock.now += 1
        repeat {
            main.drain()
            model.draw()
        } while model.needsDisplay || main.waitingCount > 0
    }

    /// Delivers all pictures that the current frame requests.
    func loadPictures() {
        settle()
        thumbnails.releaseAll()
        settle()
    }

    /// Presses keys one after the other, at the pace set by `clock`.
    @discardableResult
    func press(_ keys: Key...) -> Effect? {
        var effect: Effect?
        for key in keys {
            clock.now += clock.pause
            model.handle(.key(key))
            effect = model.takeEffects().last
        }
        return effect
    }

    /// Types characters.
    func type(_ text: String) {
        for scalar in text.unicodeScalars {
            press(.character(scalar))
        }
    }

    // MARK: The visible state

    var gallery: GalleryScene? {
        if case .gallery(let gallery) = model.draw().body { gallery } else { nil }
    }

    var viewer: ViewerScene? {
        if case .viewer(let viewer) = model.draw().body { viewer } else { nil }
    }

    var dialog: DialogScene? {
        if case .dialog(let dialog) = model.draw().overlay { dialog } else { nil }
    }

    var info: InfoScene? {
        if case .info(let info) = model.draw().overlay { info } else { nil }
    }

    /// The selected picture's title, according to the bottom line.
    var selected: String { model.draw().bottom.label }

    var message: String { model.draw().bottom.message }

    var position: String { model.draw().bottom.position }

    /// The titles of the pictures on the screen, in order.
    var titles: [String] { gallery?.tiles.map(\.title) ?? [] }

    var notes: [String] { gallery?.notes ?? [] }
}

/// What a gallery without pictures says.
let noPicturesNote = "no pictures found: Backspace goes back or up, :open elsewhere, q quits"

extension BrowserModel {
    /// Runs another program's line; returns the answer that it gets at once.
    @discardableResult func perform(_ line: String, _ rights: RemoteRights) -> String? {
        var answer: String?
        perform(line, rights) { answer = $0 }
        return answer
    }

    /// Updates and draws, like the event loop.
    @discardableResult func draw() -> Scene {
        update()
        defer { didDisplay() }
        return scene()
    }
}

/// Opens nothing and returns the address it was given.
struct NamingOpener: AddressOpening {
    func open(_ address: Address) -> String { "opened \(address)" }
}

extension GalleryScene {
    /// A picture in the grid or list.
    struct Seen {
        var title: String
        var details: [String]
        var picture: PictureScene
        var isSelected: Bool
        var isMarked: Bool
        var isAnimated: Bool
        var frame: CellRect
    }

    /// The pictures, in order.
    var tiles: [Seen] {
        elements.compactMap { element in
            switch element {
            case .tile(let tile, let frame), .row(let tile, _, let frame):
                Seen(
                    title: tile.lines.first ?? "", details: tile.details, picture: tile.picture,
                    isSelected: tile.isSelected, isMarked: tile.isMarked,
                    isAnimated: tile.isAnimated, frame: frame)
            case .header, .note: nil
            }
        }
    }

    var notes: [String] {
        elements.compactMap { if case .note(let text, _, _) = $0 { text } else { nil } }
    }

    var headers: [String] {
        elements.compactMap { if case .header(let header, _) = $0 { header.title } else { nil } }
    }

    var selected: Seen? { tiles.first(where: \.isSelected) }
}

extension PictureScene {
    var isReady: Bool { if case .ready = self { true } else { false } }
    var isFailed: Bool { if case .failed = self { true } else { false } }
    var spins: Bool { if case .placeholder(isLoading: true) = self { true } else { false } }
}
