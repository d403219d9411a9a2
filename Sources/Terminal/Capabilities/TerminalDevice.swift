import Basics
import CNcurses
import Glibc
import Raster

/// The terminal as a device: its file descriptors and its size.
struct TerminalDevice: Sendable {
    let name: String
    /// The descriptor from which keys are read: standard input, or the controlling terminal if that is not a terminal.
    let input: Int32
    let output: Int32

    /// Finds the terminal named by `environment`; opens `/dev/tty` if standard input or output is not a terminal.
    init(environment: [String: String]) throws(TerminalError) {
        guard let name = environment["TERM"], !name.isEmpty else { throw .unnamed }
        guard name != "dumb", name != "unknown" else { throw .dumb(name) }
        func terminal(_ standard: Int32) -> Int32 {
            isatty(standard) == 1 ? standard : open("/dev/tty", O_RDWR | O_CLOEXEC)
        }
        (input, output) = (terminal(STDIN_FILENO), terminal(STDOUT_FILENO))
        guard input >= 0, output >= 0 else { throw .noTerminal }
        self.name = name
    }

    /// The current size in cells, at most `CursesScreen.maxSize`; 80 × 24 if unknown.
    var size: CellSize {
        guard let size = Self.windowSize(of: output) else { return CellSize(columns: 80, rows: 24) }
        return CellSize(
            columns: min(Int(size.ws_col), CursesScreen.maxSize.columns),
            rows: min(Int(size.ws_row), CursesScreen.maxSize.rows))
    }

    /// Returns a cell's height divided by its width according to the system; nil if unknown or implausible.
    static func cellAspect(of descriptor: Int32) -> Double? {
        guard let size = windowSize(of: descriptor) else { return nil }
        // Some terminals report other units, or swap width and height.
        return TerminalReport.aspect(
            width: Double(size.ws_xpixel) / Double(size.ws_col),
            height: Double(size.ws_ypixel) / Double(size.ws_row))
    }

    /// Returns a cell's size in pixels according to the system; nil if unknown or implausible.
    static func cellPixels(of descriptor: Int32) -> PixelSize? {
        guard cellAspect(of: descriptor) != nil, let size = windowSize(of: descriptor) else {
            return nil
        }
        return PixelSize(
            width: Int(size.ws_xpixel / size.ws_col), height: Int(size.ws_ypixel / size.ws_row))
    }

    /// Returns the window size; nil if `descriptor` is not a terminal or has no known size.
    static func windowSize(of descriptor: Int32) -> winsize? {
        var size = winsize()
        let isKnown = cn_window_size(descriptor, &size) == 0 && size.ws_col > 0 && size.ws_row > 0
        return isKnown ? size : nil
    }
}

/// A snapshot of a terminal's driver modes, to be restored later.
struct TerminalAttributes {
    private let terminal: Int32
    let value: termios

    init(of terminal: Int32) {
        var value = termios()
        tcgetattr(terminal, &value)
        self.terminal = terminal
        self.value = value
    }

    /// Restores the modes immediately, without draining: a stalled terminal would block that forever.
    func restore() {
        var value = value
        tcsetattr(terminal, TCSANOW, &value)
    }
}

/// Why the program cannot draw on this terminal; the description is one line in plain language.
public enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Standard output is not a terminal, or there is none to read keys from.
    case noTerminal
    /// `TERM` is not set.
    case unnamed
    /// `TERM` names a terminal that cannot position text (`dumb`).
    case dumb(String)
    /// ncurses refused the terminal.
    case refused(String)
    /// The system refused a pipe or a signal handler, with this errno.
    case system(Int32)

    /// The reason in plain language.
    public var description: String {
        switch self {
        case .noTerminal: "not a terminal; try --urls or --print"
        case .unnamed:
            "TERM is not set, so this terminal is unknown; try --urls or --print"
        case .dumb(let name):
            "this terminal (TERM=\(name.oneLine(limit: 40))) cannot move the cursor; try --urls or --print"
        case .refused(let name):
            "ncurses cannot draw on this terminal (TERM=\(name.oneLine(limit: 40))); try TERM=xterm"
        case .system(let number): "the system refused what the terminal needs (error \(number))"
        }
    }
}
