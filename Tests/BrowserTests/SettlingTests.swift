import Gallery
import Network
import Pipeline
import Raster
import TestSupport
import Testing
import Thumbnails
import Trace

@testable import Browser

/// `update()` derives what follows from the state, and `scene()` only describes it.
@MainActor @Suite("Settling") struct SettlingTests {
    /// All calls that the loaders, pages and trace have received.
    private struct Heard: Equatable {
        var pages: [GatedPages.Load]
        var requests: [ThumbnailRequest]
        var pinned: [ThumbnailRequest]
        var previewed: [ThumbnailRequest]
        var counts: [Int]

        @MainActor init(_ rig: Rig) {
            let thumbnails = rig.thumbnails
            pages = rig.pages.loads
            requests = thumbnails.requests
            pinned = thumbnails.pinned
            previewed = thumbnails.previewed
            counts = [
                thumbnails.cachedCalls, thumbnails.cancelledCount, thumbnails.frames.askedCount,
                rig.details.asked.count, rig.details.cancelled.count, rig.main.waitingCount,
            ]
        }
    }

    @Test(
        "reading the scene twice returns the same result and has no side effects",
        arguments: ["", "v", "j", "G", "/x", "i", "?", "R", "\r", "\r+", "\ri", "\rn"])
    func pure(keys: String) throws {
        let folder = try ScratchFolder()
        let tracer = try Tracer(path: folder.path + "/trace.json")
        let rig = Rig([[60, 60], [7]], tracer: tracer)
        rig.thumbnails.animate(Rig.image(0, 0, 0), delays: [100, 50])
        rig.pages.release(Rig.address(0, 0))
        rig.loadPictures()
        for isSettled in [false, true] {
            for scalar in keys.unicodeScalars {
                rig.press(scalar == "\r" ? .enter : .character(scalar))
            }
            if isSettled { rig.model.update() }
            let (heard, needsDisplay) = (Heard(rig), rig.model.needsDisplay)
            let scenes = [rig.model.scene(), rig.model.scene()]
            #expect(scenes[0] == scenes[1])
            #expect(Heard(rig) == heard)
            #expect(rig.model.needsDisplay == needsDisplay)
            #expect(rig.model.updateDue == nil)
            rig.model.didDisplay()
            rig.loadPictures()
        }
        try tracer.close()
        let trace = String(decoding: folder.read("trace.json"), as: UTF8.self)
        #expect(trace.contains("\"update\"") && !trace.contains("\"scene\""))
    }

    @Test("pictures of a new page are requested even if no frame is drawn")
    func withoutFrame() {
        let rig = Rig([[60, 60]])
        rig.pages.release(Rig.address(0, 0))
        rig.main.drain()
        #expect(rig.thumbnails.requests.isEmpty)
        rig.model.update()
        #expect(rig.thumbnails.waiting.first?.request.address == Rig.image(0, 0, 0))
        #expect(rig.model.needsDisplay)
        rig.type("G")
        rig.model.update()
        #expect(rig.pages.waiting == [Rig.address(0, 1)])
    }

    @Test("an update is free while nothing changes, and cheap while pictures arrive")
    func cheap() {
        let rig = Rig([[240]])
        rig.loadPages()
        let before = rig.thumbnails.cachedCalls
        rig.model.update()
        rig.thumbnails.releaseAll()
        rig.main.drain()
        rig.model.update()
        #expect(rig.thumbnails.cachedCalls == before)
        #expect(rig.model.needsDisplay)
        rig.draw()
        #expect(rig.gallery?.tiles.allSatisfy { $0.picture.isReady } == true)
        #expect(rig.thumbnails.cachedCalls == before)
    }

    @Test("a picture in memory is ready after the first update that needs it")
    func memory() {
        let rig = Rig([[240]])
        rig.loadPages()
        rig.loadPictures()
        rig.type("G")
        rig.loadPictures()
        rig.type("g")
        rig.model.update()
        guard case .gallery(let gallery) = rig.model.scene().body else { return }
        #expect(gallery.tiles.count == 9 && gallery.tiles.allSatisfy { $0.picture.isReady })
    }

