import Raster
import Testing

@testable import Terminal

/// Reading, changing and writing compiled entries.
@Suite struct TermInfoTests {
    static let database = TermInfoDatabase(environment: [:])
    static let names = [
        "xterm", "xterm-256color", "tmux-256color", "screen", "linux", "vt100", "rxvt", "ansi",
        "rxvt-unicode-256color", "xterm-mono",
    ]

    @Test("a written entry is read back unchanged", arguments: names)
    func roundTrip(name: String) throws {
        let entry = try #require(Self.database.entry(named: name))
        #expect(try TermInfo(compiled: entry.compiled()) == entry)
    }

    @Test("the private entry has 24-bit colours before the palette, and the screen's size")
    func direct() throws {
        let entry = try #require(Self.database.entry(named: "xterm-256color"))
            .adapted(size: CellSize(columns: 123, rows: 45))
        #expect(entry[.colors] == 0x100_0100)
        #expect(entry[.pairs] == TermInfo.privatePairs)
        #expect(entry[.columns] == 123)
        #expect(entry[.lines] == 45)
        #expect(entry.extendedNumbers.contains { $0.name == Array("RGB".utf8) && $0.value == 8 })
        #expect(entry[.setAnsiForeground]?.contains("38;2;") == true)
        #expect(entry[.setAnsiBackground]?.contains("48;5;") == true)
        #expect(entry[.initializeColor] == nil)
        #expect(entry[.originalColors] == nil)
        #expect(entry[.keyMouse] == nil)
        // Its own keys and modes stay.
        #expect(entry[.exitAlternateScreen] == "\u{1B}[?1049l\u{1B}[23;0;0t")
    }

    @Test("the private entry leaves keys with Control or Alt to us", arguments: names)
    func modifiedKeys(name: String) throws {
        let entry = try #require(Self.database.entry(named: name))
            .adapted(size: CellSize(columns: 80, rows: 24))
        #expect(entry.extendedStrings.isEmpty)
    }

    @Test("an entry that spares pictures only erases the whole screen, without moving or inserting")
    func sparing() throws {
        let entry = try #require(Self.database.entry(named: "xterm-256color"))
        #expect(entry.takesPictures)
        let sparing = entry.adapted(
            size: CellSize(columns: 80, rows: 24), sparingPictures: true)
        let cancelled: [StringCapability] = [
            .eraseToEndOfLine, .eraseToStartOfLine, .eraseToEndOfScreen, .eraseCharacters,
            .insertCharacter, .insertCharacters, .deleteCharacter, .deleteCharacters,
            .enterInsertMode, .exitInsertMode, .repeatCharacter, .changeScrollRegion,
            .scrollForward, .scrollReverse, .insertLine, .deleteLine,
        ]
        for capability in cancelled {
            #expect(sparing[capability] == nil, "\(capability)")
        }
        #expect(!sparing[.autoRightMargin])
    }

    @Test(
        "pictures are left to ncurses if sequences or line wrapping differ",
        arguments: ["vt100", "ansi", "xterm-mono"])
    func refusing(name: String) throws {
        let entry = try #require(Self.database.entry(named: name))
        #expect(entry.takesPictures == (name == "xterm-mono"))
        var other = try #require(Self.database.entry(named: "xterm"))
        #expect(other.takesPictures)
        other.booleans[BooleanCapability.eatNewline.rawValue] = 0
        #expect(!other.takesPictures)
    }

    @Test("the largest screen's colour pairs fit")
    func pairs() {
        let size = CursesScreen.maxSize
        #expect(2 * size.columns * size.rows < TermInfo.privatePairs)
    }

    @Test("the built-in entry for the xterm family is complete and supports pictures")
    func family() throws {
        #expect(try TermInfo(compiled: TermInfo.xterm.compiled()) == .xterm)
        #expect(TermInfo.xterm.takesPictures && TermInfo.xterm[.keyMouse] != nil)
    }

    @Test("a truncated or corrupted file is rejected or read, but never traps")
    func hostile() throws {
        let bytes = try #require(Self.database.entry(named: "tmux-256color")).compiled()
        for length in stride(from: 0, to: bytes.count, by: 7) {
            _ = try? TermInfo(compiled: Array(bytes[..<length]))
        }
        for index in 0..<min(bytes.count, 900) {
            for value: UInt8 in [0, 0x7F, 0x80, 0xFF] {
                var spoilt = bytes
                spoilt[index] = value
                if let entry = try? TermInfo(compiled: spoilt) {
                    _ = entry.adapted(size: CellSize(columns: 80, rows: 24)).compiled()
                }
            }
        }
    }

    @Test(
        "names that are paths match no entry",
        arguments: ["../etc/passwd", "/etc/passwd", "", ".", "x/y"])
    func paths(name: String) {
        #expect(Self.database.entry(named: name) == nil)
    }
}
