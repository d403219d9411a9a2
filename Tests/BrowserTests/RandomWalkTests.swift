import Browser
import Gallery
import Network
import Raster
import TestSupport
import Testing
import Thumbnails

/// Random inputs, with results in random order, never trap and lose nothing.
@MainActor @Suite("Events in any order") struct RandomWalkTests {
    @Test("screens of 1×1 to 30×8 never trap, and the message for too small ones fits their width")
    func smallScreens() {
        let rig = Rig([[30], [0], [7]])
        rig.loadPages()
        for columns in 1...30 {
            for rows in 1...8 {
                rig.model.resize(to: CellSize(columns: columns, rows: rows), cellAspect: 2)
                for keys in ["j", "G", "v", "+", "g", "?", "q", "i", "-"] {
                    rig.type(keys)
                    check(rig.draw(), columns: columns, rows: rows)
                }
                rig.press(.enter)
                check(rig.draw(), columns: columns, rows: rows)
                rig.type("+lq=")
                rig.press(.escape)
            }
        }
    }

    private func check(_ scene: Scene, columns: Int, rows: Int) {
        #expect(scene.size == CellSize(columns: columns, rows: rows))
        if case .tooSmall(let text) = scene.body {
            #expect(columns < 24 || rows < 6)
            #expect(text.count <= columns)
        } else {
            #expect(columns >= 20 && rows >= 5)
        }
    }

    @Test("without any section the screen is empty")
    func nothing() {
        let rig = Rig([])
        rig.loadPages()
        rig.type("jkGg[]v+i?qrR b")
        rig.press(.enter, .escape, .home, .pageUp)
        rig.model.handle(.wheel(rows: 3))
        rig.model.handle(.doubleClick(x: 1, y: 1))
        #expect(rig.position == "")
        #expect(!rig.model.isAnimating)
        #expect(!rig.model.hasLoadedAnything && rig.model.failures.isEmpty)
    }

    @Test("invalid sizes and aspect ratios place nothing outside the screen and leave no trace")
    func hostileSizes() {
        let rig = Rig()
        rig.loadPages()
        for aspect in [0, -1, .nan, .infinity, 1e300, 0.5, 8] {
            for size in [(0, 0), (-5, 3), (10_000, 10_000), (80, 24)] {
                rig.model.resize(
                    to: CellSize(columns: size.0, rows: size.1), cellAspect: aspect)
                rig.draw()
                guard case .gallery(let gallery) = rig.model.scene().body else { continue }
                for case .tile(_, let frame) in gallery.elements {
                    #expect(frame.size.columns > 0 && frame.size.rows > 0)
                    #expect(frame.x >= 0 && frame.x + frame.size.columns <= size.0)
                }
            }
        }
        let fresh = Rig()
        fresh.loadPages()
        for rig in [rig, fresh] {
            rig.model.resize(to: CellSize(columns: 80, rows: 24), cellAspect: 2)
            rig.draw()
        }
        #expect(rig.model.scene() == fresh.model.scene())
    }

    @Test(
        "a random walk keeps the selection on screen and loses no request",
        arguments: [1, 2, 3, 4, 5] as [UInt64])
    func walk(seed: UInt64) {
        var walk = Walk(seed: seed)
        for _ in 0..<1000 {
            walk.step()
        }
        walk.finish()
    }
}

