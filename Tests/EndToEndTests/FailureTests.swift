import Raster
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Failures") struct FailureTests {
        let folder: ScratchFolder

        init() throws { folder = try ScratchFolder() }

        @Test("a failed page raises a dialog with the reason; Enter retries successfully")
        func retry() throws {
            let gallery = try ProgramGallery(count: 24, perPage: 12)
            gallery.server.route(gallery.pagePath(2)) { [html = gallery.html(2)] request in
                request.number == 1 ? .status(500) : .html(html)
            }
            let screen = try ProgramScreen(["--retries", "0", gallery.address], in: folder)
            #expect(screen.waitFor("page did not load"), "\(screen.screen.text)")
            for text in [
                "the server answered 500", gallery.server.url(gallery.pagePath(2)), "Retry",
                "Enter",
                "Dismiss", "Esc",
            ] {
                #expect(screen.waitFor(text), "\(text)")
            }
            screen.type(Keys.enter)
            #expect(screen.wait { $0.position == "1/24" }, "\(screen.screen.text)")
            #expect(!screen.screen.shows("did not load"))
            #expect(screen.waitForThumbnails(1...6))
            #expect(gallery.pageRequests == [1, 2])
        }

        @Test("Esc dismisses the dialog and keeps what was loaded; r retries")
        func dismiss() throws {
            let gallery = try ProgramGallery(count: 24, perPage: 12)
            let gate = Gate()
            gallery.server.route(gallery.pagePath(2)) { [html = gallery.html(2)] request in
                request.number == 1 ? .status(500).held(by: gate) : .html(html)
            }
            let screen = try ProgramScreen(["--retries", "0", gallery.address], in: folder)
            #expect(screen.waitForThumbnails(1...6))
            gate.open()
            #expect(screen.waitFor("did not load"))
            screen.type(Keys.escape)
            #expect(screen.wait { !$0.screen.shows("did not load") })
            #expect(screen.waitForThumbnails(1...6))
            #expect(screen.wait { $0.position == "1/12" })
            screen.type("G")
            #expect(screen.waitForSelected(12))
            #expect(screen.waitForThumbnails(10...12))
            screen.type(Keys.wheel(isDown: true))
            #expect(screen.waitFor("the server answered 500"), "\(screen.screen.text)")
            #expect(gallery.pageRequests == [1, 1])
            screen.type("r")
            #expect(screen.wait { $0.position == "12/24" }, "\(screen.screen.text)")
            #expect(gallery.pageRequests == [1, 2])
        }

        @Test("a failed first page can be retried too")
        func firstPage() throws {
            let gallery = try ProgramGallery(count: 6)
            gallery.server.route(gallery.pagePath(1)) { [html = gallery.html(1)] request in
                request.number == 1 ? .status(404) : .html(html)
            }
            let screen = try ProgramScreen([gallery.address], in: folder)
            #expect(screen.waitFor("the server answered 404 Not Found"), "\(screen.screen.text)")
            screen.type(Keys.enter)
            #expect(screen.waitForThumbnails(1...6))
        }

        @Test(
            "a failed picture keeps a marked placeholder while the others load",
            arguments: ["404", "500", "garbage", "page", "empty", "cut short"])
        func picture(kind: String) throws {
            let gallery = try ProgramGallery(count: 6)
            gallery.server.route(gallery.thumbnailPath(2)) { _ in Self.broken(kind) }
            let screen = try ProgramScreen(["--retries", "0", gallery.address], in: folder)
            #expect(screen.waitForThumbnails([1, 3, 4, 5, 6]), "\(screen.screen.text)")
            #expect(
                screen.wait { screen in
                    screen.tile(of: 2).map { screen.glyphs(in: $0).contains("✗") } == true
                }, "\(screen.screen.text)")
            #expect(!screen.screen.shows("Retry"))
            screen.type("li")
            #expect(screen.waitFor("Error"), "\(screen.screen.text)")
            screen.type("i")
            #expect(screen.quit() == .code(0))
        }

        private static func broken(_ kind: String) -> ServerResponse {
            let noise = (0..<2000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }
            switch kind {
            case "404": return .status(404)
            case "500": return .status(500)
            case "garbage": return .bytes(noise, type: "image/jpeg")
            case "page": return .html("<h1>No hotlinks</h1>")
            case "empty": return .bytes([], type: "image/png")
            default:
                let png = ProgramPictures.png(RGB(0x00D7AF))
                return .bytes(Array(png.prefix(40)), type: "image/png")
            }
        }

        @Test("r requests a failed picture again")
        func retryPicture() throws {
            let gallery = try ProgramGallery(count: 6)
            gallery.server.route(gallery.thumbnailPath(2)) { request in
                request.number == 1 ? .status(404) : .picture(ProgramGallery.color(2))
            }
            let screen = try ProgramScreen([gallery.address], in: folder)
            #expect(
                screen.wait { screen in
                    screen.tile(of: 2).map { screen.glyphs(in: $0).contains("✗") } == true
                }, "\(screen.screen.text)")
            screen.type("r")
            #expect(screen.waitForThumbnails(1...6), "\(screen.screen.text)")
        }
    }
}

extension ProgramScreen {
    /// Returns the characters in `rect`.
    func glyphs(in rect: CellRect) -> Set<Unicode.Scalar> {
        var glyphs: Set<Unicode.Scalar> = []
        for y in rect.y..<rect.y + rect.size.rows {
            for x in rect.x..<rect.x + rect.size.columns {
                if let glyph = Unicode.Scalar(grid[x, y].glyph) { glyphs.insert(glyph) }
            }
        }
        return glyphs
    }
}
