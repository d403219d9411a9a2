import CNcurses
import Glibc
import Raster

/// Environment variables by name.
public typealias EnvironmentVariables = [String: String]

extension EnvironmentVariables {
    /// The terminal's name, `TERM`; empty if it has none.
    var term: String { self["TERM"] ?? "" }

    /// Whether the terminal is tmux or GNU screen, as far as can be seen from inside.
    var isMultiplexed: Bool { self["TMUX"] != nil || self["STY"] != nil || namesMultiplexer }

    /// Whether the terminal is tmux itself; programs started from tmux in another terminal merely inherit the variable.
    var isTmux: Bool { self["TMUX"]?.isEmpty == false && self["STY"] == nil && namesMultiplexer }

    private var namesMultiplexer: Bool { ["screen", "tmux"].contains { term.hasPrefix($0) } }
}

/// The terminal as a device: its file descriptors and its size.
struct TerminalDevice {
    let name: String
    /// The descriptor from which keys are read: standard input, or the controlling terminal if that is not a terminal.
    let input: Int32
    let output: Int32

    /// Finds the terminal named by `environment`; opens `/dev/tty` if standard input or output is not a terminal.
    init(environment: EnvironmentVariables) throws(TerminalError) {
        name = environment.term
        guard !name.isEmpty else {
            throw TerminalError(
                "TERM is not set, so this terminal is unknown; try --urls or --print")
        }
        guard name != "dumb", name != "unknown" else {
            throw TerminalError(
                "this terminal (TERM=\(name)) cannot move the cursor; try --urls or --print")
        }
        func terminal(_ standard: Int32) -> Int32 {
            isatty(standard) == 1 ? standard : open("/dev/tty", O_RDWR | O_CLOEXEC)
        }
        input = terminal(STDIN_FILENO)
        output = terminal(STDOUT_FILENO)
        guard input >= 0, output >= 0 else {
            throw TerminalError("not a terminal; try --urls or --print")
        }
    }

    /// The current size in cells, at most `CursesScreen.maxSize`; 80 × 24 if unknown.
    var size: CellSize {
        let size = Self.size(of: output) ?? CellSize(columns: 80, rows: 24)
        return CellRect(size).intersection(CellRect(CursesScreen.maxSize)).size
    }

    /// Returns a cell's height divided by its width, and its size in pixels, according to the system; nil if unknown or implausible.
    static func cell(of descriptor: Int32) -> (aspect: Double, pixels: PixelSize)? {
        guard let size = windowSize(of: descriptor) else { return nil }
        // Some terminals report other units, or swap width and height.
        let width = Double(size.ws_xpixel) / Double(size.ws_col)
        let height = Double(size.ws_ypixel) / Double(size.ws_row)
        return TerminalTraits.aspect(width: width, height: height).map {
            ($0, PixelSize(width: Int(width), height: Int(height)))
        }
    }

    /// Returns the size in cells; nil if `descriptor` is not a terminal or has no known size.
    static func size(of descriptor: Int32) -> CellSize? {
        windowSize(of: descriptor).map { CellSize(columns: Int($0.ws_col), rows: Int($0.ws_row)) }
    }

    private static func windowSize(of descriptor: Int32) -> winsize? {
        var size = winsize()
        guard cn_window_size(descriptor, &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return nil
        }
        return size
    }
}

/// Why the program cannot draw on this terminal; the description is one line in plain language.
public struct TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason in plain language.
    public let description: String

    init(_ reason: String) { description = reason }

    /// Creates the error for a pipe or a signal handler that the system refused, with `errno`.
    static var system: TerminalError {
        TerminalError("the system refused what the terminal needs (error \(errno))")
    }
}