    @Test("leaving an album discards everything learnt about its pictures")
    func closedAlbum() throws {
        let rig = Rig([[2]])
        var page = Rig.page(0, 0, count: 2)
        page.pictures[0].kind = .album
        page.pictures[0].link = Rig.address(5, 0)
        rig.pages.set(.success(page), at: Rig.address(0, 0))
        var album = Rig.page(5, 0, count: 3)
        album.pictures[0].link = Rig.address(6, 0)
        album.pictures[1].variants[0].address = try #require(
            Address("https://s5.example/thumbs/1_s.jpg"))
        rig.pages.set(.success(album), at: Rig.address(5, 0))
        rig.loadPages()
        rig.press(.enter)
        rig.loadPictures()
        rig.press(.enter)
        rig.settle()
        rig.details.release(Rig.address(6, 0), .failure(.noPictures))
        rig.loadPictures()
        let viewer = rig.model.viewer
        let level = rig.model.gallery.level
        let ids = (0..<2).map(level.id(ofPicture:))
        let guessed = try #require(level.picture(ids[1]))
        let likeliest = try #require(FullSizeGuess.guesses(for: guessed).first)
        #expect(viewer.guesses.guess(for: ids[1], guessed) != likeliest)
        #expect(viewer.details?.failure(of: ids[0]) != nil)
        rig.press(.escape, .escape)
        rig.settle()
        #expect(rig.selected == "0.0.0")
        #expect(viewer.guesses.guess(for: ids[1], guessed) == likeliest)
        #expect(viewer.details?.failure(of: ids[0]) == nil)
    }
}

/// `R` with the real loader, fetcher, cache and server.
@MainActor @Suite("Reloading") struct ReloadingTests {
    /// Serves a gallery of two pages, cacheable for an hour, with four pictures each.
    private func serve(_ server: LoopbackServer, _ titles: [String]) {
        for page in 0..<2 {
            let figures = titles[page * 4..<page * 4 + 4].map {
                "<figure><img src=/\($0.prefix(1)).jpg width=300 height=225><figcaption>\($0)</figcaption></figure>"
            }
            let next = page == 0 ? "<a rel=next href=/1>next</a>" : ""
            server.route("/\(page)") { _ in
                .html(
                    "<title>shifting</title><main>\(figures.joined())</main>\(next)",
                    headers: [("Cache-Control", "max-age=3600")])
            }
        }
    }

    @Test("a picture that moved from the first page to the second is still there after R")
    func laterPages() throws {
        let server = try LoopbackServer()
        let folder = try ScratchFolder()
        var options = NetworkOptions()
        options.sources = [Address(server.url("/"))].compactMap(\.self)
        options.cacheFolder = folder.path + "/cache"
        let fetcher = FetchStage(options: options)
        let main = ManualMain()
        let thumbnails = GatedThumbnails()
        let model = BrowserModel(
            sources: [
                Source(argument: "shifting", address: try #require(Address(server.url("/0"))))
            ],
            options: BrowserOptions(), pages: GalleryLoader(fetcher: fetcher),
            thumbnails: thumbnails, main: main, tracer: .disabled)
        model.resize(to: CellSize(columns: 80, rows: 100), cellAspect: 2)
        func titles() throws -> [String] {
            repeat {
                try #require(main.waitForPost())
                main.drain()
                model.update()
            } while model.scene().bottom.isLoading || model.scene().bottom.position.contains("+")
            guard case .gallery(let gallery) = model.scene().body else { return [] }
            return gallery.tiles.map(\.title)
        }
        let old = ["a", "b", "c", "d", "e", "f", "g", "h"].map { $0 + "-picture" }
        serve(server, old)
        model.start()
        #expect(try titles() == old)
        let new = ["new-picture"] + old.dropLast()
        serve(server, new)
        model.handle(.key("R"))
        model.update()
        #expect(try titles() == new)
        // The pictures of both pages are requested again, with one generation.
        let generations = Set(thumbnails.requests.suffix(8).map(\.generation))
        #expect(generations.count == 1 && generations.allSatisfy { $0 > .any })
    }
}
