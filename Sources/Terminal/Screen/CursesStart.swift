import CNcurses
import Glibc

/// The initialization of ncurses.
@MainActor enum CursesStart {
    /// Makes ncurses use `device` with `entry`; returns nil if it refuses.
    ///
    /// ncurses writes to `output`, which must be open on the same terminal.
    ///
    /// Changes the environment temporarily, so it must be called before other threads start.
    static func open(_ device: TerminalDevice, output: Int32, entry: TermInfo) -> OpaquePointer? {
        guard let output = fdopen(output, "w"), let input = fdopen(device.input, "r") else {
            return nil
        }
        // Use our own screen size from the entry rather than LINES and COLUMNS, which shells leave behind stale.
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
        // Not $TERM, which the entry may not list as a name: ncurses compares them.
        return newterm(entry.name, output, input)
    }

    /// Starts colours; returns false if there are fewer than `count`, which means that the entry was not used.
    static func startColors(atLeast count: Int?) -> Bool {
        guard start_color() == OK, use_default_colors() == OK else { return false }
        return Int(cn_colors()) >= count ?? 8
    }

    /// Delivers keys immediately, and signals as signals.
    static func setModes() {
        cbreak()
        noecho()
        nonl()
    }

    /// Configures `keys` to return named keys without blocking, and hides the cursor.
    static func configure(keys: UnsafeMutablePointer<WINDOW>?) {
        keypad(keys, true)
        // ncurses has no name for the code of Alt with an arrow, so let it come in pieces.
        for final in "CD" { define_key("\u{1B}[1;3\(final)", 0) }
        nodelay(keys, true)
        let window = cn_stdscr()
        intrflush(window, false)
        leaveok(window, true)
        scrollok(window, false)
        curs_set(0)
        // Long enough for the rest of a key's sequence, too short to be noticed after Esc; in milliseconds.
        set_escdelay(25)
        // Otherwise ncurses would cut a refresh short whenever a key is waiting.
        typeahead(-1)
    }
}
