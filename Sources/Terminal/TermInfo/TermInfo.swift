import Basics
import CUnibilium
import Glibc
import Raster

/// A terminal's description, an entry of the terminfo database (term(5)): libunibilium reads, changes and writes it.
struct TermInfo {
    /// The entry as files have it; empty if it is larger than ncurses takes.
    let compiled: [CChar]
    /// The terminal's first name.
    let name: String
    /// The number of colours; 0 if it has none.
    let colors: Int
    /// Whether an extended capability, `RGB` or `Tc`, says that it has 24-bit colours.
    let hasDirectColor: Bool
    /// Whether it has the sequences written by `TerminalSequence.scroll`.
    let scrollsLikeAnsi: Bool
    /// Whether it has the sequences written by `CellWriter`, and ncurses can be kept from touching its cells.
    ///
    /// Without `xenl`, ncurses needs to insert characters to reach the last cell of the screen.
    let takesPictures: Bool

    /// The largest entry that is read; ncurses rejects larger ones.
    private static let maxSize = 32_768

    /// Finds the entry of `TERM` in ncurses' order of directories (terminfo(5)); nil if there is none.
    init?(environment: EnvironmentVariables) {
        let name = environment.term
        guard let first = name.utf8.first, !name.contains("/"), !name.hasPrefix(".") else {
            return nil
        }

        // Debian's directories first, then those of other distributions and local installations.
        let common = "/etc:/lib:/usr/share:/usr/lib:/usr/local/share".split(separator: ":")
        let directories =
            nonNil(environment["TERMINFO"], environment["HOME"].map { "\($0)/.terminfo" })
            + (environment["TERMINFO_DIRS"]?.split(separator: ":").map(String.init) ?? [])
            + common.map { "\($0)/terminfo" }
        // By first letter, or by its code on case-insensitive file systems.
        for directory in directories {
            for folder in [String(UnicodeScalar(first)), String(first, radix: 16)] {
                if let bytes = smallFile("\(directory)/\(folder)/\(name)", limit: Self.maxSize),
                    let entry = Self(bytes.map(CChar.init(bitPattern:)))
                {
                    self = entry
                    return
                }
            }
        }
        return nil
    }

    /// Reads a compiled entry; nil if it is malformed.
    init?(_ compiled: [CChar]) {
        guard let entry = unibi_from_mem(compiled, compiled.count) else { return nil }
        self.init(entry)
    }

    /// Creates it from libunibilium's `entry`, which is destroyed.
    init(_ entry: OpaquePointer) {
        defer { unibi_destroy(entry) }
        compiled = [CChar](unsafeUninitializedCapacity: Self.maxSize) { buffer, count in
            let size = unibi_dump(entry, buffer.baseAddress, Self.maxSize)
            count = (0...Self.maxSize).contains(size) ? size : 0
        }
        name = String(cString: unibi_get_aliases(entry)[0] ?? unibi_get_name(entry))
        colors = max(0, Int(unibi_get_num(entry, unibi_max_colors)))
        func isDirectColor(_ name: UnsafePointer<CChar>?) -> Bool {
            ["RGB", "Tc"].contains(name.map { String(cString: $0) })
        }
        hasDirectColor =
            (0..<unibi_count_ext_bool(entry)).contains {
                isDirectColor(unibi_get_ext_bool_name(entry, $0))
                    && unibi_get_ext_bool(entry, $0) == 1
            }
            || (0..<unibi_count_ext_num(entry)).contains {
                isDirectColor(unibi_get_ext_num_name(entry, $0))
                    && unibi_get_ext_num(entry, $0) > 0
            }
            || (0..<unibi_count_ext_str(entry)).contains {
                isDirectColor(unibi_get_ext_str_name(entry, $0))
                    && unibi_get_ext_str(entry, $0) != nil
            }
        func hasXterms(_ capabilities: [unibi_string]) -> Bool {
            Self.sequences.allSatisfy { capability, sequence in
                !capabilities.contains(capability)
                    || unibi_get_str(entry, capability).map { strcmp($0, sequence.cString) } == 0
            }
        }
        scrollsLikeAnsi = hasXterms([
            unibi_change_scroll_region, unibi_scroll_forward, unibi_scroll_reverse,
            unibi_save_cursor, unibi_restore_cursor,
        ])
        takesPictures =
            scrollsLikeAnsi && unibi_get_bool(entry, unibi_auto_right_margin) == 1
            && unibi_get_bool(entry, unibi_eat_newline_glitch) == 1
            && hasXterms([unibi_cursor_address, unibi_parm_right_cursor, unibi_carriage_return])
            && unibi_get_str(entry, unibi_exit_attribute_mode)?.pointee == 0x1B
    }

