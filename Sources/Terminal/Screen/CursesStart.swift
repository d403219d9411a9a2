import CNcurses
import Glibc

/// What is done once with ncurses before anything is drawn.
@MainActor enum CursesStart {
    /// Makes ncurses take `device` with `entry`, or with what it finds itself; nil if it knows no such terminal.
    ///
    /// ncurses writes to `output`, which must be the same terminal.
    ///
    /// Changes the environment for a moment, so it belongs before the start of other threads.
    static func open(
        _ device: TerminalDevice, output: Int32, entry: TermInfo?
    ) -> OpaquePointer? {
        guard let output = fdopen(output, "w"), let input = fdopen(device.input, "r") else {
            return nil
        }
        guard let entry else { return newterm(device.name, output, input) }
        // Our own measure of the screen, in the entry, and not LINES and COLUMNS, which shells leave behind stale.
        use_env(false)
        let before = getenv("TERMINFO").map { String(cString: $0) }
        setenv("TERMINFO", entry.quickDump(), 1)
        defer {
            if let before {
                setenv("TERMINFO", before, 1)
            } else {
                unsetenv("TERMINFO")
            }
        }
        return newterm(device.name, output, input)
    }

    /// Starts colours; false if the terminal has fewer than `count`, which means the entry was not taken.
    static func startColors(atLeast count: Int?) -> Bool {
        guard start_color() == OK, use_default_colors() == OK else { return false }
        return Int(cn_colors()) >= count ?? 8
    }

    /// Keys one by one, signals as signals.
    static func setModes() {
        cbreak()
        noecho()
        nonl()
    }

    /// Keys by name from `keys`, no cursor, no waiting.
    static func configure(keys: UnsafeMutablePointer<WINDOW>?) {
        keypad(keys, true)
        nodelay(keys, true)
        let window = cn_stdscr()
        intrflush(window, false)
        leaveok(window, true)
        scrollok(window, false)
        curs_set(0)
        // Long enough for the rest of a key's sequence, too short to be felt after Esc; in milliseconds.
        set_escdelay(25)
        // Or ncurses would cut a refresh short whenever a key waits.
        typeahead(-1)
    }
}
