import Glibc
import Raster
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Exiting") struct EndingTests {
        let folder: ScratchFolder
        let gallery: ProgramGallery

        init() throws {
            folder = try ScratchFolder()
            gallery = try ProgramGallery(count: 6)
        }

        private func running(_ arguments: String...) throws -> ProgramScreen {
            let screen = try ProgramScreen(arguments + [gallery.address], in: folder)
            #expect(screen.waitForThumbnails(1...6), "\(screen.screen.text)")
            // Otherwise the comparison below would prove nothing.
            #expect(screen.screen.isAlternate)
            #expect(!screen.screen.modes.contains(25))
            #expect(screen.screen.modes.isSuperset(of: [1000, 1006]))
            #expect(!screen.process.attributes.isSame(as: screen.attributesBefore))
            return screen
        }

        @Test("q exits with status 0 and restores the terminal")
        func quit() throws {
            let screen = try running()
            #expect(screen.quit() == .code(0))
            #expect(screen.leftBehind.isEmpty, "\(screen.leftBehind)")
            #expect(screen.screen.text.allSatisfy { $0 == "\n" }, "\(screen.screen.text)")
        }

        @Test(
            "signals exit with status 128 plus their number and restore the terminal",
            arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT])
        func signal(number: Int32) throws {
            let screen = try running()
            screen.process.signal(number)
            #expect(screen.waitForExit() == .code(128 + number))
            #expect(screen.leftBehind.isEmpty, "\(screen.leftBehind)")
        }

        @Test("^C exits with status 130")
        func interrupt() throws {
            let screen = try running()
            screen.type(Keys.interrupt)
            #expect(screen.waitForExit() == .code(130))
            #expect(screen.leftBehind.isEmpty, "\(screen.leftBehind)")
        }

        @Test(
            "a crash restores the terminal and still ends by its signal",
            arguments: [SIGSEGV, SIGILL, SIGABRT])
        func crash(number: Int32) throws {
            let screen = try running()
            screen.process.signal(number)
            #expect(screen.waitForExit() == .signal(number))
            #expect(screen.leftBehind.isEmpty, "\(screen.leftBehind)")
        }

        @Test(
            "no exit path runs library finalisers while threads are still working",
            arguments: ["--version", "--nonsense", "--urls", "--print", "--json"])
        func exitHandlers(mode: String) throws {
            // One of the modes meets a server that refuses connections.
            if mode == "--json" { gallery.server.stop() }
            // The dynamic loader reports what it initializes and finalizes.
            let run = try ProgramRun(
                [mode, gallery.address], in: folder, environment: ["LD_DEBUG": "files"])
            #expect(run.code == ["--nonsense": 2, "--json": 1][mode] ?? 0)
            #expect(run.errors.contains { $0.contains("calling init:") })
            #expect(!run.errors.contains { $0.contains("calling fini:") })
        }

        @Test("the program ends when its terminal goes away, as when a window is closed")
        func hangUp() throws {
            let screen = try running()
            screen.process.hangUp()
            #expect(screen.waitForExit() == .code(128 + SIGHUP))
        }

        @Test("a signal ends the program at once while pages and pictures are loading")
        func whileLoading() throws {
            let gate = Gate()
            gallery.server.route(gallery.pagePath(1)) {
                [html = gallery.html(1, linked: "/held")] _ in
                .html(html)
            }
            gallery.server.route("/held") { _ in .status(404).held(by: gate) }
            gallery.server.route(gallery.thumbnailPath(6)) { _ in .status(404).held(by: gate) }
            let screen = try ProgramScreen([gallery.address], in: folder)
            #expect(screen.waitForThumbnails(1...5), "\(screen.screen.text)")
            screen.process.signal(SIGTERM)
            #expect(screen.waitForExit() == .code(143))
            #expect(screen.leftBehind.isEmpty, "\(screen.leftBehind)")
            gate.open()
        }

        @Test("q exits at once while a page is stalled")
        func quitWhileLoading() throws {
            let gate = Gate()
            gallery.server.route(gallery.pagePath(1)) { _ in .status(404).held(by: gate) }
            let screen = try ProgramScreen([gallery.address], in: folder)
            #expect(gallery.server.waitForRequests(to: gallery.pagePath(1)))
            #expect(screen.waitFor("loading"))
            #expect(screen.quit() == .code(0))
            #expect(screen.leftBehind.isEmpty, "\(screen.leftBehind)")
            gate.open()
        }

        @Test("if no section loads, the exit status is 1 and the reason is on standard error")
        func nothingLoaded() throws {
            gallery.server.route(gallery.pagePath(1)) { _ in .status(404) }
            let screen = try ProgramScreen([gallery.address], in: folder, size: EndToEnd.sizes[1])
            #expect(screen.waitFor("the server answered 404"))
            screen.type(Keys.escape)
            #expect(screen.wait { !$0.screen.shows("Retry") })
            #expect(screen.quit() == .code(1))
            #expect(screen.leftBehind.isEmpty, "\(screen.leftBehind)")
            let line = "halftone: \(gallery.address): the server answered 404 Not Found"
            #expect(screen.screen.shows(line), "\(screen.screen.text)")
        }
    }
}
