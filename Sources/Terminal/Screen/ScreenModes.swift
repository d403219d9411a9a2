import Basics
import CUnibilium

/// The terminal modes that are switched without ncurses, and how to undo all modes in a crash.
struct ScreenModes {
    let entering: [UInt8]
    let leaving: [UInt8]
    /// Empties the alternate screen before it is left: after a resize tmux would leave rows of it on the main screen.
    let erasing: [UInt8]
    /// Switches off everything that ncurses or we may have switched on.
    let restoring: [UInt8]
    /// Whether the window's title is saved by `entering` and restored by `leaving`, so that it may be changed meanwhile.
    let hasTitle: Bool
    /// Whether the cursor can be shown without ncurses and restored, by DECSC and DECRC.
    let canKeepCursor: Bool

    /// Reports presses and the wheel (1000), and motion while a button is held (1002), in the form without a limit of 223 columns (1006).
    private static let mouseOn = "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h"
    private static let mouseOff = "\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l"

    /// Reports, where they are known, of the focus (1004), and of dark and light
    /// (2031: https://contour-terminal.org/vt-extensions/color-palette-update-notifications/).
    static let reports = [1004, 2031]

    /// The marks around a frame, which terminals with mode 2026 show at once.
    static let frameBegin = "\u{1B}[?2026h".bytes
    static let frameEnd = "\u{1B}[?2026l".bytes

    /// Ends what a truncated frame may have left on: the frame marks, a scroll region, attributes.
    static let afterCut = frameEnd + "\u{1B}[r\u{1B}[m".bytes

    /// Creates the modes for a terminal described by `entry`.
    init(entry: TermInfo) {
        let hasMouse = entry[unibi_key_mouse] != nil
        // Terminals with xterm's mouse also have its titles; only GNU screen cannot save them.
        canKeepCursor =
            entry[unibi_save_cursor] == "\u{1B}7"
            && entry[unibi_cursor_invisible]?.hasPrefix("\u{1B}[?25l") == true
        hasTitle = hasMouse && !entry.name.hasPrefix("screen")
        // Without automatic margins, as in our entry, ncurses switches wrapping (mode 7) off and never on again.
        // Bracketed paste (mode 2004) keeps pasted text from being taken for keys.
        entering =
            ("\u{1B}[?7l\u{1B}[?2004h" + (hasMouse ? Self.mouseOn : "")
            + (hasTitle ? TerminalSequence.pushTitle : "")).bytes
        leaving =
            ((hasTitle ? TerminalSequence.popTitle : "") + (hasMouse ? Self.mouseOff : "")
            + "\u{1B}[?2031l\u{1B}[?1004l\u{1B}[?2004l\u{1B}[?7h").bytes
        erasing = entry[unibi_exit_ca_mode] == nil ? [] : "\u{1B}[m\u{1B}[H\u{1B}[2J".bytes
        let undo = [
            unibi_exit_attribute_mode, unibi_orig_pair, unibi_cursor_normal, unibi_keypad_local,
            unibi_exit_ca_mode,
        ]
        // A string sequence may be unfinished.
        restoring =
            TerminalSequence.stringEnd + Self.frameEnd + leaving
            + ("\u{1B}[r" + undo.compactMap { entry[$0] }.map(Self.withoutPadding).joined()).bytes
    }

    /// Removes delays (`$<5>`), which only hardware terminals need.
    private static func withoutPadding(_ text: String) -> String {
        let parts = text.split(separator: "$<", omittingEmptySubsequences: false)
        let rest = parts.dropFirst().map { $0.drop { $0 != ">" }.dropFirst() }
        return (parts.prefix(1) + rest).joined()
    }
}
