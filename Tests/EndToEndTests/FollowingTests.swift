import Basics
import Dispatch
import FoundationEssentials
import Glibc
import Raster
import State
import TestSupport
import Testing

extension EndToEnd {
    /// Galleries that are followed, from one run to the next.
    @Suite("Followed galleries") struct FollowingTests {
        let folder: ScratchFolder
        let gallery: ProgramGallery
        private static let size = CellSize(columns: 120, rows: 40)

        init() throws {
            folder = try ScratchFolder()
            gallery = try ProgramGallery(count: 4)
            Self.show([1, 2, 3, 4], in: gallery)
        }

        /// Lets a gallery's page have these pictures; those that have been moved are at other addresses.
        private static func show(
            _ numbers: [Int], moved: Set<Int> = [], in gallery: ProgramGallery, next: String = ""
        ) {
            let figures = numbers.map { number -> String in
                let folder = moved.contains(number) ? "/moved" : ""
                for (place, color) in [
                    (gallery.thumbnailPath(number), ProgramGallery.color(number)),
                    (gallery.fullPath(number), ProgramGallery.fullColor(number)),
                ] { gallery.server.route(folder + place) { _ in .picture(color) } }
                return """
                    <figure class="item"><a href="\(folder)\(gallery.fullPath(number))">\
                    <img src="\(folder)\(gallery.thumbnailPath(number))" width="80" height="60" alt=""></a>\
                    <figcaption>\(ProgramGallery.title(number))</figcaption></figure>
                    """
            }
            let html =
                "<html><head><title>\(gallery.title)</title></head><body><div class=\"gallery\">"
                + figures.joined(separator: "\n") + "</div>\(next)</body></html>"
            gallery.server.route(gallery.pagePath(1)) { request in
                // Runs within one second would share the page otherwise.
                .validated(
                    Array(html.utf8), type: "text/html", tag: "\"\(html.hashValue)\"",
                    for: request, headers: [("Cache-Control", "no-cache")])
            }
        }

        private func opened(_ arguments: [String] = []) throws -> ProgramScreen {
            try ProgramScreen(arguments + [gallery.address], in: folder, size: Self.size)
        }

        private func leave(_ screen: ProgramScreen) { #expect(screen.quit() == .code(0)) }

        /// Follows the gallery in a run of the program.
        private func follow() throws {
            let screen = try opened()
            #expect(screen.waitForThumbnails(1...4), "\(screen.screen.text)")
            screen.type(":follow\r")
            let name = gallery.address.dropFirst("http://".count)
            #expect(screen.waitFor("following \(name): what comes from now on is new"))
            leave(screen)
        }

        /// Follows addresses at once.
        private func follow(_ addresses: [String], seen: [String] = []) {
            let store = StateStore(folder: folder.path + "/.local/state/halftone") { _ in }
            for address in addresses { store.setFollowed(address, true) }
            store.keep(seen: seen)
            store.finish(milliseconds: 300_000)
        }

        /// Whether these pictures, and no others, are marked as new.
        private func marks(_ numbers: [Int], _ screen: ProgramScreen) -> Bool {
            let marks = (0..<screen.screen.size.rows).reduce(0) { count, row in
                count + screen.screen.text(row: row).count { $0 == "•" }
            }
            return marks == numbers.count
                && numbers.allSatisfy { screen.screen.shows("• " + ProgramGallery.title($0)) }
        }

        /// Whether these pictures are drawn somewhere.
        private func draws(_ numbers: [Int], _ screen: ProgramScreen) -> Bool {
            let size = screen.screen.size
            let body = CellRect(x: 0, y: 1, columns: size.columns, rows: size.rows - 2)
            return screen.colors(in: body).isSuperset(
                of: numbers.map { CellColor(ProgramGallery.color($0)) })
        }

        @Test("what is new is marked until it was seen; what was moved is not new")
        func marked() throws {
            try follow()
            Self.show([1, 2, 20, 21, 3, 4], moved: [3, 4], in: gallery)
            let screen = try opened()
            #expect(
                screen.wait { draws([1, 2, 3, 4, 20, 21], $0) && marks([20, 21], $0) },
                "\(screen.screen.text)")
            screen.type("G^")
            #expect(screen.wait { $0.position == "3/6" })
            screen.type("fpicture\r:hide-seen\r")
            #expect(screen.waitFor("picture is:new: 2 of 6 pictures"), "\(screen.screen.text)")
            screen.type(":hide-seen\r")
            #expect(screen.waitFor("picture: 6 of 6 pictures"))
            screen.type("R")
            #expect(screen.wait { _ in gallery.server.count(of: gallery.pagePath(1)) == 3 })
            screen.settle()
            #expect(marks([20, 21], screen), "they stay marked: \(screen.screen.text)")
            leave(screen)
            let again = try opened()
            #expect(again.wait { draws([3, 4, 20, 21], $0) && marks([], $0) })
            again.type("^")
            #expect(again.waitFor("nothing here is new"))
            leave(again)
            Self.show([1, 2, 20, 21, 3, 4], moved: [3, 20], in: gallery)
            let last = try opened()
            #expect(last.wait { draws([3, 4, 20, 21], $0) && marks([], $0) })
            leave(last)
        }

