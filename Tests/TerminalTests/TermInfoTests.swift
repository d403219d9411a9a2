import CUnibilium
import Raster
import TestSupport
import Testing

@testable import Terminal

/// Finding and changing terminals' descriptions.
@Suite struct TermInfoTests {
    static let names = [
        "xterm", "xterm-256color", "tmux-256color", "screen", "linux", "vt100", "rxvt", "ansi",
        "rxvt-unicode-256color", "xterm-mono",
    ]

    private func entry(_ name: String) throws -> TermInfo {
        try #require(TermInfo(environment: ["TERM": name]))
    }

    @Test("a written entry is read back unchanged", arguments: names)
    func roundTrip(name: String) throws {
        let entry = try entry(name)
        #expect(!entry.compiled.isEmpty)
        #expect(TermInfo(entry.compiled)?.compiled == entry.compiled)
    }

    @Test("the private entry has 24-bit colours before the palette, and the screen's size")
    func direct() throws {
        let entry = try entry("xterm-256color")
            .adapted(size: CellSize(columns: 123, rows: 45))
        #expect(entry.colors == 0x100_0100)
        #expect(entry.number(unibi_max_pairs) == TermInfo.privatePairs)
        #expect(entry.number(unibi_columns) == 123)
        #expect(entry.number(unibi_lines) == 45)
        #expect(entry.extendedNumber("RGB") == 8)
        #expect(entry[unibi_set_a_foreground]?.contains("38;2;") == true)
        #expect(entry[unibi_set_a_background]?.contains("48;5;") == true)
        #expect(entry[unibi_initialize_color] == nil)
        #expect(entry[unibi_orig_colors] == nil)
        #expect(entry[unibi_key_mouse] == nil)
        // Its own keys and modes stay.
        #expect(entry[unibi_exit_ca_mode] == "\u{1B}[?1049l\u{1B}[23;0;0t")
    }

    @Test("the private entry has 8 bits for each colour whatever the terminal's own says")
    func ownRGB() throws {
        let own = try #require(try entry("xterm-256color").open())
        let name: StaticString = "RGB"
        unibi_add_ext_bool(own, name.cString, 1)
        unibi_add_ext_num(own, name.cString, 5)
        let adapted = TermInfo(own).adapted(size: CellSize(columns: 80, rows: 24))
        #expect(adapted.extendedNumber("RGB") == 8)
        let entry = try #require(adapted.open())
        defer { unibi_destroy(entry) }
        let flags = (0..<unibi_count_ext_bool(entry)).filter {
            String(cString: unibi_get_ext_bool_name(entry, $0)) == "RGB"
        }
        #expect(flags.map { unibi_get_ext_bool(entry, $0) } == [0])
    }

    @Test("the private entry leaves keys with Control or Alt to us", arguments: names)
    func modifiedKeys(name: String) throws {
        let adapted = try entry(name).adapted(size: CellSize(columns: 80, rows: 24))
        let entry = try #require(adapted.open())
        defer { unibi_destroy(entry) }
        for index in 0..<unibi_count_ext_str(entry) {
            #expect(unibi_get_ext_str(entry, index) == nil)
        }
    }

