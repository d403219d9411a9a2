import Glibc
import ImageCodecs
import ImageEncoders
import Raster
import TestSupport
import Testing

extension EndToEnd {
    /// `--print --size`, as other programs run it for their previews.
    @Suite("Previews for other programs") struct PreviewTests {
        let folder: ScratchFolder

        init() throws { folder = try ScratchFolder() }

        private static let color = RGB(red: 215, green: 95, blue: 0)

        private func picture(
            _ name: String = "one.png", width: Int = 80, height: Int = 60
        ) throws -> String {
            try folder.write(
                ProgramPictures.png(Self.color, width: width, height: height), to: name)
        }

        private func preview(
            _ arguments: [String], environment: [String: String] = [:]
        ) throws -> ProgramRun {
            try ProgramRun(
                ["--print", "--no-config", "--no-cache"] + arguments, in: folder,
                environment: environment)
        }

        /// Shows what a run printed on a screen of `size`, each line feed as the terminal's driver passes it on.
        private func screen(_ run: ProgramRun, size: CellSize) -> ScreenEmulator {
            let screen = ScreenEmulator(size: size)
            screen.feed(run.bytes.flatMap { $0 == 10 ? [13, 10] : [$0] })
            return screen
        }

        /// Returns the smallest rectangle that holds all cells in the picture's colour.
        private func extent(of color: RGB = color, on grid: CellGrid) -> CellRect {
            let colored = grid.cells.indices.filter {
                grid.cells[$0].visibleColors.contains(CellColor(color))
            }
            let columns = colored.map { $0 % grid.size.columns }
            let rows = colored.map { $0 / grid.size.columns }
            let (left, right) = (columns.min() ?? 0, columns.max() ?? -1)
            let (top, bottom) = (rows.min() ?? 0, rows.max() ?? -1)
            return CellRect(x: left, y: top, columns: right - left + 1, rows: bottom - top + 1)
        }

        @Test(
            "a picture alone fills its cells, as large as fits, in the middle, without title and frame",
            arguments: [
                (60, 30, 80, 60), (60, 12, 80, 60), (9, 40, 80, 60), (40, 20, 30, 90),
                (1, 1, 80, 60),
                (3, 2, 80, 60), (300, 100, 400, 40),
            ])
        func alone(columns: Int, rows: Int, width: Int, height: Int) throws {
            let path = try picture(width: width, height: height)
            let run = try preview(["--size", "\(columns)x\(rows)", path])
            #expect(run.code == 0 && run.errors == [], "\(run.errors)")
            let sheet = Sheet(run.output)
            #expect(sheet.widths == Array(repeating: columns, count: rows))
            #expect(sheet.controls == [])
            #expect(!sheet.text.contains("one"))
            let screen = screen(run, size: CellSize(columns: columns, rows: rows))
            let extent = extent(on: screen.grid)
            #expect(extent.size.columns == columns || extent.size.rows == rows, "\(extent)")
            // Had the screen scrolled, it would not be in the middle.
            #expect(extent.x == (columns - extent.size.columns) / 2, "\(extent)")
            #expect(extent.y == (rows - extent.size.rows) / 2, "\(extent)")
            let shape = Double(extent.size.rows * 2) / Double(extent.size.columns)
            let isCoarse = min(extent.size.columns, extent.size.rows) < 4
            #expect(isCoarse || abs(shape * Double(width) / Double(height) - 1) < 0.15, "\(extent)")
            #expect(screen.currentPen == .blank && screen.unrecognised == [])
        }

        @Test("fzf's variables give the size unless --size does; without both or senseless, none")
        func variables() throws {
            let path = try picture()
            func size(_ arguments: [String], _ columns: String?, _ rows: String?) throws -> [Int] {
                var environment = ["COLUMNS": "77"]
                environment["FZF_PREVIEW_COLUMNS"] = columns
                environment["FZF_PREVIEW_LINES"] = rows
                let run = try preview(arguments + [path], environment: environment)
                let widths = Sheet(run.output).widths
                return [widths[0], widths.count]
            }
            #expect(try size([], "41", "13") == [41, 13])
            #expect(try size(["--size=20x5"], "41", "13") == [20, 5])
            for (columns, rows) in [
                ("41", nil), (nil, "13"), ("0", "13"), ("41", "x"), ("1e9", "5"),
            ] {
                #expect(try size([], columns, rows)[0] == 77)
            }
        }

        @Test(
            "a page is a contact sheet of those that fit; the others are not even fetched",
            arguments: [(60, 30, 6), (24, 14, 6), (100, 20, 8), (40, 6, 2), (200, 9, 8)])
        func contactSheet(columns: Int, rows: Int, count: Int) throws {
            let gallery = try ProgramGallery(count: 40, perPage: 20)
            let run = try preview(
                ["--size", "\(columns)x\(rows)", "--pages", "all", gallery.address])
            #expect(run.code == 0, "\(run.errors)")
            let sheet = Sheet(run.output)
            #expect(sheet.widths == Array(repeating: columns, count: rows))
            let fetched = gallery.pictures.filter {
                gallery.server.count(of: gallery.thumbnailPath($0)) > 0
            }
            #expect(fetched == Array(1...count))
            for number in fetched {
                let color = ProgramGallery.color(number)
                #expect(
                    sheet.styles.contains {
                        $0.contains("2;\(color.red);\(color.green);\(color.blue)")
                    })
            }
            #expect(gallery.pageRequests == [1, 0])
        }

