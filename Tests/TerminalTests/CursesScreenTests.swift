import Basics
import Glibc
import Raster
import TestSupport
import TestTraits
import Testing

/// Output of ncurses, interpreted by an independent terminal emulator: every cell must be as requested.
@Suite(.onOwnThread) struct CursesScreenTests {
    static let size = CellSize(columns: 60, rows: 22)

    @Test(
        "scrolls, overlapping windows and new pictures arrive cell by cell as drawn",
        arguments: [
            ("xterm-256color", ColorDepth.truecolor), ("xterm-256color", .palette256),
            ("xterm-256color", .palette16), ("xterm", .palette8), ("xterm-256color", .mono),
            ("tmux-256color", .truecolor), ("linux", .palette16), ("vt100", .truecolor),
            ("screen", .palette256), ("rxvt", .truecolor),
            ("not/installed|here", .truecolor), ("contour", .palette16),
        ])
    func steps(_ terminal: String, _ depth: ColorDepth) throws {
        let probe = try PtyProcess(
            Probe.path, arguments: ["steps", depth.rawValue, "7"],
            environment: ["TERM": terminal, "LC_ALL": "C.UTF-8"], size: Self.size)
        var script = ScreenScript(seed: 7, size: Self.size, depth: depth)
        for step in 0..<20 {
            try #require(probe.wait { $0.title == "step \(step)" })
            expectSame(probe.screen.grid, script.grid, "\(terminal) \(depth) step \(step)")
            script.advance(size: Self.size)
            probe.send("n")
        }
        probe.send("q")
        #expect(probe.waitForExit() == .code(0))
        #expect(probe.screen.unrecognised == [])
    }

    @Test("more pairs of colours than ncurses is given are shown, by starting over")
    func pairs() throws {
        // Without UTF-8 ncurses draws the pictures, too.
        let size = CellSize(columns: 200, rows: 60)
        let probe = try PtyProcess(
            Probe.path, arguments: ["steps", "truecolor", "7"],
            environment: ["TERM": "xterm-256color", "LC_ALL": "C"], size: size)
        var script = ScreenScript(seed: 7, size: size, depth: .truecolor)
        var pairs: Set<[CellColor]> = []
        for step in 0..<60 where pairs.count < 100_000 {
            try #require(probe.wait { $0.title == "step \(step)" })
            let (shown, drawn) = (probe.screen.grid.cells, script.grid.cells)
            let wrong = zip(shown, drawn).count { shown, drawn in
                drawn.glyph == 0x2580
                    && (shown.background != drawn.background
                        || shown.foreground != drawn.foreground)
            }
            #expect(wrong == 0, "step \(step)")
            pairs.formUnion(drawn.map { [$0.foreground, $0.background] })
            script.advance(size: size)
            probe.send("n")
        }
        #expect(pairs.count > 80_000)
        probe.send("q")
        #expect(probe.waitForExit() == .code(0))
    }

    @Test("a resized terminal is redrawn completely")
    func resizing() throws {
        let sizes = [
            Self.size, CellSize(columns: 100, rows: 30), CellSize(columns: 33, rows: 9),
            CellSize(columns: 1, rows: 1), CellSize(columns: 20, rows: 5),
            CellSize(columns: 80, rows: 24),
        ]
        let probe = try Probe.start("steps", "truecolor", "3", size: sizes[0])
        var script = ScreenScript(seed: 3, size: sizes[0], depth: .truecolor)
        for (step, size) in (sizes + sizes).dropFirst().enumerated() {
            try #require(probe.wait { $0.title == "step \(step)" })
            expectSame(probe.screen.grid, script.grid, "step \(step)")
            probe.resize(to: size)
            script.advance(size: size)
            probe.send("n")
        }
    }

