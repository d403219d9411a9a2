import ImageEncoders
import Raster
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Grid and list") struct LayoutTests {
        let folder: ScratchFolder

        init() throws { folder = try ScratchFolder() }

        @Test(
            "the grid shows every picture in its own colour above its title",
            arguments: EndToEnd.sizes)
        func grid(size: CellSize) throws {
            let gallery = try ProgramGallery(count: 6)
            let screen = try ProgramScreen([gallery.address], in: folder, size: size)
            #expect(screen.waitForThumbnails(1...6), "\(screen.screen.text)")
            #expect(screen.wait { $0.position == "1/6" })
            #expect(screen.top.contains("Paddock"))
            #expect(screen.top.hasSuffix("6 pictures"))
            #expect(screen.wait { $0.screen.title == "Paddock – Halftone" })
            let places = (1...6).compactMap { screen.place(of: ProgramGallery.title($0)) }
            #expect(places.map { [$0.y, $0.x] }.isSorted)
            #expect(screen.selectedTitle == ProgramGallery.title(1))
            #expect(screen.screen.unrecognised.isEmpty)
            // Large pictures are only loaded by the viewer.
            #expect(
                gallery.pictures.allSatisfy { gallery.server.count(of: gallery.fullPath($0)) == 0 })
        }

        @Test("an edge within a cell is drawn with a half block in both colours")
        func halfBlocks() throws {
            let gallery = try ProgramGallery(count: 1)
            let sky = RGB(0x5F87FF)
            let road = RGB(0xD7AF5F)
            let half = { (color: RGB) in
                [[UInt8]](
                    repeating: [color.red, color.green, color.blue, 255], count: 120 * 45
                ).flatMap(\.self)
            }
            let png = try ImageEncoder.png(
                PixelBuffer(
                    size: PixelSize(width: 120, height: 90), bytes: half(sky) + half(road),
                    isOpaque: true))
            gallery.server.route(gallery.thumbnailPath(1)) { _ in .bytes(png, type: "image/png") }
            // One line more than usual, with which tiles are nine rows high.
            let screen = try ProgramScreen(
                [gallery.address], in: folder, size: CellSize(columns: 80, rows: 25))
            #expect(
                screen.wait { screen in
                    guard let tile = screen.tile(of: 1, rows: 9) else { return false }
                    let cell = screen.grid[tile.x + 12, tile.y + 4]
                    // Its pixels are kept for a larger tile, and so are mixed at the edge.
                    return [0x2580, 0x2584].contains(cell.glyph)
                        && zip(cell.visibleColors, [sky, road]).allSatisfy { shown, own in
                            [\RGB.red, \.green, \.blue].allSatisfy { channel in
                                let level: UInt8 = shown.rgb?[keyPath: channel] ?? 0
                                return abs(Int(level) - Int(own[keyPath: channel])) <= 4
                            }
                        }
                }, "\(screen.screen.text)")
        }

        @Test("with 256 colours only palette entries are used, no 24-bit colours")
        func palette() throws {
            let gallery = try ProgramGallery(count: 6)
            let screen = try ProgramScreen(
                [gallery.address], in: folder, environment: ["COLORTERM": ""])
            let shown = screen.wait { screen in
                (1...6).allSatisfy { number in
                    let color = ProgramGallery.color(number)
                    return screen.tile(of: number).map(screen.colors)
                        == [ColorDepth.palette256.nearest(to: color)]
                }
            }
            #expect(shown, "\(screen.screen.text)")
            let all = screen.colors(in: CellRect(x: 0, y: 0, columns: 80, rows: 24))
            #expect(all.allSatisfy { $0.rgb == nil })
        }

        @Test(
            "no colours are used if the terminal has none or NO_COLOR is set",
            arguments: [["TERM": "vt100", "COLORTERM": ""], ["NO_COLOR": "1"]])
        func mono(environment: [String: String]) throws {
            let gallery = try ProgramGallery(count: 6)
            let screen = try ProgramScreen([gallery.address], in: folder, environment: environment)
            #expect(screen.waitFor(ProgramGallery.title(6)), "\(screen.screen.text)")
            screen.settle()
            #expect(
                gallery.pictures.allSatisfy {
                    gallery.server.count(of: gallery.thumbnailPath($0)) == 1
                })
            let all = screen.colors(in: CellRect(x: 0, y: 0, columns: 80, rows: 24))
            #expect(all == [.standard])
            #expect(screen.quit() == .code(0))
            #expect(screen.leftBehind.isEmpty, "\(screen.leftBehind)")
        }

        @Test(
            "v switches between grid and list and keeps the selected picture in view",
            arguments: ["v", "\t"])
        func toggle(key: String) throws {
            let gallery = try ProgramGallery(count: 12)
            let screen = try ProgramScreen([gallery.address], in: folder)
            #expect(screen.waitForThumbnails(1...6))
            screen.type("8l")
            #expect(screen.waitForSelected(9))
            screen.type(key)
            #expect(
                screen.waitFor(gallery.server.url(gallery.fullPath(9))), "\(screen.screen.text)")
            #expect(screen.waitForSelected(9))
            #expect(
                screen.wait { screen in
                    guard let place = screen.place(of: ProgramGallery.title(9)) else {
                        return false
                    }
                    let color = CellColor(ProgramGallery.color(9))
                    return screen.grid[6, place.y].visibleColors == [color, color]
                }, "\(screen.screen.text)")
            #expect(screen.wait { $0.position == "9/12" })
            screen.type(key)
            #expect(
                screen.wait { $0.selectedTitle == ProgramGallery.title(9) && $0.showsThumbnail(9) })
        }

        @Test("--layout list starts with the list")
        func listFirst() throws {
            let gallery = try ProgramGallery(count: 4)
            let screen = try ProgramScreen(["--layout", "list", gallery.address], in: folder)
            #expect(
                screen.waitFor(gallery.server.url(gallery.fullPath(4))), "\(screen.screen.text)")
            let rows = (1...4).compactMap { screen.place(of: ProgramGallery.title($0))?.y }
            #expect(rows.count == 4 && zip(rows, rows.dropFirst()).allSatisfy { $0.0 < $0.1 })
        }

        @Test("--layout rows shows each picture at its shape, as wide as the screen together")
        func rows() throws {
            let gallery = try ProgramGallery(count: 9)
            for number in 1...9 {
                let isTall = number % 2 == 0
                let png = ProgramPictures.png(
                    ProgramGallery.color(number), width: isTall ? 60 : 90,
                    height: isTall ? 90 : 60)
                gallery.server.route(gallery.thumbnailPath(number)) { _ in
                    .bytes(png, type: "image/png")
                }
            }
            let screen = try ProgramScreen(["--layout", "rows", gallery.address], in: folder)
            #expect(screen.waitFor(ProgramGallery.title(9)))
            // The border of the selected picture is in the gaps beside it.
            screen.type("G")
            let shown = screen.wait { screen in
                // All but the gaps between as many pictures as there are colours is covered.
                let row = (1..<79).map { Set(screen.grid[$0, 3].visibleColors) }
                let colors = Set(row).subtracting([[.standard]])
                let gaps = row.count { $0 == [.standard] }
                return colors.count >= 4 && gaps == 2 * (colors.count - 1)
                    && colors.contains([CellColor(ProgramGallery.color(4))])
            }
            #expect(shown, "\(screen.screen.text)")
            screen.type("vv")
            #expect(screen.wait { $0.position == "9/9" && $0.selectedTitle != nil })
            #expect(screen.screen.unrecognised.isEmpty)
        }

        @Test("the plain list puts the cursor on the selected item and idles without output")
        func plainList() throws {
            let gallery = try ProgramGallery(count: 6)
            let screen = try ProgramScreen(
                ["--layout", "list", "--tile", "8", "--no-animation", gallery.address], in: folder,
                environment: ["NO_COLOR": "1"])
            #expect(screen.waitFor(ProgramGallery.title(6)), "\(screen.screen.text)")
            screen.settle()
            #expect(screen.screen.modes.contains(25))
            #expect([screen.screen.cursorX, screen.screen.cursorY] == [0, 1])
            screen.type("3j")
            #expect(screen.wait { $0.screen.cursorY == 4 }, "\(screen.screen.cursorY)")
            screen.settle()
            #expect(screen.screen.text(row: 4).hasPrefix(" " + ProgramGallery.title(4)))
            #expect(screen.screen.text(row: 5).hasPrefix(" " + ProgramGallery.title(5)))
            #expect(screen.changesByRedraw() == [])
            #expect(screen.screen.cursorY == 4)
            #expect(screen.quit() == .code(0))
            #expect(screen.leftBehind.isEmpty, "\(screen.leftBehind)")
        }

        @Test("+ and - resize the tiles, = restores the default")
        func tileSizes() throws {
            let gallery = try ProgramGallery(count: 6)
            let screen = try ProgramScreen([gallery.address], in: folder)
            #expect(screen.waitForThumbnails(1...6))
            screen.settle()
            let usual = screen.view
            let distance = { (screen: ProgramScreen) -> Int? in
                guard let first = screen.place(of: ProgramGallery.title(1)),
                    let second = screen.place(of: ProgramGallery.title(2)), first.y == second.y
                else { return nil }
                return second.x - first.x
            }
            let before = try #require(distance(screen))
            screen.type("+")
            #expect(
                screen.wait { distance($0).map { $0 > before } ?? false }, "\(screen.screen.text)")
            screen.type("--")
            #expect(
                screen.wait { distance($0).map { $0 < before } ?? false }, "\(screen.screen.text)")
            screen.type("=")
            #expect(screen.wait { $0.view == usual }, "\(screen.differences(from: usual))")
        }

        @Test("t removes the tint behind the thumbnails and restores it")
        func tint() throws {
            let gallery = try ProgramGallery(count: 1)
            let red = RGB(0xD70000)
            let narrow = ProgramPictures.png(red, width: 60, height: 120)
            gallery.server.route(gallery.thumbnailPath(1)) { _ in .bytes(narrow, type: "image/png")
            }
            let screen = try ProgramScreen([gallery.address], in: folder)
            let edge: (ProgramScreen) -> CellColor? = { screen in
                screen.tile(of: 1, columns: 24).map { screen.grid[$0.x, $0.y + 4].background }
            }
            #expect(
                screen.wait { screen in
                    screen.tile(of: 1).map { screen.grid[$0.x + 12, $0.y + 4].background }
                        == CellColor(red)
                }, "\(screen.screen.text)")
            let tinted = edge(screen)
            #expect(tinted != .standard && tinted != CellColor(red))
            screen.type("t")
            #expect(screen.wait { edge($0) == .standard }, "\(String(describing: edge(screen)))")
            screen.type("t")
            #expect(screen.wait { edge($0) == tinted })
        }
    }
}

extension [[Int]] {
    /// Whether they are in reading order: by row, then by column.
    fileprivate var isSorted: Bool {
        zip(self, dropFirst()).allSatisfy { $0.0.lexicographicallyPrecedes($0.1) }
    }
}