    @Test("an entry that spares pictures only erases the whole screen, without moving or inserting")
    func sparing() throws {
        let entry = try entry("xterm-256color")
        #expect(entry.takesPictures)
        let sparing = entry.adapted(
            size: CellSize(columns: 80, rows: 24), sparingPictures: true)
        let cancelled = [
            unibi_clr_eol, unibi_clr_bol, unibi_clr_eos, unibi_erase_chars, unibi_insert_character,
            unibi_parm_ich, unibi_delete_character, unibi_parm_dch, unibi_enter_insert_mode,
            unibi_exit_insert_mode, unibi_repeat_char, unibi_change_scroll_region,
            unibi_scroll_forward, unibi_scroll_reverse, unibi_insert_line, unibi_delete_line,
        ]
        for capability in cancelled {
            #expect(
                sparing[capability] == nil, "\(String(cString: unibi_name_str(capability)))")
        }
        let opened = try #require(sparing.open())
        defer { unibi_destroy(opened) }
        #expect(unibi_get_bool(opened, unibi_auto_right_margin) == 0)
    }

    @Test(
        "pictures are left to ncurses if sequences or line wrapping differ",
        arguments: ["vt100", "ansi", "xterm-mono"])
    func refusing(name: String) throws {
        #expect(try entry(name).takesPictures == (name == "xterm-mono"))
        let xterm = try entry("xterm")
        #expect(xterm.takesPictures)
        let other = try #require(xterm.open())
        unibi_set_bool(other, unibi_eat_newline_glitch, 0)
        #expect(!TermInfo(other).takesPictures)
    }

    @Test("the largest screen's colour pairs fit")
    func pairs() {
        let size = CursesScreen.maxSize
        #expect(2 * size.columns * size.rows < TermInfo.privatePairs)
    }

    @Test("the built-in entry for the xterm family is complete and supports pictures")
    func family() throws {
        #expect(TermInfo(TermInfo.xterm.compiled)?.compiled == TermInfo.xterm.compiled)
        #expect(TermInfo.xterm.takesPictures && TermInfo.xterm[unibi_key_mouse] != nil)
        #expect(TermInfo.xterm[unibi_carriage_return] == "\r")
    }

    @Test("a truncated or corrupted file is rejected or read, but never traps")
    func hostile() throws {
        let bytes = try entry("tmux-256color").compiled
        for length in stride(from: 0, to: bytes.count, by: 7) {
            _ = TermInfo(Array(bytes[..<length]))
        }
        for index in 0..<min(bytes.count, 900) {
            for value: CChar in [0, 0x7F, -0x80, -1] {
                var spoilt = bytes
                spoilt[index] = value
                if let entry = TermInfo(spoilt) {
                    _ = entry.adapted(size: CellSize(columns: 80, rows: 24)).quickDump
                }
            }
        }
    }

    @Test(
        "a user's own folders come before the system's, and a broken or too large file is passed over"
    )
    func folders() throws {
        let scratch = try ScratchFolder()
        func write(_ name: String, to folder: String, count: Int? = nil) throws {
            var bytes = try entry(name).compiled.map { UInt8(bitPattern: $0) }
            if let count {
                bytes =
                    bytes.prefix(count) + Array(repeating: 0, count: max(0, count - bytes.count))
            }
            try scratch.write(bytes, to: folder + "/xterm")
        }
        func found(_ environment: [String: String]) -> String? {
            TermInfo(environment: environment.merging(["TERM": "xterm"]) { $1 })?.name
        }
        let path = scratch.path
        try write("linux", to: "first/x")
        try write("vt100", to: "home/.terminfo/78")
        try write("ansi", to: "second/x")
        let all = [
            "TERMINFO": path + "/first", "HOME": path + "/home",
            "TERMINFO_DIRS": ":\(path)/none:\(path)/second",
        ]
        #expect(found(all) == "linux")
        #expect(found(all.filter { $0.key != "TERMINFO" }) == "vt100")
        #expect(found(all.filter { $0.key == "TERMINFO_DIRS" }) == "ansi")
        #expect(found([:])?.hasPrefix("xterm") == true)
        // Between the 4,096 bytes of old and the 32,768 of new entries.
        try write("linux", to: "first/x", count: 30_000)
        #expect(found(all) == "linux")
        try write("linux", to: "first/x", count: 40_000)
        #expect(found(all) == "vt100")
        try write("linux", to: "first/x", count: 100)
        #expect(found(all) == "vt100")
    }

    @Test(
        "names that are paths match no entry",
        arguments: [
            "../etc/passwd", "/etc/passwd", "", ".", "..", "x/y",
            String(repeating: "x", count: 100_000),
        ])
    func paths(name: String) {
        #expect(TermInfo(environment: ["TERM": name]) == nil)
    }
}

extension TermInfo {
    fileprivate func number(_ capability: unibi_numeric) -> Int? {
        guard let entry = open() else { return nil }
        defer { unibi_destroy(entry) }
        return Int(unibi_get_num(entry, capability))
    }

    fileprivate func extendedNumber(_ name: String) -> Int? {
        guard let entry = open() else { return nil }
        defer { unibi_destroy(entry) }
        return (0..<unibi_count_ext_num(entry))
            .first { String(cString: unibi_get_ext_num_name(entry, $0)) == name }
            .map { Int(unibi_get_ext_num(entry, $0)) }
    }
}
