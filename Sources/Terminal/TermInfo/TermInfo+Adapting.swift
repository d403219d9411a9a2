import CUnibilium
import Raster

extension TermInfo {
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
}

extension StaticString {
    /// The text for libunibilium, which keeps the address.
    var cString: UnsafePointer<CChar> {
        UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
