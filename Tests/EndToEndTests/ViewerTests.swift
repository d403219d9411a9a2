import Raster
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Viewer, panels and mouse") struct ViewerTests {
        let folder: ScratchFolder
        let gallery: ProgramGallery

        init() throws {
            folder = try ScratchFolder()
            gallery = try ProgramGallery(count: 12)
        }

        private func started(size: CellSize = EndToEnd.sizes[0]) throws -> ProgramScreen {
            let screen = try ProgramScreen([gallery.address], in: folder, size: size)
            #expect(screen.waitForThumbnails(1...6), "\(screen.screen.text)")
            return screen
        }

        @Test("Enter shows the full picture; n and p turn; going back selects the last one viewed")
        func turning() throws {
            let screen = try started()
            screen.type(Keys.enter)
            #expect(screen.waitForFull(1), "\(screen.screen.text)")
            #expect(screen.bottom.contains(ProgramGallery.title(1)))
            screen.type("n")
            #expect(screen.waitForFull(2))
            screen.type("   ")
            #expect(screen.waitForFull(5))
            screen.type("p")
            #expect(screen.waitForFull(4))
            #expect(screen.wait { $0.position == "4/12" })
            screen.type("4n")
            #expect(screen.waitForFull(8))
            screen.type(Keys.escape)
            #expect(screen.waitForSelected(8), "\(screen.screen.text)")
            #expect(screen.waitForThumbnails([8]))
            #expect(screen.quit() == .code(0))
        }

        @Test("q leaves the viewer first, then the program")
        func quitTwice() throws {
            let screen = try started()
            screen.type(Keys.enter)
            #expect(screen.waitForFull(1))
            screen.type("q")
            #expect(screen.waitForSelected(1))
            #expect(screen.waitForThumbnails(1...6))
            #expect(screen.quit() == .code(0))
        }

        @Test("the thumbnail is shown until the full picture has loaded")
        func standIn() throws {
            let gate = Gate()
            gallery.server.route(gallery.fullPath(1)) { _ in
                .picture(ProgramGallery.fullColor(1)).held(by: gate)
            }
            let screen = try started()
            screen.type(Keys.enter)
            #expect(gallery.server.waitForRequests(to: gallery.fullPath(1)))
            let thumbnail = CellColor(ProgramGallery.color(1))
            #expect(screen.wait { $0.middle == [thumbnail] }, "\(screen.screen.text)")
            screen.type("n")
            #expect(screen.waitForFull(2))
            screen.type("p")
            #expect(screen.wait { $0.middle == [thumbnail] })
            gate.open()
            #expect(screen.waitForFull(1))
            #expect(gallery.server.count(of: gallery.fullPath(1)) == 1)
        }

        @Test("a full picture that fails leaves the thumbnail with the reason below it")
        func failure() throws {
            gallery.server.route(gallery.fullPath(1)) { _ in .status(404) }
            let screen = try started()
            screen.type(Keys.enter)
            #expect(screen.waitFor("the server answered 404"), "\(screen.screen.text)")
            #expect(screen.wait { $0.middle == [CellColor(ProgramGallery.color(1))] })
        }

        @Test("+ zooms to fill the screen, - and = zoom out; arrows pan, then turn pages again")
        func zoom() throws {
            let screen = try started()
            screen.type(Keys.enter)
            #expect(screen.waitForFull(1))
            let full = CellColor(ProgramGallery.fullColor(1))
            let corner = { (screen: ProgramScreen) in screen.grid[1, 2].background }
            #expect(corner(screen) == .standard)
            screen.type("++")
            #expect(screen.wait { corner($0) == full }, "\(screen.screen.text)")
            screen.type("l")
            screen.settle()
            #expect(screen.wait { $0.position == "1/12" })
            screen.type("=")
            #expect(screen.wait { corner($0) == .standard })
            screen.type("l")
            #expect(screen.waitForFull(2))
        }

        @Test("the help lists every documented key", arguments: ["?", Keys.function1])
        func help(key: String) throws {
            let screen = try started()
            screen.type(key)
            #expect(screen.waitFor("Keys"))
            screen.settle()
            var seen = screen.helpLines
            for _ in 1...7 {
                screen.type(" ")
                screen.settle()
                seen += screen.helpLines
            }
            let wanted = [
                "h", "j", "k", "l", "Space", "b", "g", "G", "Enter", "Esc", "v", "Tab", "+", "-",
                "=",
                "n", "p", "[", "]", "r", "R", "i", "B", "C", "t", "F1", "?", "q",
            ]
            let words = Set(seen.flatMap { $0.split(separator: " ").map(String.init) })
            #expect(
                wanted.filter { !words.contains($0) }.isEmpty, "\(seen.joined(separator: "\n"))")
            screen.type(Keys.escape)
            #expect(screen.waitForThumbnails(1...6))
        }

        @Test("the info panel shows address, size, format, bytes and colour")
        func info() throws {
            let screen = try started(size: EndToEnd.sizes[1])
            screen.type("li")
            let hex = "#" + ProgramGallery.color(2).hex
            for text in [
                gallery.server.url(gallery.fullPath(2)), gallery.address, "80 × 60", "PNG", hex,
            ] {
                #expect(screen.waitFor(text), "\(text)\n\(screen.screen.text)")
            }
            screen.type("i")
            #expect(screen.wait { !$0.screen.shows(hex) })
        }

        @Test("a click selects, a double click opens, the wheel scrolls")
        func mouse() throws {
            let screen = try started()
            let fifth = try #require(screen.tile(of: 5))
            screen.type(Keys.click(x: fifth.x + 3, y: fifth.y + 3))
            #expect(screen.waitForSelected(5))
            let row = fifth.y + 8
            #expect(screen.wait { $0.place(of: ProgramGallery.title(5))?.y == row })
            screen.type(Keys.wheel(isDown: true))
            #expect(
                screen.wait { $0.place(of: ProgramGallery.title(5))?.y == row - 10 },
                "\(screen.screen.text)")
            #expect(screen.waitForSelected(5))
            screen.type(Keys.wheel(isDown: false))
            #expect(screen.wait { $0.place(of: ProgramGallery.title(5))?.y == row })
            let second = try #require(screen.tile(of: 2))
            let click = Keys.click(x: second.x + 3, y: second.y + 3)
            screen.type(click + click)
            #expect(screen.waitForFull(2), "\(screen.screen.text)")
            screen.type(Keys.wheel(isDown: true))
            #expect(screen.waitForFull(3))
        }

        @Test("R reloads the section, bypassing the cache")
        func reload() throws {
            let screen = try started()
            gallery.server.route(gallery.thumbnailPath(1)) { _ in .picture(ProgramGallery.color(50))
            }
            screen.type("R")
            #expect(
                screen.wait { screen in
                    screen.tile(of: 1).map(screen.colors) == [CellColor(ProgramGallery.color(50))]
                }, "\(screen.screen.text)")
            #expect(gallery.pageRequests == [2])
        }
    }
}

extension ProgramScreen {
    /// The colours in the middle of the screen.
    var middle: Set<CellColor> {
        Set(grid[screen.size.columns / 2, screen.size.rows / 2].visibleColors)
    }

    /// Waits until the viewer shows the full size of that picture.
    func waitForFull(_ number: Int) -> Bool {
        wait { $0.middle == [CellColor(ProgramGallery.fullColor(number))] }
    }

    /// The lines inside the help's frame.
    var helpLines: [String] {
        (1..<screen.size.rows - 1).map { screen.text(row: $0).filter { $0 != "│" } }
    }
}

extension RGB {
    /// The colour as six hexadecimal digits.
    var hex: String {
        let digits = String(packed, radix: 16, uppercase: true)
        return String(repeating: "0", count: 6 - digits.count) + digits
    }
}
