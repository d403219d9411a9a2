import Basics

/// Shows the cursor at a position unknown to ncurses, and restores it (DECSC, DECRC, DECTCEM).
enum CursorSequence {
    static let back = "\u{1B}[?25l\u{1B}8"

    static func show(x: Int, y: Int) -> String { "\u{1B}7\u{1B}[\(y + 1);\(x + 1)H\u{1B}[?25h" }
}

/// Sets the window's title (OSC 2), and saves and restores the previous one (XTWINOPS 22 and 23).
enum TitleSequence {
    static let push = "\u{1B}[22;0t"
    static let pop = "\u{1B}[23;0t"

    /// Longer than windows show; some terminals accept no more.
    private static let longest = 200

    static func bytes(_ title: String, isUnicode: Bool) -> [UInt8] {
        let line = title.oneLine(limit: longest)
        return Array("\u{1B}]2;\(isUnicode ? line : line.ascii)\u{7}".utf8)
    }
}

/// Asks the terminal to copy a text to the clipboard: OSC 52, from xterm's control sequences.
///
/// Works over SSH; terminals that do not support or allow it ignore it.
enum ClipboardSequence {
    static func bytes(_ text: String) -> [UInt8] {
        Array("\u{1B}]52;c;".utf8) + Base64.bytes(Array(text.utf8)) + [0x07]
    }
}
