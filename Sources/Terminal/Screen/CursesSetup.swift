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

/// Captures what ncurses writes, so that it becomes part of a frame: ncurses itself writes in pieces and blocks on a slow
/// terminal.
///
/// ncurses has a descriptor of its own: the terminal while modes are set, and a memory file while something is drawn.
final class CursesCapture {
    let descriptor: Int32
    private let terminal: Int32
    private let memory: Int32

    /// Opens a memory file; returns -1 if the system refuses.
    static func memory() -> Int32 {
        // 1 is MFD_CLOEXEC, which is not imported.
        memfd_create("halftone", 1)
    }

    /// Creates a descriptor for ncurses that refers to `terminal`; nil if the system refuses.
    init?(terminal: Int32) {
        self.terminal = terminal
        descriptor = fcntl(terminal, F_DUPFD_CLOEXEC, 3)
        memory = Self.memory()
        guard descriptor >= 0, memory >= 0 else {
            close(descriptor)
            close(memory)
            return nil
        }
    }

    /// Closes the memory file only; ncurses may write to its descriptor for as long as the process lives.
    deinit { close(memory) }

    /// Returns what ncurses writes while `body` runs.
    ///
    /// Terminal modes cannot be set in `body`.
    func bytes(writtenBy body: () -> Void) -> [UInt8] {
        dup3(memory, descriptor, O_CLOEXEC)
        body()
        dup3(terminal, descriptor, O_CLOEXEC)
        let count = lseek(memory, 0, SEEK_CUR)
        guard count > 0 else { return [] }
        lseek(memory, 0, SEEK_SET)
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(0, pread(memory, buffer.baseAddress, count, 0))
        }
    }
}

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

    /// The marks around a frame, which terminals with mode 2026 show at once.
    static let frameBegin = Array("\u{1B}[?2026h".utf8)
    static let frameEnd = Array("\u{1B}[?2026l".utf8)

    /// Ends what a truncated frame may have left on: the frame marks, a scroll region, attributes.
    static let afterCut = frameEnd + Array("\u{1B}[r\u{1B}[m".utf8)

    /// Creates the modes for a terminal described by `entry`.
    init(entry: TermInfo) {
        let hasMouse = entry[.keyMouse] != nil
        // Terminals with xterm's mouse also have its titles; only GNU screen cannot save them.
        canKeepCursor =
            entry[.saveCursor] == "\u{1B}7"
            && entry[.cursorInvisible]?.hasPrefix("\u{1B}[?25l") == true
        hasTitle = hasMouse && !entry.name.hasPrefix("screen")
        // Without automatic margins, as in our entry, ncurses switches wrapping (mode 7) off and never on again.
        // Bracketed paste (mode 2004) keeps pasted text from being taken for keys.
        entering = Array(
            ("\u{1B}[?7l\u{1B}[?2004h" + (hasMouse ? Self.mouseOn : "")
                + (hasTitle ? TerminalSequence.pushTitle : ""))
                .utf8)
        leaving = Array(
            ((hasTitle ? TerminalSequence.popTitle : "") + (hasMouse ? Self.mouseOff : "")
                + "\u{1B}[?2004l\u{1B}[?7h")
                .utf8)
        erasing = entry[.exitAlternateScreen] == nil ? [] : Array("\u{1B}[m\u{1B}[H\u{1B}[2J".utf8)
        let undo: [StringCapability] = [
            .exitAttributes, .originalPair, .cursorNormal, .keypadLocal, .exitAlternateScreen,
        ]
        let strings = undo.compactMap { entry[$0] }.map(Self.withoutPadding)
        // A string sequence may be unfinished.
        restoring =
            Array("\u{1B}\\".utf8) + Self.frameEnd + leaving
            + Array(("\u{1B}[r" + strings.joined()).utf8)
    }

    /// Removes delays (`$<5>`), which only hardware terminals need.
    private static func withoutPadding(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "$"), rest[start...].hasPrefix("$<"),
            let end = rest[start...].firstIndex(of: ">")
        {
            result += rest[..<start]
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }
}
