import Raster
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Independent loading") struct IndependenceTests {
        let folder: ScratchFolder

        init() throws { folder = try ScratchFolder() }

        @Test("a stalled section leaves the other one complete and keeps its position")
        func heldSection() throws {
            let slow = try ProgramGallery(title: "Slow", first: 1, count: 3)
            let quick = try ProgramGallery(title: "Quick", first: 21, count: 3)
            let gate = Gate()
            slow.server.route(slow.pagePath(1)) { [html = slow.html(1)] _ in
                .html(html).held(by: gate)
            }
            let screen = try ProgramScreen([slow.address, quick.address], in: folder)
            #expect(screen.waitForThumbnails(21...23), "\(screen.screen.text)")
            #expect(screen.waitFor(slow.address))
            #expect(slow.pageRequests == [1])
            gate.open()
            #expect(screen.waitFor("Slow"), "\(screen.screen.text)")
            #expect(screen.wait { $0.position == "1/3" && $0.bottom.contains("1 of 2") })
            screen.type("g")
            #expect(screen.waitForThumbnails(1...3), "\(screen.screen.text)")
            let places = [2, 22].compactMap { screen.place(of: ProgramGallery.title($0))?.y }
            #expect(places.count < 2 || places[0] < places[1])
            screen.type("l")
            #expect(screen.waitForSelected(2))
        }

        @Test("pictures stalled by one server do not delay another server's")
        func heldServer() throws {
            let slow = try ProgramGallery(title: "Slow", first: 1, count: 3)
            let quick = try ProgramGallery(title: "Quick", first: 21, count: 3)
            let gate = Gate()
            slow.server.route(below: "/thumbs/") { _ in .status(404) }
            for number in slow.pictures {
                slow.server.route(slow.thumbnailPath(number)) { _ in
                    .picture(ProgramGallery.color(number)).held(by: gate)
                }
            }
            let screen = try ProgramScreen(
                [slow.address, quick.address], in: folder, size: EndToEnd.sizes[1])
            #expect(screen.waitForThumbnails(21...23), "\(screen.screen.text)")
            #expect(slow.server.waitForRequests(to: slow.thumbnailPath(3)))
            #expect((1...3).allSatisfy { !screen.showsThumbnail($0) })
            gate.open()
            #expect(screen.waitForThumbnails([1, 2, 3, 21, 22, 23]), "\(screen.screen.text)")
        }

        @Test("a failed section leaves the other one complete behind its dialog")
        func failedSection() throws {
            let broken = try ProgramGallery(title: "Broken", first: 1, count: 3)
            let sound = try ProgramGallery(title: "Sound", first: 21, count: 3)
            broken.server.route(broken.pagePath(1)) { _ in .status(404) }
            let screen = try ProgramScreen([broken.address, sound.address], in: folder)
            #expect(screen.waitFor("the server answered 404"), "\(screen.screen.text)")
            screen.type(Keys.escape)
            #expect(screen.waitForThumbnails(21...23), "\(screen.screen.text)")
            #expect(screen.quit() == .code(0))
        }

        @Test("a stalled picture delays no other, both on screen and in the trace")
        func heldPicture() throws {
            let gallery = try ProgramGallery(count: 6)
            let gate = Gate()
            gallery.server.route(gallery.thumbnailPath(2)) { _ in
                .picture(ProgramGallery.color(2)).held(by: gate)
            }
            let file = folder.path + "/trace.json"
            let screen = try ProgramScreen(["--trace", file, gallery.address], in: folder)
            #expect(screen.waitForThumbnails([1, 3, 4, 5, 6]), "\(screen.screen.text)")
            #expect(!screen.showsThumbnail(2))
            gate.open()
            #expect(screen.waitForThumbnails(1...6))
            #expect(screen.quit() == .code(0))

            let trace = try ProgramTrace(folder.read("trace.json"))
            let held = gallery.server.url(gallery.thumbnailPath(2))
            let heldUntil = try #require(trace.end(of: "request", about: held))
            for number in [1, 3, 4, 5, 6] {
                let address = gallery.server.url(gallery.thumbnailPath(number))
                for name in ["fetch", "request", "decode", "shrink", "draw"] {
                    let end = try #require(
                        trace.end(of: name, about: address), "\(name) \(address)")
                    #expect(end < heldUntil, "\(name) of \(address)")
                }
            }
            #expect(try #require(trace.end(of: "draw", about: held)) > heldUntil)
        }

        @Test("a trace contains spans for pages and frames, and counters")
        func trace() throws {
            let gallery = try ProgramGallery(count: 24, perPage: 12)
            let file = folder.path + "/trace.json"
            let screen = try ProgramScreen(["--trace", file, gallery.address], in: folder)
            #expect(screen.waitForThumbnails(1...6))
            #expect(screen.wait { $0.position == "1/24" })
            #expect(screen.quit() == .code(0))
            let trace = try ProgramTrace(folder.read("trace.json"))
            for page in 1...2 {
                let address = gallery.server.url(gallery.pagePath(page))
                #expect(trace.spans("page", about: address).map(\.outcome) == ["ok"])
            }
            #expect(!trace.spans("frame").isEmpty)
            // The last one may be cut off by the exit.
            #expect(trace.spans("write").count >= trace.spans("frame").count - 1)
            let counters: Set = [
                "transfers", "hits cells", "resident bytes", "bytes", "microseconds blocked",
            ]
            #expect(trace.counters.isSuperset(of: counters), "\(trace.counters)")
            #expect(trace.events.allSatisfy { $0.ph != "X" || ($0.dur ?? -1) >= 0 })
        }

        @Test("a trace is complete even after a signal")
        func traceAfterSignal() throws {
            let gallery = try ProgramGallery(count: 3)
            let screen = try ProgramScreen(
                ["--trace", folder.path + "/trace.json", gallery.address], in: folder)
            #expect(screen.waitForThumbnails(1...3))
            screen.type(Keys.interrupt)
            #expect(screen.waitForExit() == .code(130))
            let trace = try ProgramTrace(folder.read("trace.json"))
            #expect(trace.spans("page").count == 1)
        }
    }
}
