/// Why the loop ended.
public enum ExitReason: Hashable, Sendable {
    /// The user quit.
    case quit
    /// A signal ended it: SIGINT, SIGTERM, SIGQUIT, or SIGHUP, which also stands for a terminal that is gone.
    case signal(Int32)

    /// The exit code a shell expects for a signal; nil if the user quit.
    public var exitCode: Int32? {
        switch self {
        case .quit: nil
        case .signal(let number): 128 + number
        }
    }
}
