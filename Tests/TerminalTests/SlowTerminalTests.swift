import Glibc
import Raster
import TestSupport
import TestTraits
import Testing

/// Terminals that stop reading in the middle of a frame.
@Suite(.onOwnThread) struct SlowTerminalTests {
    /// So large that a frame exceeds the kernel's buffer for a terminal that does not read.
    static let size = CellSize(columns: 300, rows: 100)

    /// Starts a program that is stuck in its first frame with pictures, 58 KB: Linux buffers 22 KB.
    private func stuck() throws -> PtyProcess {
        let probe = try Probe.start("browse", "truecolor", size: Self.size)
        while probe.output.count < 8192 {
            try #require(probe.readSome())
        }
        try #require(probe.output.count < 30_000)
        return probe
    }

    @Test(
        "a signal still ends the program and restores the terminal driver's modes",
        arguments: [(SIGTERM, 143), (SIGHUP, 129), (SIGINT, 130)] as [(Int32, Int32)])
    func signals(number: Int32, code: Int32) throws {
        let probe = try stuck()
        probe.signal(number)
        #expect(probe.waitForExitUnread() == .code(code))
        #expect(probe.attributes.isSame(as: probe.attributesBefore))
    }

    @Test("keys still work: q ends the program")
    func keys() throws {
        let probe = try stuck()
        probe.send("q")
        #expect(probe.waitForExitUnread() == .code(0))
        #expect(probe.attributes.isSame(as: probe.attributesBefore))
    }

    @Test("a begun frame is finished, then the newest state is shown, skipping those between")
    func dropping() throws {
        let probe = try stuck()
        // All of them fit into the terminal's buffer.
        for _ in 0..<30 { probe.send("l") }
        #expect(probe.wait { $0.shows("31/60") })
        #expect(probe.screen.unrecognised == [])
        probe.send("q")
        #expect(probe.waitForExit() == .code(0))
        #expect(!probe.screen.isAlternate)
    }

    @Test("exiting in mid-frame leaves no colours or partial sequences behind")
    func cutting() throws {
        let probe = try stuck()
        probe.send("q")
        #expect(probe.waitForExit() == .code(0))
        #expect(!probe.screen.isAlternate)
        #expect(probe.screen.currentPen == .blank)
        #expect(probe.screen.region == 0..<Self.size.rows)
        #expect(probe.screen.modes.isDisjoint(with: [1, 1000, 1006, 2026]))
        #expect(probe.screen.unrecognised == [])
    }
}
