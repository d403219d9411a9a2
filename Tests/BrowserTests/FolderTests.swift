import Basics
import Browser
import Gallery
import Glibc
import Network
import Pipeline
import Raster
import TestSupport
import Testing
import Trace

/// Folders of this machine: their parents, and changes made by other programs.
@MainActor @Suite("Folders") struct FolderTests {
    private let pages = GatedPages()
    private let main = ManualMain()
    private let places = RecordingPlaces()
    private let model: BrowserModel
    private let scratch: ScratchFolder

    /// Shows the folder `a/b` of a scratch folder, which holds two pictures.
    init() throws {
        scratch = try ScratchFolder()
        mkdir(scratch.path + "/a", 0o700)
        mkdir(scratch.path + "/a/b", 0o700)
        for name in ["one.jpg", "two.jpg"] { try scratch.write("x", to: "a/b/" + name) }
        let folder = Address(path: scratch.path + "/a/b", isFolder: true)
        var services = BrowserServices()
        services.sources = places
        model = BrowserModel(
            sources: [Source(argument: "b", address: folder)], options: BrowserOptions(),
            pages: pages, thumbnails: GatedThumbnails(remembers: true), main: main,
            tracer: .disabled, services: services)
        pages.set(.success(page(["one.jpg", "two.jpg"])), at: folder)
        model.resize(to: CellSize(columns: 80, rows: 40), cellAspect: 2)
        model.start()
        pages.open()
        settle()
    }

    private func page(_ names: [String], folder: String = "/a/b") -> Page {
        let address = Address(path: scratch.path + folder, isFolder: true)
        return Page(
            address: address, title: folder,
            pictures: PictureList(
                names.map {
                    Picture(
                        variants: [.init(address: Address(path: scratch.path + folder + "/" + $0))],
                        page: address, title: $0)
                }))
    }

    private func settle() {
        repeat {
            main.drain()
            model.draw()
        } while model.needsDisplay || main.waitingCount > 0
    }

    private var titles: [String] {
        if case .gallery(let gallery) = model.draw().body { gallery.tiles.map(\.title) } else { [] }
    }

    private func press(_ key: Key) { model.handle(.key(key)) }

    private func type(_ text: String) { text.unicodeScalars.forEach { press(.character($0)) } }

    @Test(
        "Backspace with nowhere to go back to selects the folder in the one above, and > returns")
    func parent() {
        pages.set(
            .success(page(["up.jpg", "b"], folder: "/a")),
            at: Address(path: scratch.path + "/a", isFolder: true))
        press(.backspace)
        settle()
        #expect(titles == ["up.jpg", "b"] && model.draw().bottom.label == "b")
        type(">")
        settle()
        #expect(titles == ["one.jpg", "two.jpg"])
        press(.backspace)
        settle()
        #expect(titles == ["up.jpg", "b"])
        press(.escape)
        #expect(titles == ["up.jpg", "b"], "Esc only ends what was begun")
    }

    @Test("Backspace on a web page with nowhere to go back to says so")
    func noParent() {
        let rig = Rig()
        rig.loadPages()
        rig.press(.backspace)
        #expect(rig.message == "there is nothing to go back to")
    }

    @Test("a path given to :open, :e and :cd is relative to the folder shown")
    func relative() {
        for line in [":open ..", ":e x", ":cd"] {
            type(line)
            press(.enter)
            settle()
        }
        #expect(model.draw().bottom.message == "~: no such file or folder")
        #expect(
            places.asked.withLock(\.self)
                == ["..", "x", "~"].map { "\($0) in \(scratch.path)/a/b" })
    }

    @Test(
        "what other programs changed is loaded again, the selection stays, and marks of missing pictures go"
    )
    func changes() throws {
        type("lmhm")
        let loads = pages.loads.count
        model.recheckFiles()
        #expect(main.waitForPost())
        settle()
        #expect(pages.loads.count == loads, "nothing has changed")
        waitForClock()
        unlink(scratch.path + "/a/b/one.jpg")
        try scratch.write("x", to: "a/b/three.jpg")
        pages.set(
            .success(page(["two.jpg", "three.jpg"])),
            at: Address(path: scratch.path + "/a/b", isFolder: true))
        type("l")
        model.recheckFiles()
        #expect(main.waitForPost())
        settle()
        #expect(titles == ["two.jpg", "three.jpg"])
        #expect(model.draw().bottom.label == "two.jpg")
        #expect(model.draw().bottom.position == "1/2 · 1 marked")
    }

    @Test("opening a picture that was changed in place loads it again")
    func changedPicture() throws {
        waitForClock()
        try scratch.write("yy", to: "a/b/one.jpg")
        let loads = pages.loads.count
        press(.enter)
        #expect(main.waitForPost())
        settle()
        #expect(pages.loads.count == loads + 1)
        #expect(pages.loads.last?.isReload == true)
    }

    /// Waits until the file system's clock, which ticks some hundred times a second, has moved on.
    private func waitForClock() {
        func now() -> Int {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME_COARSE, &time)
            return time.tv_nsec
        }
        let start = now()
        while now() == start {}
    }
}

/// Finds nothing, and records what was asked.
private struct RecordingPlaces: SourceFinding {
    let asked = Locked<[String]>([])

    func find(
        _ text: String, in folder: String?, isTyped: Bool,
        completion: @escaping @Sendable (Result<Source, SourceError>) -> Void
    ) -> Subscription {
        asked.withLock { $0.append("\(text) in \(folder ?? "nowhere")") }
        completion(.failure(.noSuchFile))
        return .ended
    }

    func paths(
        beginningWith text: String, in folder: String?,
        completion: @escaping @Sendable ([String]) -> Void
    ) -> Subscription {
        completion([])
        return .ended
    }
}
