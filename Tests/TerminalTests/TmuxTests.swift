import Glibc
import Raster
import TestSupport
import TestTraits
import Testing

/// The same screens in an independent terminal.
@Suite(.enabled(if: Tmux.isInstalled), .onOwnThread) struct TmuxTests {
    static let size = CellSize(columns: 70, rows: 24)

    @Test(
        "tmux shows random pictures and texts cell by cell as drawn",
        arguments: [
            ("tmux-256color", ColorDepth.truecolor), ("screen-256color", .palette256),
            ("xterm-256color", .palette16),
        ])
    func mixed(_ terminal: String, _ depth: ColorDepth) throws {
        let tmux = try Tmux(
            size: Self.size, terminal: terminal,
            command: [Probe.path, "mixed", depth.rawValue, "3"])
        var screens = MixedScreens(seed: 3, size: Self.size, depth: depth)
        for step in 0..<40 {
            try #require(tmux.wait(title: "step \(step)"))
            let wrong = CellComparison(shown: try tmux.grid, drawn: screens.grid)
            try #require(wrong.isEmpty, "\(terminal) \(depth) step \(step): \(wrong)")
            screens.advance(size: Self.size)
            try tmux.send(step % 11 == 10 ? "i" : step % 15 == 14 ? "z" : "n")
        }
    }
}

extension TmuxTests {
    @Test("tmux shows letters with their marks in the right columns")
    func marks() throws {
        let tmux = try Tmux(
            size: Self.size, terminal: "tmux-256color", command: [Probe.path, "texts", "truecolor"])
        for step in 0..<MarkedTexts.samples.count {
            try #require(tmux.wait(title: "step \(step)"))
            let screen = try tmux.screen
            for (y, row) in MarkedTexts.rows(step: step).enumerated() {
                MarkedTexts.expect(row.shown, in: screen, row: y)
            }
            try tmux.send("n")
        }
    }
}

extension TmuxTests {
    @Test("y copies with a tmux command, since tmux does not accept text from programs by default")
    func copying() throws {
        let folder = try ScratchFolder()
        for name in ["one", "two"] {
            _ = try folder.write(ProgramPictures.png(RGB(0x336699)), to: "shots/\(name).png")
        }
        let tmux = try Tmux(
            size: Self.size, terminal: "tmux-256color",
            command: [
                "HOME=\(folder.path)", ProgramRun.executable, "--no-config",
                folder.path + "/shots/",
            ])
        try #require(tmux.wait(text: "1/2"))
        try tmux.send("y")
        #expect(tmux.wait(text: "copied"))
        #expect(try tmux.run(["show-buffer"]).shows(folder.path + "/shots/one.png"))
    }
}

/// A separate tmux server with one window and no outer terminal.
///
/// It exits when deallocated.
final class Tmux {
    /// The folder of its socket, which tmux leaves behind.
    private let folder: ScratchFolder
    private let size: CellSize
    private static let path = "/usr/bin/tmux"

    static var isInstalled: Bool { access(path, X_OK) == 0 }

    init(size: CellSize, terminal: String, command: [String]) throws {
        self.size = size
        folder = try ScratchFolder()
        try run([
            "-u", "-f", "/dev/null", "start-server", ";", "set-option", "-g", "status", "off", ";",
            "new-session", "-d", "-x", "\(size.columns)", "-y", "\(size.rows)",
            "env TERM=\(terminal) LC_ALL=C.UTF-8 \(command.joined(separator: " "))",
        ])
    }

    deinit {
        _ = try? run(["kill-server"])
    }

    /// Waits for the window's title; returns false after 20 seconds.
    func wait(title: String) -> Bool {
        for _ in 0..<2000 {
            guard let shown = try? run(["display-message", "-p", "#{pane_title}"]) else {
                return false
            }
            if shown.text(row: 0) == title { return true }
            poll(nil, 0, 10)
        }
        return false
    }

    /// Waits for a text in the window; returns false after 20 seconds.
    func wait(text: String) -> Bool {
        for _ in 0..<2000 {
            guard let shown = try? screen else { return false }
            if shown.shows(text) { return true }
            poll(nil, 0, 10)
        }
        return false
    }

    /// Types one key.
    func send(_ key: String) throws {
        try run(["send-keys", key])
    }

    /// The window as captured by tmux.
    var screen: ScreenEmulator {
        get throws { try run(["capture-pane", "-epN"]) }
    }

    /// The cells of the window as captured by tmux.
    var grid: CellGrid {
        get throws {
            let shown = try screen.grid
            var grid = CellGrid(size: size)
            for y in 0..<size.rows {
                for x in 0..<size.columns { grid[x, y] = shown[x, y] }
            }
            return grid
        }
    }

    /// Runs a tmux command and returns its output, with one row more than the window for the end of the last line.
    @discardableResult func run(_ arguments: [String]) throws -> ScreenEmulator {
        let process = try PtyProcess(
            Self.path, arguments: ["-S", folder.path + "/tmux"] + arguments,
            environment: ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"],
            size: CellSize(columns: size.columns + 1, rows: size.rows + 1))
        _ = process.waitForExit()
        return process.screen
    }
}
