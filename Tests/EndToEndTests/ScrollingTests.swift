import Raster
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Endless scrolling") struct ScrollingTests {
        let folder: ScratchFolder

        init() throws { folder = try ScratchFolder() }

        @Test(
            "G continues to the last page, and every page is requested once",
            arguments: EndToEnd.sizes)
        func toTheLastPage(size: CellSize) throws {
            let gallery = try ProgramGallery(count: 55, perPage: 12)
            let screen = try ProgramScreen([gallery.address], in: folder, size: size)
            #expect(screen.waitForThumbnails([1]))
            for page in 1...gallery.pageCount {
                let loaded = min(page * 12, 55)
                #expect(screen.wait { $0.total >= loaded }, "\(screen.screen.text)")
                screen.type("G")
            }
            #expect(screen.wait { $0.position == "55/55" }, "\(screen.screen.text)")
            #expect(screen.waitForThumbnails([55]))
            #expect(screen.waitForSelected(55))
            #expect(screen.top.hasSuffix("55 pictures"))
            #expect(gallery.pageRequests == [1, 1, 1, 1, 1])
            screen.type("g")
            #expect(screen.waitForSelected(1))
            #expect(screen.waitForThumbnails(1...4))
            #expect(gallery.pageRequests == [1, 1, 1, 1, 1])
        }

        @Test("the next page is requested before the end is in view, but no sooner than needed")
        func ahead() throws {
            let gallery = try ProgramGallery(count: 60, perPage: 12)
            let screen = try ProgramScreen([gallery.address], in: folder)
            #expect(screen.waitForThumbnails(1...6))
            screen.settle()
            // A page has 44 rows and the body 22: two pages cover the two screens below it, and a third is out of reach.
            #expect(gallery.pageRequests == [1, 1, 0, 0, 0])
            screen.type("  ")
            #expect(gallery.server.waitForRequests(to: gallery.pagePath(3)))
            #expect(screen.wait { $0.total == 36 })
            #expect(screen.selectedNumber.map { $0 < 18 } == true, "\(screen.bottom)")
        }

        @Test("Space pages down by a screen of rows, b pages back, and pictures load")
        func paging() throws {
            let gallery = try ProgramGallery(count: 24, perPage: 24)
            let screen = try ProgramScreen([gallery.address], in: folder)
            #expect(screen.waitForThumbnails(1...6))
            screen.type(" ")
            #expect(screen.waitForThumbnails(7...12), "\(screen.screen.text)")
            #expect(screen.waitForSelected(7))
            screen.type(Keys.pageDown)
            #expect(screen.waitForThumbnails(13...18), "\(screen.screen.text)")
            screen.type("b")
            #expect(screen.waitForThumbnails(7...12))
            #expect(screen.waitForSelected(7))
        }

        @Test("a stalled page delays nothing already loaded and appears when it arrives")
        func heldPage() throws {
            let gallery = try ProgramGallery(count: 24, perPage: 12)
            let gate = Gate()
            gallery.server.route(gallery.pagePath(2)) { [html = gallery.html(2)] _ in
                .html(html).held(by: gate)
            }
            let screen = try ProgramScreen([gallery.address], in: folder)
            #expect(screen.waitForThumbnails(1...6))
            #expect(gallery.server.waitForRequests(to: gallery.pagePath(2)))
            screen.type("G")
            #expect(screen.waitForSelected(12))
            #expect(screen.waitForThumbnails(10...12))
            #expect(screen.wait { $0.position == "12/12+" })
            screen.type("h")
            #expect(screen.waitForSelected(11))
            gate.open()
            #expect(screen.wait { $0.position == "11/24" })
            screen.type("j")
            #expect(screen.waitForThumbnails(10...15), "\(screen.screen.text)")
        }

        @Test(
            "8j past the last loaded picture loads more of the section instead of entering the next"
        )
        func pastTheEnd() throws {
            let gallery = try ProgramGallery(count: 48, perPage: 12)
            let other = try ProgramGallery(title: "Other", first: 60, count: 3)
            let gate = Gate()
            gallery.server.route(gallery.pagePath(2)) { [html = gallery.html(2)] _ in
                .html(html).held(by: gate)
            }
            let screen = try ProgramScreen([gallery.address, other.address], in: folder)
            #expect(screen.wait { $0.position == "1/12+" }, "\(screen.screen.text)")
            screen.type("8j")
            #expect(screen.waitFor("12 loaded, loading on: any key stays here"))
            #expect(screen.waitForSelected(10))
            gate.open()
            #expect(screen.waitForSelected(25), "\(screen.screen.text)")
        }

        @Test("A loads a whole section with progress, and Esc stops it")
        func all() throws {
            let gallery = try ProgramGallery(count: 72, perPage: 12)
            let gates = (4...6).map { page in
                let gate = Gate()
                gallery.server.route(gallery.pagePath(page)) { [html = gallery.html(page)] _ in
                    .html(html).held(by: gate)
                }
                return gate
            }
            let screen = try ProgramScreen([gallery.address], in: folder)
            #expect(screen.wait { $0.position == "1/24+" }, "\(screen.screen.text)")
            screen.type("A")
            #expect(screen.waitFor("loading all, 36 so far: Esc stops"))
            screen.type("l" + Keys.escape)
            #expect(screen.waitFor("stopped: 36 loaded"))
            gates[0].open()
            #expect(screen.wait { $0.position == "2/48+" })
            screen.settle()
            #expect(gallery.pageRequests == [1, 1, 1, 1, 0, 0])
            screen.type("A")
            gates[1].open()
            #expect(screen.waitFor("loading all, 60 so far: Esc stops"))
            gates[2].open()
            #expect(screen.waitFor("all 72 are loaded"), "\(screen.screen.text)")
        }

        @Test("a gallery whose last page links to its first one ends")
        func circle() throws {
            let gallery = try ProgramGallery(count: 24, perPage: 12)
            let back = gallery.html(2, linked: gallery.pagePath(1))
            gallery.server.route(gallery.pagePath(2)) { _ in .html(back) }
            let screen = try ProgramScreen([gallery.address], in: folder)
            #expect(screen.wait { $0.position == "1/24" }, "\(screen.screen.text)")
            screen.type("G")
            #expect(screen.waitForSelected(24))
            screen.settle()
            #expect(gallery.pageRequests == [1, 1])
        }

        @Test("--pages 2 also limits the screen")
        func limit() throws {
            let gallery = try ProgramGallery(count: 48, perPage: 12)
            let screen = try ProgramScreen(["--pages", "2", gallery.address], in: folder)
            #expect(screen.wait { $0.position == "1/24" }, "\(screen.screen.text)")
            screen.type("G")
            #expect(screen.waitForSelected(24))
            screen.settle()
            #expect(gallery.pageRequests == [1, 1, 0, 0])
        }

        @Test("counts repeat movements and select pictures: 3l, 2j, 12G")
        func counts() throws {
            let gallery = try ProgramGallery(count: 24, perPage: 24)
            let screen = try ProgramScreen([gallery.address], in: folder)
            #expect(screen.waitForThumbnails(1...6))
            screen.type("3l")
            #expect(screen.waitForSelected(4))
            screen.type("2j")
            #expect(screen.waitForSelected(10))
            screen.type("12G")
            #expect(screen.waitForSelected(12))
            screen.type(Keys.right + Keys.down)
            #expect(screen.waitForSelected(16))
            screen.type("gkh")
            #expect(screen.waitForSelected(1))
        }
    }
}

extension ProgramScreen {
    /// The number of pictures in the bottom line.
    var total: Int {
        Int(position.drop { $0 != "/" }.dropFirst().prefix { $0.isNumber }) ?? 0
    }
}