        @Test("few pictures are larger than many; there are titles where there is room for them")
        func fewPictures() throws {
            for name in ["a.png", "b.png"] { _ = try picture("few/" + name) }
            func sheet(_ size: String) throws -> Sheet {
                Sheet(try preview(["--size", size, folder.path + "/few"]).output)
            }
            let large = try preview(["--size=60x40", folder.path + "/few"])
            let extent = extent(on: screen(large, size: CellSize(columns: 60, rows: 40)).grid)
            #expect(extent.size.columns >= 48, "\(extent)")
            #expect(try sheet("60x40").text.contains("a.png"))
            #expect(try sheet("60x40").text.contains("b.png"))
            #expect(try !sheet("60x3").text.contains("png"))
            #expect(try sheet("60x3").widths == [60, 60, 60])
        }

        @Test("--place writes rows at columns and rows of the screen, and leaves the rest alone")
        func placed() throws {
            let path = try picture()
            let run = try preview(["--size", "20x6", "--place", "70,3", path])
            #expect(run.code == 0, "\(run.errors)")
            #expect(!run.bytes.contains(10))
            let screen = ScreenEmulator(size: CellSize(columns: 90, rows: 9))
            screen.feed(Array(repeating: UInt8(ascii: "x"), count: 90 * 8))
            screen.feed("\u{1B}[2;5H".utf8)
            screen.feed(run.bytes)
            #expect(screen.cursorX == 4 && screen.cursorY == 1)
            for y in 0..<8 {
                for x in 0..<90 {
                    let isInside = (70..<90).contains(x) && (3..<9).contains(y)
                    #expect((screen.grid[x, y].glyph == 0x78) == !isInside)
                }
            }
            #expect(extent(on: screen.grid).size.rows == 6)
            #expect(screen.unrecognised == [] && screen.currentPen == .blank)
            let alone = try preview(["--place", "3,4", path])
            #expect(alone.code == 2)
            #expect(alone.errors == ["halftone: --place: needs --size"])
        }

        @Test(
            "a rarer still without a mark of its own is recognised by its name",
            .enabled(if: ImageFormat.targa.isReadable, "needs libavformat and libswscale"))
        func byName() throws {
            // TGA 2.0: uncompressed true colour of 4 × 2 pixels.
            let file: [UInt8] =
                [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 2, 0, 24, 0]
                + Array(repeating: 200, count: 24)
            for (name, code) in [("a.tga", Int32(0)), ("a.txt", 1)] {
                let path = try folder.write(file, to: name)
                let run = try ProgramRun(["--print", "--size", "20x5", path], in: folder)
                #expect(run.code == code, "\(run.errors)")
            }
        }

        @Test("what cannot be shown is one line on standard error, exit code 1, and no output")
        func failures() throws {
            let broken = try folder.write(
                Array(ProgramPictures.png(Self.color).prefix(40)), to: "broken.png")
            let text = try folder.write("Not a picture.\n", to: "notes.txt")
            for path in [broken, text, folder.path + "/missing.png"] {
                let run = try preview(["--size", "20x6", "--offline", path])
                #expect(run.code == 1 && run.errors.count == 1, "\(run.errors)")
                #expect(run.bytes.isEmpty, "\(run.output)")
            }
        }

        @Test(
            "in a pipe, or placed on the terminal, it neither asks the terminal nor reads its keys",
            arguments: [("> kept", false), ("| cat > kept", false), ("--place 3,4", true)])
        func quiet(end: String, writes: Bool) throws {
            let path = try picture()
            let command =
                "'\(ProgramRun.executable)' --no-config --no-cache --print --size 20x5 '\(path)' \(end)"
            let process = try PtyProcess(
                "/bin/sh", arguments: ["-c", "cd '\(folder.path)'; " + command],
                environment: folder.environment, answers: TerminalAnswers(), holdsAnswers: true)
            process.send("typed ahead")
            #expect(process.waitForExit() == .code(0))
            #expect(process.takeUnreadInput() == Array("typed ahead".utf8))
            // The driver echoes what is typed.
            let own = String(decoding: process.output, as: UTF8.self)
                .replacing("typed ahead", with: "")
            #expect(own.isEmpty != writes, "\(own)")
            #expect(!own.contains("\u{1B}[c") && !own.contains("\u{1B}[>") && !own.contains("_G"))
            #expect(
                writes
                    || Sheet(String(decoding: folder.read("kept"), as: UTF8.self)).widths == [
                        20, 20, 20, 20, 20,
                    ])
        }

        @Test(
            "--graphics insists on pixels, on the terminal and placed; else a terminal that proves them gets them",
            arguments: [
                (["--graphics", "kitty"], CellRect(x: 0, y: 0, columns: 20, rows: 5)),
                (
                    ["--graphics", "kitty", "--place", "3,4"],
                    CellRect(x: 3, y: 4, columns: 20, rows: 5)
                ),
                ([], CellRect(x: 0, y: 0, columns: 20, rows: 5)),
            ])
        func pixels(options: [String], place: CellRect) throws {
            let path = try picture(width: 400, height: 200)
            let run = try ProgramScreen(
                ["--print", "--no-config", "--size", "20x5"] + options + [path], in: folder,
                answers: EndToEnd.GraphicsTests.Terminal.all[0].answers)
            #expect(run.waitForExit() == .code(0))
            let shown = try #require(run.screen.pixels(of: place))
            let (x, y) = (shown.size.width / 2, shown.size.height / 2)
            let middle = shown.bytes[
                (y * shown.size.width + x) * 4..<(y * shown.size.width + x) * 4 + 3]
            #expect(Array(middle) == [Self.color.red, Self.color.green, Self.color.blue])
            #expect(run.screen.graphics.sentCount == 1 && run.screen.graphics.faults == [])
            // Nothing has scrolled.
            #expect(run.screen.cursorY == (options.contains("--place") ? 0 : 4))
        }
    }
}
