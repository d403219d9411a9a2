import Glibc
import Raster
import TestSupport
import Testing

/// Pictures written without ncurses: whatever happens around them, every cell must be as requested.
@Suite struct PictureCellTests {
    static let size = CellSize(columns: 60, rows: 22)

    @Test(
        "random pictures and texts arrive cell by cell as drawn",
        arguments: [
            ("xterm-256color", ColorDepth.truecolor, 1), ("xterm-256color", .palette256, 2),
            ("xterm-256color", .palette16, 3), ("xterm", .palette8, 4),
            ("xterm-256color", .mono, 5), ("tmux-256color", .truecolor, 6),
            ("linux", .palette16, 7), ("vt100", .truecolor, 8), ("rxvt", .palette256, 2),
            ("contour", .truecolor, 9),
        ] as [(String, ColorDepth, UInt64)])
    func mixed(_ name: String, _ depth: ColorDepth, seed: UInt64) throws {
        let probe = try PtyProcess(
            Probe.path, arguments: ["mixed", depth.rawValue, "\(seed)"],
            environment: ["TERM": name, "LC_ALL": "C.UTF-8"], size: Self.size)
        var screens = MixedScreens(seed: seed, size: Self.size, depth: depth)
        for step in 0..<60 {
            try #require(probe.wait { $0.title == "step \(step)" })
            let wrong = CellComparison(shown: probe.screen.grid, drawn: screens.grid)
            try #require(wrong.isEmpty, "\(name) \(depth) seed \(seed) step \(step): \(wrong)")
            screens.advance(size: Self.size)
            // Occasionally everything is redrawn, or another program has the terminal meanwhile.
            probe.send(step % 13 == 12 ? "i" : step % 17 == 16 ? "z" : "n")
        }
        probe.send("q")
        #expect(probe.waitForExit() == .code(0))
        #expect(probe.screen.unrecognised == [])
    }

    @Test("after any sequence of resizes every cell is correct")
    func resizing() throws {
        let probe = try Probe.start("mixed", "truecolor", "5", size: Self.size)
        var screens = MixedScreens(seed: 5, size: Self.size, depth: .truecolor)
        var random = RandomCells(seed: 5)
        var size = Self.size
        for step in 0..<40 {
            try #require(probe.wait { $0.title == "step \(step)" })
            let wrong = CellComparison(shown: probe.screen.grid, drawn: screens.grid)
            try #require(wrong.isEmpty, "step \(step): \(wrong)")
            if random.below(3) == 0 {
                size = CellSize(columns: 2 + random.below(90), rows: 3 + random.below(30))
                probe.resize(to: size)
            }
            screens.advance(size: size)
            probe.send("n")
        }
    }
}
