import ImageEncoders
import Raster
import TestSupport
import Testing

extension EndToEnd {
    /// Our own emulator reads the standards as the program does; pyte (package python3-pyte) was written by others.
    @Suite("The screen, as a second emulator shows it") struct SecondEmulatorTests {
        let folder: ScratchFolder

        init() throws { folder = try ScratchFolder() }

        /// Shows a file's bytes on a screen of a given size, in steps: `N` feeds up to byte N and prints the screen, `CxR` resizes it.
        ///
        /// Of each cell it prints the colours and attributes.
        private static let script = """
            import sys, pyte
            names = {name: index - 30 for index, name in pyte.graphics.FG_ANSI.items()}
            def color(text):
                return f"n{names[text]}" if text in names and text != "default" else text
            def size(text):
                return [int(part) for part in text.split("x")]
            class Screen(pyte.Screen):
                # CSI r without numbers removes the margins (DECSTBM); pyte 0.8 takes their absence for 0.
                def set_margins(self, top=None, bottom=None):
                    super().set_margins(top or None, bottom or None)
            output = open(sys.argv[1], "rb").read()
            screen = Screen(*size(sys.argv[2]))
            stream = pyte.ByteStream(screen)
            start = 0
            for step in sys.argv[3:]:
                if "x" in step:
                    columns, rows = size(step)
                    screen.resize(rows, columns)
                    continue
                stream.feed(output[start:int(step)])
                start = int(step)
                for y in range(screen.lines):
                    cells = [screen.buffer[y][x] for x in range(screen.columns)]
                    print("text", " ".join(str(ord(c)) for cell in cells for c in cell.data))
                    for cell in cells:
                        marks = "b" * cell.bold + "u" * cell.underscore + "r" * cell.reverse
                        blank = cell.data == " " and not cell.underscore and not cell.reverse
                        print("" if blank else color(cell.fg), color(cell.bg), "" if blank else marks)
            """

        /// The program on a screen, with what it showed so far.
        private final class Witness {
            let screen: ProgramScreen
            private let folder: ScratchFolder
            private var steps: [String]
            private var shown: [(name: String, texts: [String], cells: [Cell], columns: Int)] = []

            init(_ screen: ProgramScreen, in folder: ScratchFolder) {
                self.screen = screen
                self.folder = folder
                steps = [Self.name(screen.screen.size)]
            }

            private static func name(_ size: CellSize) -> String { "\(size.columns)x\(size.rows)" }

            func resize(to size: CellSize) {
                steps.append("\(screen.process.output.count)")
                note("before \(Self.name(size))")
                screen.process.resize(to: size)
                steps.append(Self.name(size))
            }

            /// Remembers what the screen shows.
            func look(_ name: String) {
                screen.settle()
                steps.append("\(screen.process.output.count)")
                note(name)
            }

            private func note(_ name: String) {
                let size = screen.screen.size
                shown.append(
                    (
                        name, (0..<size.rows).map { screen.screen.text(row: $0) },
                        screen.view.cells, size.columns
                    ))
            }

            /// Returns where the second emulator shows something else, for messages.
            func differences() throws -> [String] {
                let path = try folder.write(screen.process.output, to: "terminal-output")
                let lines = try Tool.output(
                    of: "/usr/bin/python3", ["-c", SecondEmulatorTests.script, path] + steps)
                var rest = lines[...]
                var faults: [String] = []
                for (name, texts, cells, columns) in shown {
                    for (y, text) in texts.enumerated() {
                        let codes = (rest.popFirst() ?? "").split(separator: " ").dropFirst()
                        var scalars = String.UnicodeScalarView(
                            codes.compactMap { UInt32($0).flatMap(Unicode.Scalar.init) })
                        while scalars.last == " " { scalars.removeLast() }
                        // Equal if canonically equivalent: pyte composes.
                        if String(scalars) != text {
                            faults.append(
                                "\(name), row \(y): \(String(scalars)) instead of \(text)")
                        }
                        for x in 0..<columns {
                            let line = rest.popFirst() ?? "nothing"
                            let cell = cells[y * columns + x]
                            // A wide character's right half has no colours of its own in pyte.
                            if cell.glyph != 0, !SecondEmulatorTests.isEqual(line, cell) {
                                faults.append(
                                    "\(name), row \(y), column \(x): \(line), not \(cell)")
                            }
                        }
                    }
                }
                return faults
            }
        }

