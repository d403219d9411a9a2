import Raster
import TestSupport
import Testing

extension EndToEnd {
    /// Thumbnails and SOURCEs other than pages of pictures: feeds, albums, detail pages.
    @Suite("Feeds, albums and detail pages") struct AlbumTests {
        let folder: ScratchFolder
        let server: LoopbackServer

        init() throws {
            folder = try ScratchFolder()
            server = try LoopbackServer()
            for number in 1...8 {
                server.route("/thumbs/\(number).png") { _ in .picture(ProgramGallery.color(number))
                }
                server.route("/full/\(number).png") { _ in
                    .picture(ProgramGallery.fullColor(number))
                }
            }
        }

        /// Returns a gallery page of thumbnails, each with a link.
        private func page(_ title: String, _ numbers: ClosedRange<Int>, link: (Int) -> String)
            -> String
        {
            let figures = numbers.map { number in
                """
                <figure><a href="\(link(number))"><img src="/thumbs/\(number).png" width="240" height="180" alt=""></a>
                <figcaption>\(ProgramGallery.title(number))</figcaption></figure>
                """
            }
            return "<title>\(title)</title><main>\(figures.joined())</main>"
        }

        @Test("a feed as SOURCE is shown with its pictures and title")
        func feed() throws {
            let items = (1...3).map { number in
                """
                <item><title>\(ProgramGallery.title(number))</title><link>/entry/\(number)</link>
                <media:content url="\(server.url("/full/\(number).png"))" type="image/png" medium="image"/>
                <media:thumbnail url="\(server.url("/thumbs/\(number).png"))"/></item>
                """
            }
            let feed = """
                <?xml version="1.0"?><rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel>
                <title>Harbour feed</title>\(items.joined())</channel></rss>
                """
            server.route("/feed") { _ in
                .bytes(Array(feed.utf8), type: "application/rss+xml; charset=utf-8")
            }
            let screen = try ProgramScreen([server.url("/feed")], in: folder)
            #expect(screen.waitForThumbnails(1...3), "\(screen.screen.text)")
            #expect(screen.waitFor("Harbour feed"))
            screen.type("l" + Keys.enter)
            #expect(screen.waitForFull(2), "\(screen.screen.text)")
            screen.type(Keys.escape)
            #expect(screen.waitForSelected(2))
            #expect(screen.quit() == .code(0))
        }

        @Test("a link that turns out to be a gallery is opened as an album by Enter; Esc goes back")
        func album() throws {
            server.route("/") { [html = page("Albums", 1...3) { "/set/\($0)/" }] _ in .html(html) }
            server.route("/set/2/") { [html = page("Second set", 4...8) { "/full/\($0).png" }] _ in
                .html(html)
            }
            let screen = try ProgramScreen([server.url("/")], in: folder)
            #expect(screen.waitForThumbnails(1...3), "\(screen.screen.text)")
            screen.type("l" + Keys.enter)
            #expect(screen.waitForThumbnails(4...6), "\(screen.screen.text)")
            screen.type("l")
            #expect(screen.waitForSelected(5))
            screen.type(Keys.escape)
            // It is now known to be an album and carries the symbol.
            #expect(screen.waitFor("▤ " + ProgramGallery.title(2)), "\(screen.screen.text)")
            #expect(screen.wait { $0.position == "2/3" })
            #expect(screen.waitForThumbnails([1, 3]))
            #expect(server.count(of: "/set/1/") == 0)
            #expect(screen.quit() == .code(0))
        }

        @Test("subfolders are albums; Esc returns to the selected one")
        func folders() throws {
            for number in 1...4 {
                let place = number < 3 ? "top" : "top/inner"
                try folder.write(
                    ProgramPictures.png(ProgramGallery.color(number)), to: "\(place)/p\(number).png"
                )
            }
            let screen = try ProgramScreen([folder.path + "/top"], in: folder)
            #expect(screen.waitFor("inner"), "\(screen.screen.text)")
            screen.type("/inner" + Keys.enter + Keys.enter)
            #expect(screen.waitFor("p4"), "\(screen.screen.text)")
            #expect(!screen.screen.shows("p1"))
            screen.type(Keys.escape)
            #expect(screen.waitFor("p1"), "\(screen.screen.text)")
            #expect(screen.quit() == .code(0))
        }

