import Raster
import TestSupport
import Testing

extension EndToEnd {
    /// The `:` line and the places it opens.
    @Suite("Command line") struct CommandLineTests {
        let folder: ScratchFolder

        init() throws { folder = try ScratchFolder() }

        private func opened(_ gallery: ProgramGallery) throws -> ProgramScreen {
            let screen = try ProgramScreen(["--output", folder.path, gallery.address], in: folder)
            #expect(screen.wait { $0.position.hasPrefix("1/") }, "\(screen.screen.text)")
            return screen
        }

        private func typeLine(_ line: String, on screen: ProgramScreen) {
            screen.type(":" + line)
            #expect(screen.waitFor(":" + line), "\(screen.bottom)")
            screen.type(Keys.enter)
        }

        @Test("commands run by name or prefix; numbers select pictures; errors are reported")
        func names() throws {
            let screen = try opened(ProgramGallery(count: 12))
            typeLine("5", on: screen)
            #expect(screen.waitForSelected(5))
            typeLine("rev", on: screen)
            #expect(screen.wait { $0.position == "8/12" }, "\(screen.bottom)")
            typeLine("sort title", on: screen)
            #expect(screen.wait { $0.position == "5/12" }, "\(screen.bottom)")
            typeLine("filter picture 01", on: screen)
            #expect(screen.waitFor("4 of 12 pictures"))
            typeLine("frob", on: screen)
            #expect(screen.waitFor("no such command: frob"))
            typeLine("so", on: screen)
            typeLine("page-", on: screen)
            #expect(screen.waitFor("page-: page-down, page-up?"), "\(screen.bottom)")
            typeLine("mark x", on: screen)
            #expect(screen.waitFor("mark takes nothing"))
            typeLine("quit", on: screen)
            #expect(screen.waitForExit() == .code(0))
        }

        @Test("Tab completes commands, arguments and paths; Up recalls earlier input")
        func completion() throws {
            _ = try folder.write(ProgramPictures.png(RGB(0x102030)), to: "shots/one.png")
            _ = try folder.write(ProgramPictures.png(RGB(0x405060)), to: "shots/two.png")
            let screen = try opened(ProgramGallery(count: 12))
            screen.type(":sor\tti\t")
            #expect(screen.wait { $0.bottom.contains(":sort title ") }, "\(screen.bottom)")
            screen.type("\u{15}page-\t")
            #expect(screen.waitFor(":page-   page-down  page-up"), "\(screen.bottom)")
            screen.type("\u{15}open ~/sho\t")
            #expect(screen.waitFor(":open ~/shots/"), "\(screen.bottom)")
            screen.type("\t")
            #expect(screen.waitFor(":open ~/shots/   one.png  two.png"), "\(screen.bottom)")
            screen.type(Keys.enter)
            #expect(screen.wait { $0.position == "1/2" }, "\(screen.screen.text)")
            #expect(screen.waitFor("one"))
            screen.type(":\u{1B}OA")
            #expect(screen.waitFor(":open ~/shots/"), "\(screen.bottom)")
        }

        @Test(
            "open shows another location; back and forward go through the history",
            arguments: [("<", ">"), ("\u{1B}[1;3D", "\u{1B}[1;3C")])
        func places(back: String, forward: String) throws {
            let other = try ProgramGallery(title: "Second", first: 40, count: 3)
            let screen = try opened(ProgramGallery(count: 12))
            screen.type("3l")
            #expect(screen.waitForSelected(4))
            typeLine("open " + other.address, on: screen)
            #expect(screen.waitForSelected(40), "\(screen.screen.text)")
            #expect(screen.waitForThumbnails([40]))
            screen.type("l")
            #expect(screen.waitForSelected(41))
            screen.type(back)
            #expect(screen.waitForSelected(4), "\(screen.screen.text)")
            screen.type(forward)
            #expect(screen.waitForSelected(41), "\(screen.screen.text)")
            #expect(screen.waitForThumbnails([40, 41]))
            screen.type(forward)
            #expect(screen.waitFor("nothing to go forward to"))
            typeLine("open /nowhere/at/all", on: screen)
            #expect(screen.waitFor("/nowhere/at/all: no such file or folder"))
        }

        @Test(":open sends headers only to the SOURCE's origin and cookies only to its host")
        func headers() throws {
            let gallery = try ProgramGallery(count: 24, perPage: 12)
            let other = try ProgramGallery(title: "Second", first: 40, count: 3)
            let jar = ["127.0.0.1", "localhost"].map { "\($0)\tFALSE\t/\tFALSE\t0\tkey\t2\n" }
            let cookies = try folder.write(jar.joined(), to: "cookies.txt")
            let screen = try ProgramScreen(
                ["--header", "X-Key: 1", "--cookies", cookies, gallery.address], in: folder)
            #expect(screen.wait { $0.position.hasPrefix("1/") }, "\(screen.screen.text)")
            // Cookies ignore ports.
            let elsewhere = other.address.replacing("127.0.0.1", with: "localhost")
            typeLine("open " + elsewhere, on: screen)
            #expect(screen.waitForSelected(40), "\(screen.screen.text)")
            #expect(screen.waitForThumbnails([40]))
            gallery.server.route("/again") { [html = gallery.html(2)] _ in .html(html) }
            typeLine("open " + gallery.server.url("/again"), on: screen)
            #expect(screen.waitForSelected(13), "\(screen.screen.text)")
            #expect(gallery.server.requests(to: "/again").map { $0.header("x-key") } == ["1"])
            #expect(other.server.requests.count >= 2)
            #expect(gallery.server.requests(to: "/again").map { $0.header("cookie") } == ["key=2"])
            #expect(other.server.requests.allSatisfy { $0.header("x-key") == nil })
            #expect(other.server.requests.allSatisfy { $0.header("cookie") == nil })
        }

        @Test("q asks for confirmation while a picture is being saved")
        func savingWhenLeaving() throws {
            let gallery = try ProgramGallery(count: 12)
            let gate = Gate()
            gallery.server.route(gallery.fullPath(1)) { _ in
                .picture(ProgramGallery.fullColor(1)).held(by: gate)
            }
            let screen = try opened(gallery)
            screen.type("s")
            #expect(gallery.server.waitForRequests(to: gallery.fullPath(1)))
            screen.type("q")
            #expect(screen.waitFor("1 not saved yet"), "\(screen.screen.text)")
            screen.type("q")
            #expect(screen.wait { !$0.screen.shows("1 not saved yet") })
            gate.open()
            #expect(screen.waitFor("saved Picture 001.png"), "\(screen.bottom)")
            #expect(screen.quit() == .code(0))
        }
    }
}