    @Test("scrolling one row costs one row's bytes, and an unchanged screen none")
    func economy() throws {
        let probe = try Probe.start("steps", "truecolor", "11", size: Self.size)
        #expect(probe.wait { $0.title == "step 0" })
        let whole = probe.output.count
        probe.waitForSilence()
        #expect(probe.output.count == whole)
        var script = ScreenScript(seed: 11, size: Self.size, depth: .truecolor)
        var scrolls = 0
        for step in 1..<30 {
            let before = (script.offset, script.grid, probe.output.count)
            script.advance(size: Self.size)
            probe.send("n")
            try #require(probe.wait { $0.title == "step \(step)" })
            if abs(script.offset - before.0) == 1 {
                scrolls += 1
                #expect(
                    probe.output.count - before.2 < whole / 4,
                    "step \(step) \(before.0) \(script.offset)")
            }
        }
        #expect(scrolls > 0)
    }

    @Test("the terminal is restored at exit")
    func restoring() throws {
        let probe = try Probe.start("steps", "truecolor", "1", size: Self.size)
        #expect(probe.wait { $0.title == "step 0" })
        #expect(probe.screen.isAlternate)
        #expect(!probe.screen.modes.contains(25))
        #expect(probe.screen.modes.isSuperset(of: [1000, 1006]))
        probe.send("q")
        #expect(probe.waitForExit() == .code(0))
        expectRestored(probe)
    }

    /// The stack may overflow in ThreadSanitizer's own code; the handler, which it instruments too, then does not complete.
    private static let isThreadSanitized = dlsym(nil, "__tsan_init") != nil

    @Test(
        "a crash restores the terminal and stays a crash, on any thread, with its reason shown",
        arguments: ["", "worker"] + (Self.isThreadSanitized ? [] : ["overflow"]))
    func crashing(place: String) throws {
        let probe = try crash(place, size: Self.size)
        let exit = probe.waitForExit()
        if place == "overflow" {
            #expect(exit == .signal(SIGSEGV) || exit == .signal(SIGBUS))
        } else {
            #expect(exit == .signal(SIGILL) || exit == .signal(SIGTRAP))
            let output = String(decoding: probe.output, as: UTF8.self)
            #expect(output.contains("Fatal error: Index out of range"), "\(output.suffix(500))")
        }
        expectRestored(probe)
    }

    @Test("a crash restores even a terminal still lagging behind an unfinished frame")
    func crashingAheadOfTheTerminal() throws {
        let probe = try crash("full", size: Self.size)
        #expect(probe.waitForExitUnread(seconds: 1) == nil)
        #expect(probe.waitForExit() != nil)
        #expect(!probe.screen.isAlternate)
        #expect(probe.screen.modes.isDisjoint(with: [1, 1000, 1006]))
    }

    private func crash(_ place: String, size: CellSize) throws -> PtyProcess {
        try PtyProcess(
            Probe.path, arguments: ["crash", "truecolor", place],
            environment: ["TERM": "xterm-256color", "SWIFT_BACKTRACE": "enable=no"], size: size)
    }

    @Test("a signal ignored before stays ignored, as nohup requires")
    func ignoredSignals() throws {
        let probe = try Probe.start("ignored", "truecolor", size: Self.size)
        #expect(probe.waitForExit() == .code(0))
        #expect(probe.screen.shows("still ignored"))
    }

    @Test("letters keep their marks and width, without excess marks and reordering characters")
    func marks() throws {
        let probe = try Probe.start("texts", "truecolor", size: Self.size)
        for step in 0..<MarkedTexts.samples.count {
            try #require(probe.wait { $0.title == "step \(step)" })
            for (y, row) in MarkedTexts.rows(step: step).enumerated() {
                MarkedTexts.expect(row.shown, in: probe.screen, row: y)
            }
            probe.send("n")
        }
    }

    private func expectRestored(_ probe: PtyProcess) {
        #expect(!probe.screen.isAlternate)
        #expect(probe.screen.modes.isSuperset(of: [7, 25]))
        #expect(probe.screen.modes.isDisjoint(with: [1, 1000, 1002, 1003, 1006, 2004]))
        #expect(probe.screen.region == 0..<Self.size.rows)
        #expect(probe.screen.currentPen == .blank)
        let attributes = probe.attributes
        #expect(
            attributes.c_lflag & tcflag_t(ICANON | ECHO | ISIG) == tcflag_t(ICANON | ECHO | ISIG))
        #expect(attributes.c_oflag & tcflag_t(OPOST) != 0)
        #expect(attributes.c_iflag & tcflag_t(ICRNL) != 0)
    }

    private func expectSame(_ shown: CellGrid, _ drawn: CellGrid, _ what: String) {
        let wrong = CellComparison(shown: shown, drawn: drawn)
        #expect(wrong.isEmpty, "\(what): \(wrong)")
    }
}

extension MarkedTexts {
    /// Expects `text` in row `y` of `screen`, with the sign at its column.
    static func expect(_ text: String, in screen: ScreenEmulator, row y: Int) {
        let shown = screen.text(row: y)
        let blanks = String(repeating: " ", count: max(0, column - text.columns))
        #expect(
            shown.unicodeScalars.elementsEqual((text + blanks + sign).unicodeScalars),
            "\(shown) instead of \(text)")
        #expect(screen.grid[column, y].glyph == 0x7C)
    }
}
