import Basics
import CNcurses
import Glibc
import Raster

/// The terminal as the system sees it: where to read and write, and how large it is.
struct TerminalDevice: Sendable {
    let name: String
    /// The descriptor keys are read from: standard input, or the controlling terminal if that is something else.
    let input: Int32
    let output: Int32

    /// Finds the terminal by `environment`; opens `/dev/tty` for what of standard input and output is none.
    init(environment: [String: String]) throws(TerminalError) {
        guard let name = environment["TERM"], !name.isEmpty else { throw .unnamed }
        guard name != "dumb", name != "unknown" else { throw .dumb(name) }
        let input = isatty(STDIN_FILENO) == 1 ? STDIN_FILENO : open("/dev/tty", O_RDWR | O_CLOEXEC)
        let output =
            isatty(STDOUT_FILENO) == 1 ? STDOUT_FILENO : open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard input >= 0, output >= 0 else { throw .noTerminal }
        self.name = name
        self.input = input
        self.output = output
    }

    /// The size at this moment, in cells; 80 × 24 where the terminal does not tell, and never more than is used.
    var size: CellSize {
        guard let size = Self.windowSize(of: output) else { return CellSize(columns: 80, rows: 24) }
        return CellSize(
            columns: min(Int(size.ws_col), CursesScreen.largestSize.columns),
            rows: min(Int(size.ws_row), CursesScreen.largestSize.rows))
    }

    /// A cell's height divided by its width as the system knows it; nil where it does not, or knows nonsense.
    static func cellAspect(of descriptor: Int32) -> Double? {
        guard let size = windowSize(of: descriptor) else { return nil }
        // Some terminals report other units, or swap the two.
        return TerminalReport.aspect(
            width: Double(size.ws_xpixel) / Double(size.ws_col),
            height: Double(size.ws_ypixel) / Double(size.ws_row))
    }

    /// A cell's pixels as the system knows them; nil where it does not, or knows nonsense.
    static func cellPixels(of descriptor: Int32) -> PixelSize? {
        guard cellAspect(of: descriptor) != nil, let size = windowSize(of: descriptor) else {
            return nil
        }
        return PixelSize(
            width: Int(size.ws_xpixel / size.ws_col), height: Int(size.ws_ypixel / size.ws_row))
    }

    /// Nil if `descriptor` is no terminal or does not tell.
    static func windowSize(of descriptor: Int32) -> winsize? {
        var size = winsize()
        let isKnown = cn_window_size(descriptor, &size) == 0 && size.ws_col > 0 && size.ws_row > 0
        return isKnown ? size : nil
    }
}

/// The modes of a terminal's driver at one moment, to be set again later.
struct TerminalAttributes {
    private let terminal: Int32
    let value: termios

    init(of terminal: Int32) {
        var value = termios()
        tcgetattr(terminal, &value)
        self.terminal = terminal
        self.value = value
    }

    /// Sets them again, at once: a terminal that takes nothing would be waited for in vain.
    func restore() {
        var value = value
        tcsetattr(terminal, TCSANOW, &value)
    }
}

/// Why the program cannot draw on this terminal; the description is one line in plain words.
public enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Standard output is no terminal, or there is none to read keys from.
    case noTerminal
    /// `TERM` is not set.
    case unnamed
    /// `TERM` says that the terminal cannot place text (`dumb`).
    case dumb(String)
    /// ncurses refused the terminal.
    case refused(String)
    /// The system refused a pipe or a signal handler; the error number.
    case system(Int32)

    /// The reason in plain words.
    public var description: String {
        switch self {
        case .noTerminal: "not a terminal; try --urls or --print"
        case .unnamed:
            "TERM is not set, so nothing is known of this terminal; try --urls or --print"
        case .dumb(let name):
            "this terminal (TERM=\(name.oneLine(limit: 40))) cannot place text; try --urls or --print"
        case .refused(let name):
            "ncurses cannot draw on this terminal (TERM=\(name.oneLine(limit: 40))); try TERM=xterm"
        case .system(let number): "the system refused what the terminal needs (error \(number))"
        }
    }
}
