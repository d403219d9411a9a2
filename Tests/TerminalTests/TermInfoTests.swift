import Glibc
import Raster
import Testing

@testable import Terminal

/// Compiled entries read, changed and written.
@Suite struct TermInfoTests {
    static let database = TermInfoDatabase(environment: [:])
    static let names = [
        "xterm", "xterm-256color", "tmux-256color", "screen", "linux", "vt100", "rxvt", "ansi",
        "rxvt-unicode-256color", "xterm-mono",
    ]

    @Test("what is written is read again the same", arguments: names)
    func roundTrip(name: String) throws {
        let entry = try #require(Self.database.entry(named: name))
        #expect(try TermInfo(compiled: entry.compiled()) == entry)
    }
}