/// One random walk.
@MainActor private struct Walk {
    private var random: SeededRandom
    private let rig = Rig([[40, 30, 20], [0], [7, 7, 7, 7], [100]], rows: 30)
    private static let keys =
        "hjklhjklhjkl  b g G [ ] v + - = n p i r R t B C ? 3 7 2 0 S m M f / N".unicodeScalars.map {
            Key.character($0)
        } + [.enter, .enter, .escape, .escape, .tab, .control("d"), .control("u"), .end, .home]

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        rig.thumbnails.fail(Rig.image(0, 0, 5), with: .fetch(.status(404)))
        rig.pages.set(.failure(.fetch(.status(500))), at: Rig.address(2, 2))
        var page = Rig.page(0, 0, count: 40, next: 1)
        for place in stride(from: 3, to: 40, by: 7) {
            page.pictures[place].kind = .album
            page.pictures[place].link = Rig.address(9, 0)
        }
        rig.pages.set(.success(page), at: Rig.address(0, 0))
        var album = Rig.page(9, 0, count: 15)
        album.pictures[2].kind = .album
        album.pictures[2].link = Rig.address(8, 0)
        rig.pages.set(.success(album), at: Rig.address(9, 0))
    }

    mutating func step() {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<50: rig.press(Self.keys.randomElement(using: &random) ?? "j")
        case 50..<58: releasePage()
        case 58..<75: releasePicture()
        case 75..<80: rig.main.drain()
        case 80..<84: resize()
        case 84..<90: mouse()
        case 90: rig.thumbnails.cancelAll()
        case 91..<93: rig.model.tick()
        default: break
        }
        if Bool.random(using: &random) {
            check(rig.draw())
        }
    }

    private mutating func releasePage() {
        if let page = rig.pages.waiting.randomElement(using: &random) {
            rig.pages.release(page)
        }
    }

    private mutating func releasePicture() {
        if let load = rig.thumbnails.waiting.randomElement(using: &random) {
            rig.thumbnails.release(load.request.address)
        }
    }

    private mutating func resize() {
        let size = CellSize(
            columns: Int.random(in: 1...150, using: &random),
            rows: Int.random(in: 1...50, using: &random))
        rig.model.resize(to: size, cellAspect: 2)
    }

    private mutating func mouse() {
        let x = Int.random(in: 0..<150, using: &random)
        let y = Int.random(in: 0..<50, using: &random)
        let events: [InputEvent] = [
            .wheel(rows: 3), .wheel(rows: -3), .click(x: x, y: y),
            .doubleClick(x: x, y: y),
        ]
        rig.model.handle(events.randomElement(using: &random) ?? events[0])
    }

    private func check(_ scene: Scene) {
        #expect(!rig.model.needsDisplay)
        let waiting = rig.pages.waiting
        #expect(Set(waiting.map(\.section)).count == waiting.count, "one load a section")
        guard case .gallery(let gallery) = scene.body else { return }
        if !scene.bottom.position.isEmpty {
            let frame = gallery.selected?.frame
            let isGrid = gallery.elements.contains { if case .tile = $0 { true } else { false } }
            let top = (frame?.y ?? -1) - (isGrid ? 1 : 0)
            #expect(top >= 1, "the selection's frame is below the bar")
            #expect((frame?.y ?? 99) + (frame?.size.rows ?? 99) <= scene.size.rows - 1)
        }
        let awaited = Set(rig.thumbnails.waiting.map(\.request.address))
        let titles = Set(awaited.map(\.title))
        for tile in gallery.tiles where tile.picture.spins && rig.main.waitingCount == 0 {
            #expect(titles.contains(tile.title), "what spins is on its way")
        }
    }

    /// Delivers everything; all visible pictures are then ready or have failed, and no spinner turns.
    mutating func finish() {
        rig.model.resize(to: CellSize(columns: 100, rows: 30), cellAspect: 2)
        rig.pages.open()
        for _ in 0..<12 {
            rig.settle()
            rig.thumbnails.releaseAll()
            rig.press(.escape)
        }
        // A filter may hide everything.
        rig.type("f")
        rig.press(.escape)
        rig.settle()
        rig.thumbnails.releaseAll()
        rig.settle()
        #expect(rig.thumbnails.transfersInFlight == 0)
        #expect(rig.gallery?.tiles.isEmpty == false)
        #expect(rig.gallery?.tiles.allSatisfy { $0.picture.isReady || $0.picture.isFailed } == true)
        #expect(!rig.model.isAnimating)
        #expect(!rig.model.needsDisplay)
    }
}

extension Address {
    /// The section of a made-up page.
    fileprivate var section: Substring { text.dropFirst(8).prefix { $0 != "." } }

    /// The title of a made-up picture: "https://s0.example/p1/2.jpg" is "0.1.2".
    fileprivate var title: String {
        let parts = text.split { !$0.isNumber }
        return parts.joined(separator: ".")
    }
}