        @Test("what was not drawn is still new in the next run")
        func undrawn() throws {
            try follow()
            Self.show([20, 21, 1, 2], in: gallery)
            let gate = Gate()
            gallery.server.route(gallery.thumbnailPath(20)) { _ in
                .picture(ProgramGallery.color(20)).held(by: gate)
            }
            let screen = try opened()
            #expect(screen.wait { draws([21, 1, 2], $0) && marks([20, 21], $0) })
            leave(screen)
            gate.open()
            for numbers in [[20], []] {
                let screen = try opened()
                #expect(
                    screen.wait { draws([20, 21], $0) && marks(numbers, $0) },
                    "\(screen.screen.text)")
                leave(screen)
            }
        }

        @Test("what was never on the screen is still new")
        func beyondTheScreen() throws {
            try follow()
            Self.show(Array(1...60), in: gallery)
            let screen = try opened()
            #expect(screen.wait { draws(Array(1...8), $0) && marks([], $0) == false })
            leave(screen)
            let again = try opened(["--fresh"])
            #expect(again.wait { draws(Array(1...8), $0) && marks([], $0) })
            again.type("^")
            #expect(again.wait { $0.selectedNumber.map { $0 > 8 } == true })
            again.type(":filter is:new 005\r")
            #expect(again.waitFor("is:new 005: 0 of 60 pictures"), "\(again.screen.text)")
            again.type(":filter is:new 060\r")
            #expect(again.waitFor("is:new 060: 1 of 60 pictures"), "\(again.screen.text)")
            leave(again)
        }

        @Test("further pages are of the same gallery, in every layout and without Unicode")
        func furtherPages() throws {
            try follow()
            Self.show(
                [1, 2, 3, 4], in: gallery, next: "<a rel=\"next\" href=\"/gallery/2\">Next</a>")
            gallery.server.route("/gallery/2") { _ in
                .html(
                    (31...33).map {
                        "<figure><img src=\"/thumbs/\($0).png\" width=80 height=60><figcaption>Picture 0\($0)</figcaption></figure>"
                    }.joined())
            }
            for number in 31...33 {
                gallery.server.route(gallery.thumbnailPath(number)) { _ in
                    .picture(ProgramGallery.color(number))
                }
            }
            let screen = try opened(["--layout", "list"])
            screen.type("G")
            #expect(screen.wait { marks([31, 32, 33], $0) }, "\(screen.screen.text)")
            leave(screen)
            let plain = try ProgramScreen(
                ["--blocks", "ascii", "--colors", "mono", "--layout", "list", gallery.address],
                in: folder, environment: ["LC_ALL": "C", "LANG": ""], size: Self.size)
            plain.type("G")
            #expect(plain.waitFor("Picture 033"), "\(plain.screen.text)")
            leave(plain)
        }

        @Test("a gallery that is no longer followed has nothing new")
        func unfollowed() throws {
            try follow()
            let screen = try opened()
            #expect(screen.waitForThumbnails(1...4))
            screen.type(":follow\r")
            #expect(screen.waitFor("no longer followed"))
            leave(screen)
            Self.show([20, 1, 2], in: gallery)
            let again = try opened()
            #expect(again.wait { draws([20, 1, 2], $0) && marks([], $0) })
            leave(again)
        }

