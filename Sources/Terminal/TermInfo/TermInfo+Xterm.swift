import CUnibilium

extension TermInfo {
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
