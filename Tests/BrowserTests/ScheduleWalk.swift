import Dispatch
import Gallery
import Glibc
import Network
import Pipeline
import Raster
import TestSupport
import Testing
import Trace

@testable import Browser
@testable import Thumbnails

/// A random walk: the real view model with the real pipeline and a real, unreliable server.
@MainActor struct ScheduleWalk {
    let site: UnreliableSite
    let fetcher: CountingFetcher
    let pipeline: ThumbnailPipeline
    let model: BrowserModel
    let main = ManualMain()
    let clock = ManualClock()
    private var random: SeededRandom

    private static let connections = 4
    /// Small, so that most of what was drawn is evicted again.
    private static let memoryBytes = 200_000
    private static let keys =
        "hjklhjklhjkl    bbb g G v + - = n p i r R t B 3 7 S m f /".unicodeScalars.map {
            Key.character($0)
        } + [.enter, .enter, .escape, .escape, .tab, .control("d"), .control("u"), .end, .home]

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        site = try UnreliableSite()
        var network = NetworkOptions()
        network.connectionsPerHost = Self.connections
        network.timeout = 1
        network.retries = 0
        fetcher = CountingFetcher(FetchStage(options: network))
        var memory = ThumbnailOptions.test
        memory.reducedBytes = Self.memoryBytes
        memory.cellsBytes = Self.memoryBytes
        pipeline = ThumbnailPipeline(fetcher: fetcher, options: memory)
        let start = try #require(Address(site.server.url("/page/0")))
        model = BrowserModel(
            sources: [Source(argument: "walk", address: start)], options: BrowserOptions(),
            pages: GalleryLoader(fetcher: fetcher), thumbnails: pipeline, main: main,
            tracer: .disabled, clock: { [clock] in clock.now })
        model.resize(to: CellSize(columns: 100, rows: 40), cellAspect: 2)
        model.start()
    }

    // MARK: Steps

    mutating func step() {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<40: press(Self.keys.randomElement(using: &random) ?? "j")
        case 40..<48: fling()
        case 48..<58: wheel()
        case 58..<74: main.drain()
        case 74..<78: resize()
        case 78..<80: pipeline.memory.drop(to: .random(in: 0...100_000, using: &random))
        case 80..<82: model.tick()
        case 82..<90: passTime()
        default: letOthersRun()
        }
        if Int.random(in: 0..<4, using: &random) > 0 {
            model.draw()
        }
    }

    private func press(_ key: Key) {
        model.handle(.key(key))
    }

    /// Pages once per key repeat.
    private mutating func fling() {
        let key: Key = Bool.random(using: &random) ? " " : "b"
        for _ in 0..<Int.random(in: 2..<8, using: &random) {
            clock.now += 0.033
            press(key)
            model.draw()
        }
    }

    private mutating func wheel() {
        let rows = Int.random(in: -6...6, using: &random)
        model.handle(.wheel(rows: rows))
    }

    private mutating func resize() {
        let size = CellSize(
            columns: .random(in: 20...110, using: &random),
            rows: .random(in: 4...44, using: &random))
        model.resize(to: size, cellAspect: 2)
    }

    private mutating func passTime() {
        clock.now += [0.005, 0.016, 0.04, 0.11, 1].randomElement(using: &random) ?? 1
        if let due = model.frameDue, due <= clock.now {
            model.showDueFrame(at: clock.now)
        }
    }

    /// Yields until the pipeline has done what was requested.
    private func letOthersRun() {
        for _ in 0..<4 {
            PipelineActor.settle(hops: 1)
            sched_yield()
        }
        main.drain()
    }

    // MARK: Invariants

    /// Checks what must hold at any moment.
    func check() throws {
        model.draw()
        #expect(fetcher.transfersInFlight <= Self.connections)
        #expect(pipeline.memory.cost <= 2 * Self.memoryBytes)
        let level = model.gallery.level
        if let number = level.selectedNumber {
            #expect((0..<level.layout.pictureCount).contains(number))
            let frame = level.layout.frame(ofPicture: number)
            let isSeen = level.visibleRows.overlaps(frame.y..<frame.y + frame.size.rows)
            #expect(isSeen || model.display.size.rows < 6, "the selection is on the screen")
        } else {
            #expect(level.layout.pictureCount == 0)
        }
    }

    /// Checks what must hold once scrolling has stopped: everything visible is ready or has failed, and nothing is in progress.
    func rest() throws {
        leaveEverything()
        while true {
            clock.now += 1
            main.drain()
            model.draw()
            guard isBusy else { break }
            try #require(main.waitForPost(), "something stays on its way for ever")
        }
        #expect(model.frameDue == nil)
        #expect(!model.isAnimating)
        #expect(fetcher.underWay == 0)
        let seen = model.gallery.level.visiblePictures
        for number in seen {
            let id = model.gallery.level.id(ofPicture: number)
            let tiles = model.gallery.tiles
            #expect(
                tiles.ready(id) != nil || tiles.failure(of: id) != nil,
                "picture \(number) never came")
        }
    }

    /// Closes dialogs, viewer and albums, and returns to an unfiltered gallery on a screen of usual size.
    private func leaveEverything() {
        model.resize(to: CellSize(columns: 100, rows: 40), cellAspect: 2)
        for _ in 0..<12 { press(.escape) }
        press("f")
        for _ in 0..<40 { press(.backspace) }
        press(.enter)
        for _ in 0..<4 { press(.escape) }
    }

    private var isBusy: Bool {
        let level = model.gallery.level
        let (sections, tiles) = (level.sections, model.gallery.tiles)
        return pipeline.transfersInFlight > 0 || fetcher.underWay > 0 || main.waitingCount > 0
            || sections.contains(where: \.isLoading)
            || (0..<level.layout.pictureCount).contains {
                tiles.isLoading(level.id(ofPicture: $0))
            }
            || model.needsDisplay
    }

    /// Waits for transfers without subscribers, which are allowed to finish: they end soon, without a notification.
    func awaitQuiet() {
        let deadline = DispatchTime.testDeadline
        while fetcher.transfersInFlight > 0, .now() < deadline {
            PipelineActor.settle(hops: 1)
            sched_yield()
        }
        #expect(fetcher.transfersInFlight == 0)
    }
}