        @Test(
            "the home screen has what is new in each; one that is slow or fails holds up no other, and raises no dialog"
        )
        func home() throws {
            try follow()
            Self.show([20, 1, 2, 3], moved: [3], in: gallery)
            let (same, failing) = (try ProgramGallery(count: 2), try ProgramGallery(count: 2))
            let gate = Gate()
            failing.server.route(failing.pagePath(1)) { _ in .status(404).held(by: gate) }
            follow(
                [failing.address, same.address],
                seen: (1...2).map { same.server.url(same.fullPath($0)) })
            let empty = folder.path + "/empty"
            mkdir(empty, 0o700)
            let screen = try PtyProcess(
                "/bin/sh",
                arguments: ["-c", "cd '\(empty)' && exec \"$0\" --fresh", ProgramRun.executable],
                environment: folder.environment, size: Self.size)
            #expect(
                screen.wait {
                    $0.shows("1 new") && $0.shows("• Picture 020") && $0.shows("▤ Paddock")
                        && $0.shows("nothing new") && $0.shows("Recent places")
                }, "\(screen.screen.text)")
            gate.open()
            #expect(screen.wait { $0.shows("answered 404") }, "\(screen.screen.text)")
            #expect(!screen.screen.shows("did not load"))
            let rows = ["answered 404", "nothing new", "Recent places"].map { text in
                (0..<Self.size.rows).first { screen.screen.text(row: $0).contains(text) } ?? -9
            }
            #expect(rows == [rows[0], rows[0] + 1, rows[0] + 2], "one line each")
            screen.send("l")
            screen.sendAlone("\r")
            // It counts as seen once its picture is there.
            let color = CellColor(ProgramGallery.color(20))
            #expect(
                screen.wait { screen in
                    screen.shows("4 pictures") && screen.shows("• Picture 020")
                        && screen.grid.cells.contains { $0.visibleColors.contains(color) }
                }, "\(screen.screen.text)")
            screen.send(":home")
            screen.sendAlone("\r")
            #expect(
                screen.wait { !$0.shows("1 new") && $0.shows("nothing new") && $0.shows("Recent") },
                "\(screen.screen.text)")
        }

        private func listNew(_ arguments: [String] = []) throws -> ProgramRun {
            try ProgramRun(["--new"] + arguments, in: folder)
        }

        /// The numbers of the pictures in the lines of a run.
        private func numbers(_ run: ProgramRun) -> [String] {
            run.lines.map { line in
                line.firstMatch(of: /"title":"Picture (\d+)"/).map { String($0.1) } ?? line
            }
        }

        @Test("--new prints what is new, once, and asks no server for what has not changed")
        func listed() throws {
            let none = try listNew()
            #expect(none.code == 1 && none.errors == ["halftone: --new: no gallery is followed"])
            try follow()
            let failing = try ProgramGallery(count: 2)
            failing.server.route(failing.pagePath(1)) { _ in .status(404) }
            follow([failing.address])
            let line = "halftone: \(failing.address): the server answered 404 Not Found"
            let same = try listNew()
            #expect(same.code == 0 && same.lines == [] && same.errors == [line])
            let asked = try #require(gallery.server.requests(to: gallery.pagePath(1)).last)
            #expect(asked.header("if-none-match") != nil)
            Self.show([21, 20, 1, 2, 3], moved: [1, 3], in: gallery)
            let json = try ProgramRun(["--json", gallery.address], in: folder)
            let new = try listNew()
            #expect(new.code == 0 && new.errors == [line])
            #expect(new.lines == Array(json.lines.prefix(2)), "\(new.output)")
            let again = try listNew()
            #expect(again.code == 0 && again.lines == [] && again.errors == [line])
            // Their contents were seen, too.
            Self.show([22, 21, 20], moved: [20, 21], in: gallery)
            #expect(numbers(try listNew()) == ["022"])
            // As far as something seen, page by page.
            let next = "<a rel=\"next\" href=\"/older\">older</a>"
            gallery.server.route("/older") { [html = gallery.html(1)] _ in .html(html) }
            Self.show([24, 23], in: gallery, next: next)
            #expect(numbers(try listNew()) == ["024", "023"])
            #expect(gallery.server.count(of: "/older") == 1)
            gallery.server.route(gallery.pagePath(1)) { _ in .status(404) }
            #expect(try listNew().code == 1)
        }

        @Test("--new asks all servers at once")
        func atOnce() throws {
            let gate = Gate()
            let galleries = try (101...160).map { try ProgramGallery(first: $0, count: 1) }
            for gallery in galleries {
                gallery.server.route(gallery.pagePath(1)) { [html = gallery.html(1)] _ in
                    .html(html).held(by: gate)
                }
            }
            follow(galleries.map(\.address))
            let all = DispatchQueue(label: "all")
            all.async {
                for gallery in galleries {
                    guard gallery.server.waitForRequests(to: gallery.pagePath(1)) else { return }
                }
                gate.open()
            }
            let run = try listNew()
            #expect(run.code == 0 && numbers(run) == (101...160).map(String.init), "\(run.output)")
        }

        @Test("headers for a SOURCE are not sent to galleries that are only followed")
        func headers() throws {
            try follow()
            _ = try listNew(["--header", "X-Secret: 1"])
            let requests = gallery.server.requests(to: gallery.pagePath(1))
            #expect(requests.count == 2 && requests.allSatisfy { $0.header("x-secret") == nil })
        }
    }
}