        @Test("the viewer finds the full picture on the detail page and prefetches the next one's")
        func detailPage() throws {
            server.route("/") { [html = page("Details", 1...4) { "/photo/\($0)" }] _ in .html(html)
            }
            for number in 1...4 {
                server.route("/photo/\(number)") { _ in
                    .html(
                        """
                        <title>Photo \(number)</title><header><img src=/logo.png></header>
                        <main><a href="/full/\(number).png" download>Download</a>
                        <h2>Related photos</h2><a href=/photo/4><img src=/thumbs/4.png width=80 height=60></a></main>
                        """)
                }
            }
            let screen = try ProgramScreen([server.url("/")], in: folder)
            #expect(screen.waitForThumbnails(1...4), "\(screen.screen.text)")
            #expect(server.count(of: "/photo/1") == 0)
            screen.type(Keys.enter)
            #expect(screen.waitForFull(1), "\(screen.screen.text)")
            #expect(server.waitForRequests(to: "/full/2.png"))
            screen.type("n")
            #expect(screen.waitForFull(2), "\(screen.screen.text)")
            #expect(server.count(of: "/photo/1") == 1)
            #expect(server.count(of: "/photo/2") == 1)
            #expect(
                server.requests(to: "/full/2.png").first?.header("referer")
                    == server.url("/photo/2"))
            screen.type(Keys.escape)
            #expect(screen.waitForSelected(2))
            #expect(screen.waitForThumbnails(1...4))
        }

        @Test("a missing detail page leaves the largest known size and is reported in the panel")
        func missingDetail() throws {
            server.route("/") { [html = page("Details", 1...2) { "/photo/\($0)" }] _ in .html(html)
            }
            let screen = try ProgramScreen(
                [server.url("/")], in: folder, size: EndToEnd.sizes[1])
            #expect(screen.waitForThumbnails(1...2), "\(screen.screen.text)")
            screen.type(Keys.enter)
            #expect(screen.wait { $0.middle == [CellColor(ProgramGallery.color(1))] })
            screen.type("i")
            #expect(screen.waitFor("Detail page"), "\(screen.screen.text)")
            #expect(screen.waitFor("404"))
            #expect(!screen.screen.shows("Retry"))
        }

        /// Returns a page of thumbnails without links.
        private func plainPage(_ numbers: ClosedRange<Int>) -> String {
            let items = numbers.map { number in
                """
                <li><img src="/small/thumbs/\(number)_s.png" width="80" height="60"
                alt="\(ProgramGallery.title(number))"></li>
                """
            }
            return "<title>Thumbnails</title><ul>\(items.joined())</ul>"
        }

        @Test("an unnamed full size is found next to the thumbnail; otherwise the thumbnail stays")
        func guessedFullSize() throws {
            for number in 1...4 {
                server.route("/small/thumbs/\(number)_s.png") { _ in
                    .picture(ProgramGallery.color(number))
                }
            }
            for number in 1...2 {
                server.route("/small/thumbs/\(number).png") { _ in
                    .bytes(
                        ProgramPictures.png(
                            ProgramGallery.fullColor(number), width: 320, height: 240),
                        type: "image/png")
                }
            }
            server.route("/") { [html = plainPage(1...4)] _ in .html(html) }
            let screen = try ProgramScreen(
                [server.url("/")], in: folder, size: EndToEnd.sizes[1])
            #expect(screen.waitForThumbnails(1...4), "\(screen.screen.text)")
            #expect(server.count(of: "/small/thumbs/1.png") == 0)
            screen.type(Keys.enter)
            #expect(screen.waitForFull(1), "\(screen.screen.text)")
            #expect(
                server.requests(to: "/small/thumbs/1.png").first?.header("referer")
                    == server.url("/"))
            screen.type("i")
            #expect(screen.waitFor("guessed from the address"), "\(screen.screen.text)")
            screen.type("inn")
            #expect(server.waitForRequests(to: "/small/3_s.png"))
            #expect(screen.wait { $0.middle == [CellColor(ProgramGallery.color(3))] })
            screen.type("n")
            #expect(screen.wait { $0.middle == [CellColor(ProgramGallery.color(4))] })
            screen.settle()
            #expect(!screen.screen.shows("Retry"))
            for path in ["/small/thumbs/3.png", "/small/3.png", "/small/3_s.png"] {
                #expect(server.count(of: path) == 1, "\(path)")
            }
            #expect(server.count(of: "/small/thumbs/1.png") == 1)
            screen.type(Keys.escape)
            #expect(screen.waitForSelected(4))
            #expect(screen.quit() == .code(0))
        }
    }
}