    /// Returns libunibilium's entry, which the caller destroys.
    func open() -> OpaquePointer? { unibi_from_mem(compiled, compiled.count) }

    /// The sequence of a capability; nil if it is absent.
    subscript(capability: unibi_string) -> String? {
        guard let entry = open() else { return nil }
        defer { unibi_destroy(entry) }
        return unibi_get_str(entry, capability).map { String(cString: $0) }
    }

    /// The entry as a value of `$TERMINFO`, which ncurses uses instead of a file ("quick-dump", terminfo(5)).
    var quickDump: String {
        "hex:"
            + compiled.map { String(0x100 | Int(UInt8(bitPattern: $0)), radix: 16).dropFirst() }
            .joined()
    }

    /// The number of colour pairs in private entries: two per cell for up to 524,287 cells (see `CursesScreen.maxSize`), in 20 bits.
    static let privatePairs = 0x10_0000

    /// Returns a copy for a screen of `size`: all colours, enough pairs for every cell, no mouse handling by ncurses, and nothing
    /// that redefines the user's palette.
    ///
    /// The colours that the terminal shows may become known later; drawing code chooses among those. With `sparingPictures`, ncurses
    /// has no way to touch cells other than those it writes.
    func adapted(size: CellSize, sparingPictures: Bool = false) -> TermInfo {
        guard let entry = open() else { return self }
        unibi_set_num(entry, unibi_columns, Int32(size.columns))
        unibi_set_num(entry, unibi_lines, Int32(size.rows))
        var removed = [
            unibi_initialize_color, unibi_orig_colors, unibi_initialize_pair, unibi_set_color_pair,
            unibi_set_foreground, unibi_set_background, unibi_key_mouse,
        ]
        if scrollsLikeAnsi { removed += Self.scrolling }
        if sparingPictures {
            removed += Self.editing
            // It would insert to reach the last cell of the screen; with `xenl` that cell is like any other.
            unibi_set_bool(entry, unibi_auto_right_margin, 0)
        }
        for capability in removed { unibi_set_str(entry, capability, nil) }
        unibi_set_bool(entry, unibi_can_change, 0)
        // With XM, ncurses would enable the mouse in its own way; and it has no names for keys with Control or Alt (kRIT5 and the
        // like): unless it knows their sequences, it passes these on.
        for index in 0..<unibi_count_ext_str(entry) { unibi_set_ext_str(entry, index, nil) }
        Self.setColors(of: entry)
        return TermInfo(entry)
    }

    /// What is removed to keep ncurses from scrolling, which is done without it.
    ///
    /// It compares rows by hashes that are not updated when it is told of our scrolling, and would move rows again that are
    /// already in place.
    private static let scrolling = [
        unibi_change_scroll_region, unibi_scroll_forward, unibi_scroll_reverse, unibi_parm_index,
        unibi_parm_rindex, unibi_insert_line, unibi_parm_insert_line, unibi_delete_line,
        unibi_parm_delete_line,
    ]

    /// What is removed to restrict ncurses to writing changed cells where pictures are written without it: it takes them for
    /// placeholders, which it would move and erase together with the text around them.
    private static let editing = [
        unibi_clr_eol, unibi_clr_bol, unibi_clr_eos, unibi_erase_chars, unibi_insert_character,
        unibi_parm_ich, unibi_delete_character, unibi_parm_dch, unibi_enter_insert_mode,
        unibi_exit_insert_mode, unibi_repeat_char,
    ]

    private static func setColors(of entry: OpaquePointer) {
        unibi_set_num(entry, unibi_max_pairs, Int32(privatePairs))
        // Room for the 256 palette colours after all 24-bit ones. Without RGB, start_color would build a table of
        // all of them; RGB as the number 8 means 8 bits per channel.
        unibi_set_num(entry, unibi_max_colors, 0x100_0100)
        func isRGB(_ name: UnsafePointer<CChar>) -> Bool { String(cString: name) == "RGB" }
        for index in 0..<unibi_count_ext_bool(entry)
        where isRGB(unibi_get_ext_bool_name(entry, index)) {
            unibi_set_ext_bool(entry, index, 0)
        }
        let numbers = 0..<unibi_count_ext_num(entry)
        if let index = numbers.first(where: { isRGB(unibi_get_ext_num_name(entry, $0)) }) {
            unibi_set_ext_num(entry, index, 8)
        } else {
            unibi_add_ext_num(entry, ("RGB" as StaticString).cString, 8)
        }
        unibi_set_str(entry, unibi_set_a_foreground, foreground.cString)
        unibi_set_str(entry, unibi_set_a_background, background.cString)
        if unibi_get_str(entry, unibi_orig_pair) == nil {
            unibi_set_str(entry, unibi_orig_pair, ("\u{1B}[39;49m" as StaticString).cString)
        }
    }

