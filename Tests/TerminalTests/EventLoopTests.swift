import Glibc
import Raster
import TestSupport
import TestTraits
import Testing

/// The event loop in a real terminal: keys, signals, sizes, and exiting.
@Suite(.onOwnThread) struct EventLoopTests {
    static let size = CellSize(columns: 80, rows: 24)

    /// Starts a gallery; returns it with the terminal's original attributes.
    private func start(isUnderShell: Bool = false) throws -> (PtyProcess, termios) {
        let probe = try Probe.start(
            "browse", "truecolor", size: Self.size, isUnderShell: isUnderShell)
        let before = probe.attributes
        try #require(probe.wait { $0.shows("1/60") && $0.shows("picture 1") })
        return (probe, before)
    }

    @Test("q ends the program and restores the terminal's attributes")
    func quitting() throws {
        let fresh = try PtyProcess(
            "/bin/sleep", arguments: ["9"], environment: [:], size: Self.size)
        let (probe, _) = try start()
        probe.send("q")
        #expect(probe.waitForExit() == .code(0))
        expectRestored(probe)
        expectEqual(probe.attributes, fresh.attributes)
    }

    @Test(
        "a signal ends the program with its exit code and restores the terminal",
        arguments: [(SIGTERM, 143), (SIGHUP, 129), (SIGINT, 130)] as [(Int32, Int32)])
    func signals(number: Int32, code: Int32) throws {
        let (probe, _) = try start()
        probe.signal(number)
        #expect(probe.waitForExit() == .code(code))
        expectRestored(probe)
    }

    @Test("^C sends SIGINT")
    func interrupting() throws {
        let (probe, _) = try start()
        probe.send("\u{3}")
        #expect(probe.waitForExit() == .code(130))
        expectRestored(probe)
    }

    @Test("^Z restores the terminal until the program continues")
    func suspending() throws {
        let (probe, _) = try start(isUnderShell: true)
        probe.send("\u{1A}")
        #expect(probe.waitForStop())
        probe.waitForSilence(seconds: 0.05)
        expectRestored(probe)
        let before = probe.output.count
        probe.signal(SIGCONT)
        #expect(probe.wait { $0.isAlternate && $0.shows("1/60") && !$0.modes.contains(25) })
        #expect(probe.wait { $0.modes.contains(1006) })
        probe.waitForSilence()
        let output = String(decoding: probe.output[before...], as: UTF8.self)
        #expect(output.components(of: "\u{1B}[?1049h") == 1)
        #expect(output.components(of: "\u{1B}[c") == 1)
        probe.send("l")
        #expect(probe.wait { $0.shows("2/60") })
    }

    @Test("a resize takes effect at once, without a key")
    func resizing() throws {
        let (probe, _) = try start()
        for size in [
            CellSize(columns: 120, rows: 40), CellSize(columns: 20, rows: 5),
            CellSize(columns: 8, rows: 2),
            CellSize(columns: 60, rows: 20),
        ] {
            probe.resize(to: size)
            let isShown =
                size.columns < 24
                ? probe.wait { $0.text.contains("small") }
                : probe.wait { $0.text(row: size.rows - 1).contains("1/60") }
            #expect(isShown, "\(size)")
        }
    }

    @Test("keys in every form that terminals send move the selection")
    func keys() throws {
        let (probe, _) = try start()
        // Application mode, normal mode, letters, a count, Home and End.
        for (keys, position) in [
            ("\u{1B}OC", "2/60"), ("\u{1B}[C", "3/60"), ("l", "4/60"), ("5l", "9/60"),
            ("\u{1B}[H", "1/60"), ("\u{1B}[F", "60/60"), ("g", "1/60"),
        ] {
            probe.send(keys)
            #expect(probe.wait { $0.shows(" \(position)") }, "\(keys)")
        }
    }

    @Test("a click selects, and the terminal's replies are not keys")
    func mouse() throws {
        let (probe, _) = try start()
        // Late replies: the background colour, device attributes, and a graphics protocol's.
        probe.send("\u{1B}]11;rgb:0000/0000/0000\u{1B}\\\u{1B}[?62;4;22c\u{1B}_Gi=31;OK\u{1B}\\")
        probe.send("\u{1B}[<0;40;6M\u{1B}[<0;40;6m")
        #expect(probe.wait { $0.shows("2/60") })
        probe.send(String(repeating: "\u{1B}[<65;40;6M", count: 5))
        #expect(probe.wait { !$0.shows("picture 1 ") && $0.shows("picture 9") })
    }

    @Test("when idle, nothing is written and no CPU time is used")
    func idling() throws {
        let (probe, _) = try start()
        probe.waitForSilence()
        let before = Self.ticks(of: probe.identifier)
        #expect(probe.waitForSilence(seconds: 1) == 0)
        #expect(Self.ticks(of: probe.identifier) == before)
    }

    @Test("the program ends when its terminal goes away")
    func hangUp() throws {
        let (probe, _) = try start()
        probe.hangUp()
        #expect(probe.waitForExit() == .code(129))
    }

    @Test(
        "a terminal without cursor addressing gets an error message and no escape sequence",
        arguments: [
            ("dumb", "cannot move the cursor"), ("", "TERM is not set"),
        ])
    func unusable(name: String, reason: String) throws {
        let probe = try PtyProcess(
            Probe.path, arguments: ["browse", "truecolor"], environment: ["TERM": name],
            size: Self.size)
        #expect(probe.waitForExit() == .code(1))
        #expect(probe.screen.shows(reason))
        #expect(!probe.output.contains(0x1B))
    }

    @Test("keys come from the terminal if standard input is a file")
    func inputFromFile() throws {
        let probe = try PtyProcess(
            Probe.path, arguments: ["browse", "truecolor"],
            environment: ["TERM": "xterm-256color"], size: Self.size, input: "/dev/null")
        try #require(probe.wait { $0.shows("1/60") })
        probe.send("l")
        #expect(probe.wait { $0.shows("2/60") })
        probe.send("q")
        #expect(probe.waitForExit() == .code(0))
    }

    private func expectRestored(_ probe: PtyProcess) {
        #expect(!probe.screen.isAlternate)
        #expect(probe.screen.leftScreen?.cells.contains { $0 != .blank } == false)
        #expect(probe.screen.modes.contains(25))
        #expect(probe.screen.modes.isDisjoint(with: [1, 1000, 1006]))
        #expect(probe.screen.currentPen == .blank)
        #expect(probe.screen.unrecognised == [])
    }

    private func expectEqual(_ one: termios, _ other: termios) {
        #expect(one.c_iflag == other.c_iflag)
        #expect(one.c_oflag == other.c_oflag)
        #expect(one.c_cflag == other.c_cflag)
        #expect(one.c_lflag == other.c_lflag)
        #expect("\(one.c_cc)" == "\(other.c_cc)")
    }

    /// Returns the clock ticks used by the process: fields 14 and 15 of its `stat` (proc(5)).
    private static func ticks(of identifier: pid_t) -> Int {
        guard let file = fopen("/proc/\(identifier)/stat", "r") else { return -1 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 1024)
        fgets(&line, 1024, file)
        let text = String(
            decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let fields = text.split(separator: " ")
        return fields[13...14].compactMap { Int($0) }.reduce(0, +)
    }
}

extension String {
    /// Returns the number of occurrences of `part`.
    fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
