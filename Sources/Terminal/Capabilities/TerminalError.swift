import Basics

/// Why the program cannot draw on this terminal; the description is one line in plain words.
public enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Standard output is no terminal, or there is none to read keys from.
    case noTerminal
    /// `TERM` is not set.
    case unnamed
    /// `TERM` says that the terminal cannot place text (`dumb`).
    case dumb(String)
    /// No description of the terminal is installed.
    case unknownTerminal(String)
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
        case .unknownTerminal(let name):
            "no description of this terminal (TERM=\(name.oneLine(limit: 40))) is installed; try TERM=xterm"
        case .system(let number): "the system refused what the terminal needs (error \(number))"
        }
    }
}