    /// `38;2;R;G;B` for values below 2²⁴ (ITU T.416 with the separators that all terminals accept), then the palette: the ECMA-48
    /// and aixterm codes for the first 16 colours, else `38;5;N`.
    private static let foreground: StaticString = """
        \u{1B}[%?%p1%{16777216}%<%t38;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d\
        %e%p1%{16777224}%<%t3%p1%{16777216}%-%d\
        %e%p1%{16777232}%<%t9%p1%{16777224}%-%d%e38;5;%p1%{16777216}%-%d%;m
        """
    /// The same for backgrounds.
    private static let background: StaticString = """
        \u{1B}[%?%p1%{16777216}%<%t48;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d\
        %e%p1%{16777224}%<%t4%p1%{16777216}%-%d\
        %e%p1%{16777232}%<%t10%p1%{16777224}%-%d%e48;5;%p1%{16777216}%-%d%;m
        """

    /// The capabilities common to xterm's family, for a terminal whose description is not installed.
    ///
    /// Only what drawing needs, from xterm's control sequences (ctlseqs); keys missing here are decoded without ncurses.
    static let xterm: TermInfo = {
        let entry: OpaquePointer = unibi_dummy()
        for flag in [
            unibi_auto_right_margin, unibi_eat_newline_glitch, unibi_move_standout_mode,
        ] { unibi_set_bool(entry, flag, 1) }
        unibi_set_num(entry, unibi_max_colors, 256)
        for (capability, sequence) in sequences {
            unibi_set_str(entry, capability, sequence.cString)
        }
        return TermInfo(entry)
    }()

    static let sequences: [(unibi_string, StaticString)] = [
        (unibi_carriage_return, "\r"), (unibi_cursor_address, "\u{1B}[%i%p1%d;%p2%dH"),
        (unibi_parm_right_cursor, "\u{1B}[%p1%dC"), (unibi_clear_screen, "\u{1B}[H\u{1B}[2J"),
        (unibi_clr_eos, "\u{1B}[J"), (unibi_clr_eol, "\u{1B}[K"),
        (unibi_change_scroll_region, "\u{1B}[%i%p1%d;%p2%dr"), (unibi_scroll_forward, "\n"),
        (unibi_scroll_reverse, "\u{1B}M"), (unibi_save_cursor, "\u{1B}7"),
        (unibi_restore_cursor, "\u{1B}8"), (unibi_enter_ca_mode, "\u{1B}[?1049h"),
        (unibi_exit_ca_mode, "\u{1B}[?1049l"), (unibi_cursor_invisible, "\u{1B}[?25l"),
        (unibi_cursor_normal, "\u{1B}[?25h"), (unibi_keypad_xmit, "\u{1B}[?1h\u{1B}="),
        (unibi_keypad_local, "\u{1B}[?1l\u{1B}>"), (unibi_enter_bold_mode, "\u{1B}[1m"),
        (unibi_enter_dim_mode, "\u{1B}[2m"), (unibi_enter_underline_mode, "\u{1B}[4m"),
        (unibi_exit_underline_mode, "\u{1B}[24m"), (unibi_enter_reverse_mode, "\u{1B}[7m"),
        (unibi_exit_attribute_mode, "\u{1B}[m"), (unibi_orig_pair, "\u{1B}[39;49m"),
        (unibi_key_mouse, "\u{1B}[<"), (unibi_key_up, "\u{1B}OA"), (unibi_key_down, "\u{1B}OB"),
        (unibi_key_right, "\u{1B}OC"), (unibi_key_left, "\u{1B}OD"),
        (unibi_key_home, "\u{1B}OH"), (unibi_key_end, "\u{1B}OF"),
    ]
}

extension StaticString {
    /// The text for libunibilium, which keeps the address.
    var cString: UnsafePointer<CChar> {
        UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
