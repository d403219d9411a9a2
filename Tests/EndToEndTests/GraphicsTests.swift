import Glibc
import ImageEncoders
import Raster
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Pixel graphics") struct GraphicsTests {
        let folder: ScratchFolder

        init() throws { folder = try ScratchFolder() }

        /// A terminal's replies, and the required similarity of its pixels to the picture, in dB.
        struct Terminal: Sendable, CustomTestStringConvertible {
            var testDescription: String
            var others: [String: String]
            var environment: [String: String] = [:]
            /// For tmux, the replies of the terminal around it.
            var outer: [String: String]?
            var least = 99.0
            var readsSharedMemory = false

            var answers: TerminalAnswers {
                var answers = TerminalAnswers(cellSize: PixelSize(width: 10, height: 20))
                answers.others = others
                answers.outer = outer
                answers.readsSharedMemory = readsSharedMemory
                return answers
            }

            private static let query = "_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA"

            static let tmux = Terminal(
                testDescription: "tmux in kitty", others: ["[>q": "P>|tmux 3.5a"],
                environment: ["TMUX": "/tmp/x,1,0", "TERM": "tmux-256color"],
                outer: [query: "_Gi=31;OK", "[>q": "P>|kitty(0.48.2)"])

            static let local = Terminal(
                testDescription: "kitty on this machine",
                others: [query: "_Gi=31;OK", "[>q": "P>|kitty(0.36.0)"], readsSharedMemory: true)

            static let all = [
                local,
                Terminal(
                    testDescription: "kitty with placeholders",
                    others: [query: "_Gi=31;OK", "[>q": "P>|kitty(0.36.0)"]),
                Terminal(
                    testDescription: "kitty 0.26",
                    others: [query: "_Gi=31;OK", "[>q": "P>|kitty(0.26.5)"]),
                // Both refuse shared memory (parser.rs of Zellij 0.46, KittyGraphicsHandler.ts of xterm.js 6).
                Terminal(
                    testDescription: "Zellij 0.45 in kitty",
                    others: [query: "_Gi=31;OK", "[>q": "P>|Zellij(4500)"],
                    environment: ["TERM": "xterm-kitty"]),
                Terminal(
                    testDescription: "VS Code",
                    others: [query: "_Gi=31;OK", "[>q": "P>|xterm.js(6.1.0)"]),
                Terminal(
                    testDescription: "Rio 0.5",
                    others: [query: "_Gi=31;OK", "[>q": "P>|Rio 0.5.25"], readsSharedMemory: true),
                Terminal(testDescription: "iTerm2", others: ["[>q": "P>|iTerm2 3.5.0"]),
                Terminal(
                    testDescription: "sixels", others: ["[c": "[?63;1;2;4;22c"], least: 35),
                tmux,
            ]
        }

        private static let size = PixelSize(width: 240, height: 180)
        /// With 25 rows tiles of 24 columns are nine rows high.
        private static let screen = CellSize(columns: 80, rows: 25)

        /// A smooth picture, as large as a tile in pixels.
        private static let pixels = PixelBuffer(
            size: size,
            bytes: (0..<size.width * size.height).flatMap { place -> [UInt8] in
                let (x, y) = (place % size.width, place / size.width)
                return [UInt8(x), UInt8(y), UInt8((x + y) / 2), 255]
            }, isOpaque: true)

        private func gallery() throws -> ProgramGallery {
            let gallery = try ProgramGallery(count: 6)
            let png = try ImageEncoder.png(Self.pixels)
            gallery.server.route(gallery.thumbnailPath(1)) { _ in .bytes(png, type: "image/png") }
            return gallery
        }

        /// Returns the similarity of the first tile to the picture, in dB; nil while it shows no pixels, or only some.
        private func likeness(_ screen: ProgramScreen) -> Double? {
            screen.tile(of: 1, columns: 24, rows: 9).flatMap { screen.screen.pixels(of: $0) }
                .map(likeness)
        }

        private func likeness(_ seen: PixelBuffer) -> Double {
            let sum = zip(seen.bytes, Self.pixels.bytes).reduce(0.0) {
                $0 + pow(Double($1.0) - Double($1.1), 2)
            }
            return sum == 0 ? 99 : 10 * log10(255 * 255 * Double(seen.bytes.count) / sum)
        }

        @Test(
            "a tile shows the exact picture, again after being covered or redrawn",
            arguments: Terminal.all)
        func tile(terminal: Terminal) throws {
            let gallery = try gallery()
            let screen = try ProgramScreen(
                [gallery.address], in: folder, environment: terminal.environment, size: Self.screen,
                answers: terminal.answers, holdsAnswers: true)
            func isThere() -> Bool {
                screen.wait { likeness($0).map { $0 >= terminal.least } ?? false }
            }
            // Block characters are shown until it has replied.
            #expect(screen.waitForThumbnails(2...6))
            #expect(likeness(screen) == nil)
            screen.process.answer()
            // From now on it replies when queried.
            screen.process.holdsAnswers = false
            #expect(isThere(), "\(String(describing: likeness(screen)))")
            screen.type("?")
            #expect(screen.wait { likeness($0) == nil })
            screen.type("q")
            #expect(isThere())
            screen.type("X")
            #expect(screen.wait { $0.bottom.contains("graphics: none") && likeness($0) == nil })
            #expect(screen.waitForThumbnails(2...6))
            screen.type("X")
            #expect(isThere())
            screen.type("\u{0C}")
            #expect(isThere())
            // Where tiles have the same size.
            screen.process.resize(to: CellSize(columns: 104, rows: 30))
            if terminal.outer != nil {
                // Until a key press queries the terminal around tmux.
                #expect(
                    screen.wait { likeness($0) == nil && (2...6).allSatisfy($0.showsThumbnail) })
                screen.type("\u{0C}")
            }
            #expect(isThere())
            #expect(screen.quit() == .code(0))
            #expect(screen.leftBehind.isEmpty, "\(screen.leftBehind)")
            #expect(screen.screen.graphics.files.isEmpty || terminal.outer != nil)
            #expect(screen.screen.graphics.faults == [])
        }

        @Test(
            "with few colours kitty images are placed directly instead of through placeholder cells"
        )
        func fewColours() throws {
            let gallery = try gallery()
            let screen = try ProgramScreen(
                ["--colors", ColorDepth.palette16.rawValue, gallery.address], in: folder,
                size: Self.screen,
                answers: Terminal.all[0].answers)
            #expect(screen.wait { likeness($0) == 99 }, "\(screen.screen.text)")
            #expect(screen.screen.graphics.placeCount > 0)
            #expect(screen.screen.graphics.faults == [])
        }

        @Test(
            "block characters are used without detected graphics, in a multiplexer, and on request",
            arguments: [
                (["--graphics", "none"], Terminal.all[0].others, [:]),
                ([], ["[>q": "P>|kitty(0.36.0)"], [:]),
                ([], Terminal.all[3].others, ["TMUX": "/tmp/x", "TERM": "tmux-256color"]),
                ([], Terminal.all[0].others, ["NO_COLOR": "1"]),
            ] as [([String], [String: String], [String: String])])
        func blocks(
            arguments: [String], others: [String: String], environment: [String: String]
        ) throws {
            let gallery = try gallery()
            let terminal = Terminal(testDescription: "", others: others)
            let screen = try ProgramScreen(
                arguments + [gallery.address], in: folder, environment: environment,
                size: Self.screen,
                answers: terminal.answers)
            #expect(screen.wait { $0.tile(of: 1) != nil && $0.position == "1/6" })
            screen.settle()
            #expect(screen.screen.graphics.sentCount == 0)
        }

        @Test(
            "--print shows pixels, even after earlier rows have scrolled",
            arguments: Terminal.all.filter { $0.outer == nil })
        func printed(terminal: Terminal) throws {
            let gallery = try ProgramGallery(count: 6)
            let png = try ImageEncoder.png(Self.pixels)
            gallery.server.route(gallery.thumbnailPath(4)) { _ in .bytes(png, type: "image/png") }
            let sheet = try ProgramScreen(
                ["--print", gallery.address], in: folder, size: CellSize(columns: 80, rows: 16),
                answers: terminal.answers)
            #expect(sheet.waitForExit() == .code(0))
            // The second row of tiles: nine rows of pictures, the titles, an empty row, and the cursor below.
            let tile = CellRect(x: 0, y: 4, columns: 24, rows: 9)
            let likeness = sheet.screen.pixels(of: tile).map(likeness)
            #expect(
                likeness.map { $0 >= terminal.least } ?? false, "\(String(describing: likeness))")
            #expect(sheet.screen.shows(ProgramGallery.title(4)))
            #expect(sheet.screen.graphics.sentCount == 6)
            #expect(sheet.screen.graphics.faults == [])
        }

        @Test("tmux attached to another terminal falls back to blocks or sends all pictures again")
        func attaching() throws {
            let gallery = try gallery()
            let screen = try ProgramScreen(
                [gallery.address], in: folder, environment: Terminal.tmux.environment,
                size: Self.screen,
                answers: Terminal.tmux.answers)
            func isThere() -> Bool { screen.wait { likeness($0).map { $0 >= 99 } ?? false } }
            #expect(isThere())
            // Another kitty window of the same size.
            screen.screen.answers = Terminal.tmux.answers
            #expect(likeness(screen) == nil)
            screen.type("?q")
            #expect(isThere())
            // An xterm, then kitty again, each with another size.
            var answers = Terminal.tmux.answers
            answers.outer = ["[>q": "P>|XTerm(390)"]
            screen.screen.answers = answers
            screen.process.resize(to: CellSize(columns: 104, rows: 30))
            #expect(screen.waitForThumbnails(2...6) && likeness(screen) == nil)
            screen.type("?q")
            screen.settle()
            screen.type("X")
            #expect(screen.wait { $0.bottom.contains("graphics: none; in tmux 3.5 with: set -g") })
            let sent = screen.screen.graphics.sentCount
            screen.screen.answers = Terminal.tmux.answers
            screen.process.resize(to: CellSize(columns: 79, rows: 30))
            #expect(screen.waitForThumbnails(2...6) && likeness(screen) == nil)
            #expect(screen.screen.graphics.sentCount == sent)
            screen.type("?q")
            #expect(isThere())
            #expect(screen.quit() == .code(0))
            #expect(screen.screen.graphics.faults == [])
        }

        @Test(
            "pictures reach a terminal that reads shared memory without passing through it, and none is left there"
        )
        func shared() throws {
            let gallery = try gallery()
            let screen = try ProgramScreen(
                [gallery.address], in: folder, size: Self.screen, answers: Terminal.local.answers)
            #expect(screen.wait { likeness($0) == 99 })
            #expect(screen.wait { $0.screen.graphics.sharedCount == 6 })
            #expect(screen.screen.graphics.sentCount == 6)
            let process = screen.process.identifier
            #expect(screen.quit() == .code(0))
            #expect(screen.screen.graphics.faults == [])
            for name in ["probe"] + (1...9).map(String.init) {
                #expect(access("/dev/shm/halftone-\(process)-\(name)", F_OK) != 0)
            }
        }

        @Test("--graphics forces pixels without detection")
        func forced() throws {
            let gallery = try gallery()
            let screen = try ProgramScreen(
                ["--graphics", "sixel", gallery.address], in: folder, size: Self.screen)
            #expect(screen.wait { likeness($0).map { $0 >= 35 } ?? false })
        }
    }
}
