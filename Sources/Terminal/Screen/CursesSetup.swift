import CNcurses
import Glibc

/// What is done once with ncurses before anything is drawn.
@MainActor enum CursesStart {
    /// Makes ncurses take `device` with `entry`; nil if it does not.
    ///
    /// ncurses writes to `output`, which must be the same terminal.
    ///
    /// Changes the environment for a moment, so it belongs before the start of other threads.
    static func open(_ device: TerminalDevice, output: Int32, entry: TermInfo) -> OpaquePointer? {
        guard let output = fdopen(output, "w"), let input = fdopen(device.input, "r") else {
            return nil
        }
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
        // Not by $TERM, which may be no name that the entry lists: ncurses compares.
        return newterm(entry.name, output, input)
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
        // Alt with an arrow, which has no code that ncurses names: it comes in pieces then.
        for final in "CD" { define_key("\u{1B}[1;3\(final)", 0) }
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

/// Keeps what ncurses writes, so that it becomes part of a frame: ncurses itself writes in pieces, and waits for a slow
/// terminal whatever happens meanwhile.
///
/// ncurses has a descriptor of its own. It is the terminal while modes are set, and a file in memory while something is drawn.
final class CursesCapture {
    let descriptor: Int32
    private let terminal: Int32
    private let memory: Int32

    /// A file in memory; -1 if the system has no more.
    static func memory() -> Int32 {
        // 1 is MFD_CLOEXEC, which does not import.
        memfd_create("halftone", 1)
    }

    /// Makes a descriptor for ncurses that is `terminal`; nil if the system has no more.
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

    /// Closes the memory; the descriptor is ncurses', which may write to it for as long as the process lives.
    deinit { close(memory) }

    /// What ncurses writes while `body` runs.
    ///
    /// Terminal modes cannot be set in there.
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

/// The modes of the terminal that the program switches beside ncurses, and how all of them are undone in a crash.
struct ScreenModes {
    let entering: [UInt8]
    let leaving: [UInt8]
    /// Everything off that ncurses or we may have switched on.
    let restoring: [UInt8]
    /// Whether the window's title is kept from `entering` to `leaving`, so that another may be set meanwhile.
    let hasTitle: Bool
    /// Whether the cursor can be shown beside ncurses and taken back, by DECSC and DECRC.
    let canKeepCursor: Bool

    /// Reports of presses and the wheel (1000), and of moves while a button is held (1002), in the form without a limit of 223 columns (1006).
    private static let mouseOn = "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h"
    private static let mouseOff = "\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l"

    /// What is written between the two is shown at once (mode 2026), by terminals that know it.
    static let frameBegin = Array("\u{1B}[?2026h".utf8)
    static let frameEnd = Array("\u{1B}[?2026l".utf8)

    /// What a frame that is cut short may have left on: the marks, a scroll region, attributes.
    static let afterCut = frameEnd + Array("\u{1B}[r\u{1B}[m".utf8)

    /// Makes the modes for a terminal as `entry` describes it.
    init(entry: TermInfo) {
        let hasMouse = entry[.keyMouse] != nil
        // What has xterm's mouse has its titles; only GNU screen cannot push them.
        canKeepCursor =
            entry[.saveCursor] == "\u{1B}7"
            && entry[.cursorInvisible]?.hasPrefix("\u{1B}[?25l") == true
        hasTitle = hasMouse && !entry.name.hasPrefix("screen")
        // ncurses switches wrapping (mode 7) off for an entry without automatic margins, which ours is, and never on again.
        // What is pasted comes between two marks (mode 2004), so that it is not taken for keys.
        entering = Array(
            ("\u{1B}[?7l\u{1B}[?2004h" + (hasMouse ? Self.mouseOn : "")
                + (hasTitle ? TitleSequence.push : ""))
                .utf8)
        leaving = Array(
            ((hasTitle ? TitleSequence.pop : "") + (hasMouse ? Self.mouseOff : "")
                + "\u{1B}[?2004l\u{1B}[?7h")
                .utf8)
        let undo: [StringCapability] = [
            .exitAttributes, .originalPair, .cursorNormal, .keypadLocal, .exitAlternateScreen,
        ]
        let strings = undo.compactMap { entry[$0] }.map(Self.withoutPadding)
        // A string may be under way.
        restoring =
            Array("\u{1B}\\".utf8) + Self.frameEnd + leaving
            + Array(("\u{1B}[r" + strings.joined()).utf8)
    }

    /// Delays, written `$<5>`, are for terminals of glass and tubes.
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