        /// Returns whether a line of the script describes `cell`; pyte knows no dim text, and leaves text bold after a bright colour.
        private static func isEqual(_ line: String, _ cell: Cell) -> Bool {
            let parts = line.split(separator: " ", omittingEmptySubsequences: false)
            guard parts.count == 3 else { return false }
            let isBlank =
                cell.glyph == 0x20 && cell.style.isDisjoint(with: [.underline, .reverse])
            let hasBold = cell.foreground.paletteIndex.map { $0 >= 16 } ?? true
            let marks =
                (hasBold && cell.style.contains(.bold) ? "b" : "")
                + (cell.style.contains(.underline) ? "u" : "")
                + (cell.style.contains(.reverse) ? "r" : "")
            let shown = parts[2].filter { hasBold || $0 != "b" }
            return names(of: cell.background).contains(String(parts[1]))
                && (isBlank
                    || names(of: cell.foreground).contains(String(parts[0])) && shown == marks)
        }

        private static func names(of color: CellColor) -> [String] {
            func hex(_ color: RGB) -> String {
                let digits = String(color.packed, radix: 16)
                return String(repeating: "0", count: 6 - digits.count) + digits
            }
            if let rgb = color.rgb { return [hex(rgb)] }
            guard let index = color.paletteIndex else { return ["default"] }
            return (index < 16 ? ["n\(index % 8)"] : []) + [hex(SystemColors.xterm[index])]
        }

        private func witness(
            _ arguments: [String], size: CellSize = CellSize(columns: 80, rows: 24)
        ) throws -> Witness {
            Witness(try ProgramScreen(arguments, in: folder, size: size), in: folder)
        }

        @Test("grid, list, viewer, help, info, prompt and dialog", arguments: EndToEnd.sizes)
        func parts(size: CellSize) throws {
            let gallery = try ProgramGallery(count: 24, perPage: 24)
            let witness = try witness([gallery.address], size: size)
            #expect(witness.screen.waitForThumbnails(1...3))
            witness.look("grid")
            for (keys, name) in [
                ("jjjj", "scrolled"), ("k", "scrolled back"), ("v", "list"), ("jj", "list, down"),
                ("?", "help"), ("j", "help, scrolled"), ("\u{1B}", "no help"), ("i", "info"),
                ("\u{1B}", "no info"), ("/", "prompt"), ("pic", "typed"), ("\u{1B}", "no prompt"),
                ("\r", "viewer"), ("n", "next"), ("+", "zoomed"), ("o", "dialog"),
            ] {
                witness.screen.type(keys)
                witness.look(name)
            }
            let differences = try witness.differences()
            #expect(differences.isEmpty, "\(differences.count): \(differences.prefix(5))")
        }

        @Test("after every resize")
        func resizing() throws {
            let gallery = try ProgramGallery(count: 24, perPage: 24)
            let witness = try witness([gallery.address])
            #expect(witness.screen.waitForThumbnails(1...3))
            for (columns, rows) in [(60, 20), (140, 50), (24, 9), (80, 24)] {
                witness.resize(to: CellSize(columns: columns, rows: rows))
                #expect(witness.screen.wait { $0.position.hasSuffix("/24") })
                witness.look("\(columns) × \(rows)")
                witness.screen.type("jjk")
                witness.look("moved in \(columns) × \(rows)")
            }
            let differences = try witness.differences()
            #expect(differences.isEmpty, "\(differences.count): \(differences.prefix(5))")
        }

        @Test("in every colour depth", arguments: ["truecolor", "256", "16", "8", "mono"])
        func depths(depth: String) throws {
            let gallery = try ProgramGallery(count: 12)
            let witness = try witness([gallery.address, "--colors", depth])
            #expect(witness.screen.wait { $0.position == "1/12" })
            witness.look("grid")
            for (keys, name) in [("l", "right"), ("jj", "scrolled"), ("v", "list"), ("?", "help")] {
                witness.screen.type(keys)
                witness.look(name)
            }
            let differences = try witness.differences()
            #expect(differences.isEmpty, "\(differences.count): \(differences.prefix(5))")
        }

        @Test("with wide characters and combining marks")
        func wide() throws {
            let size = PixelSize(width: 40, height: 30)
            let bytes = (0..<size.width * size.height).flatMap { _ in [200, 80, 40, 255] as [UInt8]
            }
            let png = try ImageEncoder.png(PixelBuffer(size: size, bytes: bytes, isOpaque: true))
            for name in [
                "写真のアルバム一覧と長い題名がここにあります", "a写b真c", "nai\u{308}ve cafe\u{301}", "한국어 사진",
                "plain",
            ] { try folder.write(png, to: "pictures/\(name).png") }
            let witness = try witness([folder.path + "/pictures"])
            #expect(witness.screen.waitFor("plain"))
            witness.look("grid")
            for (keys, name) in [
                ("l", "right"), ("j", "down"), ("v", "list"), ("k", "up"), ("\r", "viewer"),
            ] {
                witness.screen.type(keys)
                witness.look(name)
            }
            let differences = try witness.differences()
            #expect(differences.isEmpty, "\(differences.count): \(differences.prefix(5))")
        }
    }
}
