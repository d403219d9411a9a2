import Glibc
import ImageEncoders
import Raster
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Terminal replies") struct TerminalAnswerTests {
        let folder: ScratchFolder
        static let light = TerminalAnswers(background: RGB(0xFFFFFF))

        init() throws { folder = try ScratchFolder() }

        /// Creates a gallery whose first picture is a small blue square surrounded by transparency, and whose page comes
        /// once `gate` is open.
        private func gallery(behind gate: Gate? = nil) throws -> ProgramGallery {
            let gallery = try ProgramGallery(count: 6)
            if let gate {
                gallery.server.route(gallery.pagePath(1)) { [html = gallery.html(1)] _ in
                    .html(html).held(by: gate)
                }
            }
            let png = try Self.cutOut()
            for path in [gallery.thumbnailPath(1), gallery.fullPath(1)] {
                gallery.server.route(path) { _ in .bytes(png, type: "image/png") }
            }
            return gallery
        }

        private static func cutOut() throws -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: 80 * 60 * 4)
            for y in 20..<40 {
                for x in 30..<50 {
                    bytes.replaceSubrange(
                        (y * 80 + x) * 4..<(y * 80 + x) * 4 + 4, with: [48, 96, 224, 255])
                }
            }
            let size = PixelSize(width: 80, height: 60)
            return try ImageEncoder.png(PixelBuffer(size: size, bytes: bytes, isOpaque: false))
        }

        /// Returns the colour behind the first picture, once it is shown.
        private func ground(_ screen: ProgramScreen) -> RGB? {
            guard let tile = screen.tile(of: 1),
                screen.colors(in: tile).contains(CellColor(RGB(0x3060E0)))
            else { return nil }
            return screen.grid[tile.x, tile.y].background.rgb
        }

        @Test("Y copies the picture itself: in a terminal that takes files, else to the display")
        func copiedPicture() throws {
            let gallery = try gallery()
            try folder.write(
                "#!/bin/sh\necho \"$@\" > \"$HOME/words\"\ncat > \"$HOME/copied\"\n",
                to: "bin/xclip")
            chmod(folder.path + "/bin/xclip", 0o755)
            let environment = ["DISPLAY": ":7", "PATH": folder.path + "/bin:/usr/bin:/bin"]
            let screen = try ProgramScreen(
                [gallery.address], in: folder, environment: environment, answers: Self.light)
            #expect(screen.waitForThumbnails(2...6))
            screen.type("Y")
            #expect(screen.wait { $0.bottom.contains("copied ") }, "\(screen.bottom)")
            #expect(folder.read("words") == Array("-selection clipboard -t image/png\n".utf8))
            #expect(try folder.read("copied") == Self.cutOut())
            #expect(screen.quit() == .code(0))
            var answers = Self.light
            answers.reports = [5522]
            let other = try ProgramScreen(
                [gallery.address], in: folder, environment: environment, answers: answers)
            #expect(other.waitForThumbnails(2...6))
            other.type("Y")
            #expect(other.wait { $0.bottom.contains("copied ") }, "\(other.bottom)")
            let sent =
                "\u{1B}]5522;type=write\u{1B}\\\u{1B}]5522;type=wdata:mime=aW1hZ2UvcG5n;iVBORw0KGgo"
            #expect(
                other.process.wait(seconds: 60) { _ in
                    String(decoding: other.process.output, as: UTF8.self).contains(sent)
                })
            // What it answers presses no keys.
            other.process.send("\u{1B}]5522;type=write:status=DONE\u{1B}\\")
            other.settle()
            #expect(other.bottom.contains("copied "))
            #expect(other.quit() == .code(0))
        }

        @Test("a light terminal gets light tiles and bars, and a white viewer background")
        func light() throws {
            let gallery = try gallery()
            let screen = try ProgramScreen([gallery.address], in: folder, answers: Self.light)
            #expect(screen.waitForThumbnails(2...6))
            #expect(screen.wait { ground($0).map { !$0.isDark } ?? false })
            #expect(screen.grid[0, 0].background.rgb?.isDark == false)
            #expect(screen.grid[0, 23].background.rgb?.isDark == false)
            #expect(screen.changesByRedraw() == [])
            screen.type(Keys.enter)
            #expect(
                screen.wait {
                    $0.grid[40, 12].background == CellColor(RGB(0x3060E0))
                        && $0.grid[20, 4].background == CellColor(RGB(0xFFFFFF))
                })
            screen.type(Keys.escape)
            #expect(screen.waitForThumbnails(2...6))
            #expect(screen.quit() == .code(0))
            #expect(screen.leftBehind.isEmpty, "\(screen.leftBehind)")
            // The first style was different, but nothing was fetched twice.
            #expect((1...6).allSatisfy { gallery.server.count(of: gallery.thumbnailPath($0)) == 1 })
        }

        @Test("a terminal that never replies is assumed to be dark")
        func silent() throws {
            let gallery = try gallery()
            let screen = try ProgramScreen([gallery.address], in: folder, answers: nil)
            #expect(screen.waitForThumbnails(2...6))
            #expect(screen.wait { ground($0)?.isDark ?? false })
            #expect(screen.grid[0, 0].background.rgb?.isDark == true)
            screen.type("l")
            #expect(screen.waitForSelected(2))
            screen.type(Keys.enter)
            #expect(screen.wait { !$0.screen.shows("Picture 003") })
            screen.type(Keys.escape)
            #expect(screen.waitForThumbnails(3...6))
            #expect(screen.quit() == .code(0))
            #expect(screen.leftBehind.isEmpty, "\(screen.leftBehind)")
        }

        @Test("without a reply COLORFGBG decides")
        func hint() throws {
            let gallery = try gallery()
            let screen = try ProgramScreen(
                [gallery.address], in: folder, environment: ["COLORFGBG": "0;15"])
            #expect(screen.wait { ground($0).map { !$0.isDark } ?? false })
        }

        @Test(
            "a late reply, even byte by byte, changes the style and triggers no key",
            arguments: [false, true])
        func late(isPiecemeal: Bool) throws {
            let gallery = try gallery()
            let answers = TerminalAnswers(
                background: RGB(0xFDF6E3), palette: .xterm,
                cellSize: PixelSize(width: 9, height: 18),
                synchronizesOutput: true)
            let screen = try ProgramScreen(
                [gallery.address], in: folder, answers: answers, holdsAnswers: true)
            #expect(screen.waitForThumbnails(2...6))
            screen.settle()
            #expect(ground(screen)?.isDark == true)
            screen.type("l")
            #expect(screen.waitForSelected(2))
            screen.process.answer(isPiecemeal: isPiecemeal)
            #expect(screen.wait { ground($0).map { !$0.isDark } ?? false })
            screen.settle()
            // A digit would begin a count, which the bottom line would show instead of the title.
            #expect(screen.bottom.contains("2/6  \(ProgramGallery.title(2))"), "\(screen.bottom)")
            screen.type("l")
            #expect(screen.wait { $0.position == "3/6" })
            #expect(screen.changesByRedraw() == [])
            #expect((1...6).allSatisfy { gallery.server.count(of: gallery.thumbnailPath($0)) == 1 })
        }

        @Test("hostile replies change nothing, trigger no key and leave the terminal intact")
        func hostile() throws {
            let gallery = try gallery()
            let screen = try ProgramScreen([gallery.address], in: folder)
            #expect(screen.waitForThumbnails(2...6))
            screen.settle()
            let before = screen.view
            for text in [
                "\u{1B}]11;rgb:zzzz/12/34\u{7}", "\u{1B}]4;77;rgb:1/2/3\u{1B}\\",
                "\u{1B}[6;999999999;1t", "\u{1B}[?2026;;;$y", "\u{1B}P1$r12q\u{1B}\\",
                "\u{1B}]11;" + String(repeating: "12qG", count: 250_000) + "\u{7}",
            ] {
                screen.process.send(text)
            }
            // Keys typed after them take effect, so the replies have been read.
            screen.type("l")
            #expect(screen.waitForSelected(2))
            screen.type("h")
            #expect(screen.wait { $0.view == before }, "\(screen.differences(from: before))")
            #expect(screen.quit() == .code(0))
            #expect(screen.leftBehind.isEmpty, "\(screen.leftBehind)")
        }

        @Test("tiles follow the terminal's cell shape")
        func cells() throws {
            let gallery = try gallery()
            let answers = TerminalAnswers(cellSize: PixelSize(width: 12, height: 12))
            let screen = try ProgramScreen(
                [gallery.address], in: folder, size: EndToEnd.sizes[1], answers: answers)
            // With square cells, two rows of tiles that are 16 rows high fill the screen, and so do 4:3 pictures these.
            let isSquare = screen.wait {
                guard let tile = $0.tile(of: 2, columns: 16, rows: 16) else { return false }
                return $0.colors(in: tile) == [CellColor(ProgramGallery.color(2))]
            }
            #expect(isSquare, "\(screen.screen.text)")
        }

        @Test("frames use synchronised output only on terminals that support it")
        func synchronized() throws {
            let gallery = try gallery()
            for isKnown in [true, false] {
                let screen = try ProgramScreen(
                    [gallery.address], in: folder,
                    answers: TerminalAnswers(synchronizesOutput: isKnown))
                #expect(screen.waitForThumbnails(2...6))
                screen.type("l")
                #expect(screen.waitForSelected(2))
                screen.settle()
                let output = String(decoding: screen.process.output, as: UTF8.self)
                let count = { (mark: String) in
                    output.split(separator: mark, omittingEmptySubsequences: false).count - 1
                }
                #expect(count("\u{1B}[?2026h") == count("\u{1B}[?2026l"))
                #expect(output.contains("\u{1B}[?2026h") == isKnown)
                #expect(!screen.screen.modes.contains(2026))
            }
        }

        @Test(
            "when the terminal turns light, so does the screen, and its pictures are drawn from kept pixels"
        )
        func turned() throws {
            let gallery = try gallery()
            var answers = TerminalAnswers(background: RGB(0x101010))
            answers.reports = [1004, 2031]
            let screen = try ProgramScreen([gallery.address], in: folder, answers: answers)
            #expect(screen.waitForThumbnails(2...6))
            #expect(screen.wait { $0.screen.modes.isSuperset(of: [1004, 2031]) })
            #expect(screen.grid[0, 0].background.rgb?.isDark == true)
            screen.process.screen.answers?.background = RGB(0xFFFFFF)
            screen.process.send(Array("\u{1B}[?997;2n".utf8))
            #expect(screen.wait { $0.grid[0, 0].background.rgb?.isDark == false })
            #expect(screen.wait { ground($0).map { !$0.isDark } ?? false })
            #expect(gallery.server.count(of: gallery.thumbnailPath(1)) == 1)
            #expect(screen.quit() == .code(0))
            #expect(screen.leftBehind.isEmpty, "\(screen.leftBehind)")
        }

        @Test(
            "Ctrl-C reported by number interrupts the program", arguments: ["[99;5u", "[27;5;99~"])
        func interrupted(report: String) throws {
            let gallery = try gallery()
            let screen = try ProgramScreen([gallery.address], in: folder)
            #expect(screen.waitForThumbnails(2...6))
            screen.process.send(Array("\u{1B}\(report)".utf8))
            #expect(screen.waitForExit() == .code(130))
            #expect(screen.leftBehind.isEmpty, "\(screen.leftBehind)")
        }

        @Test("a reply whose first byte arrives alone is not taken for the Escape key")
        func afterEscape() throws {
            let gate = Gate()
            let gallery = try gallery(behind: gate)
            let screen = try ProgramScreen(
                [gallery.address], in: folder, answers: Self.light, holdsAnswers: true)
            #expect(screen.waitFor("loading"))
            gate.open()
            let answers = screen.process.screen.takeAnswers()
            let watch = ContinuousClock.now
            screen.process.send([0x1B])
            // Longer than ncurses waits for the rest of a key.
            screen.process.waitForSilence(seconds: 0.04)
            screen.process.send(Array(answers.dropFirst()))
            // If the machine was too busy to keep the pause short, nothing has been proved.
            guard watch.duration(to: .now) < .milliseconds(55) else { return }
            #expect(screen.wait { $0.grid[0, 0].background.rgb?.isDark == false })
            #expect(screen.wait { $0.position == "1/6" }, "\(screen.bottom)")
        }

        @Test(
            "an unterminated reply swallows no key, however many are typed",
            arguments: ["]11;rgb:0/0", "]52;c;QUJD", "P1$r48;2", "]4;3"])
        func unended(answer: String) throws {
            let gallery = try gallery()
            let screen = try ProgramScreen([gallery.address], in: folder, answers: Self.light)
            #expect(screen.waitForThumbnails(2...6))
            // At once, unlike keys: a lone P would be one.
            screen.process.send("\u{1B}\(answer)")
            // The program shows no sign of it; these keys arrive while it waits for more.
            for _ in 0..<40 where screen.position != "6/6" {
                screen.type("l")
                _ = screen.process.wait(seconds: 0.05) { _ in false }
            }
            #expect(screen.position == "6/6", "\(screen.bottom)")
            // Keys that were held back arrive together, as if pasted: the last one must have been read before `q` counts as typed.
            screen.type("h")
            #expect(screen.wait { $0.position == "5/6" }, "\(screen.bottom)")
            screen.settle()
            #expect(screen.quit() == .code(0))
        }

        @Test(
            "leaving before the replies arrive waits for them, says so, and leaves none for the shell",
            arguments: [nil, SIGTERM, SIGINT])
        func leaving(signal: Int32?) throws {
            let gallery = try gallery(behind: Gate())
            let screen = try ProgramScreen(
                [gallery.address], in: folder, answers: Self.light, holdsAnswers: true)
            #expect(screen.waitFor("loading"))
            if let signal { screen.process.signal(signal) } else { screen.process.send("q") }
            #expect(screen.waitFor(Self.waiting), "\(screen.screen.text)")
            screen.process.answer()
            #expect(screen.waitForExit() == .code(signal.map { 128 + $0 } ?? 0))
            #expect(screen.leftBehind.isEmpty, "\(screen.leftBehind)")
            #expect(screen.process.takeUnreadInput() == [])
        }

        static let waiting = "waiting for the terminal"

        @Test("a second signal ends the wait for replies")
        func impatience() throws {
            let gallery = try gallery(behind: Gate())
            let screen = try ProgramScreen(
                [gallery.address], in: folder, answers: Self.light, holdsAnswers: true)
            #expect(screen.waitFor("loading"))
            screen.process.send("q")
            #expect(screen.waitFor(Self.waiting), "\(screen.screen.text)")
            screen.process.signal(SIGINT)
            #expect(screen.waitForExit() == .code(0))
            #expect(screen.leftBehind.isEmpty, "\(screen.leftBehind)")
        }

        // MARK: - Printing

        @Test(
            "--print adapts to the terminal it prints on and restores it",
            arguments: [nil, "/dev/null"])
        func print(input: String?) throws {
            let gallery = try gallery()
            for (answers, isDark) in [(Self.light, false), (TerminalAnswers(), true), (nil, true)] {
                let screen = try ProgramScreen(
                    ["--print", gallery.address], in: folder, size: CellSize(columns: 80, rows: 60),
                    input: input, answers: answers)
                #expect(screen.waitForExit() == .code(0))
                #expect(screen.waitFor(ProgramGallery.title(6)))
                #expect(ground(screen)?.isDark == isDark, "\(screen.screen.text)")
                #expect(screen.leftBehind.isEmpty, "\(screen.leftBehind)")
                #expect(screen.process.takeUnreadInput() == [])
                // Neither an echoed reply nor a query remains.
                #expect(!screen.screen.text.contains("rgb:"))
            }
        }

        @Test("--print waits for late replies if the environment names the terminal or some came")
        func latePrint() throws {
            let gallery = try gallery()
            for (name, first) in [("xterm-kitty", 0), ("xterm-256color", 5)] {
                let screen = try ProgramScreen(
                    ["--print", gallery.address], in: folder, environment: ["TERM": name],
                    size: CellSize(columns: 80, rows: 60), answers: Self.light, holdsAnswers: true)
                #expect(screen.process.wait { _ in screen.process.hasQueried })
                let answers = screen.process.screen.takeAnswers()
                screen.process.send(Array(answers.prefix(first)))
                #expect(screen.waitFor(Self.waiting), "\(screen.screen.text)")
                screen.process.send(Array(answers.dropFirst(first)))
                #expect(screen.waitForExit() == .code(0))
                #expect(screen.waitFor(ProgramGallery.title(6)))
                #expect(ground(screen)?.isDark == false, "\(screen.screen.text)")
                #expect(!screen.screen.text.contains(Self.waiting))
                #expect(!screen.screen.text.contains("rgb:"))
                #expect(screen.process.takeUnreadInput() == [])
            }
        }
    }
}
