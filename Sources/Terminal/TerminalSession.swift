public import Browser
import CNcurses
import Glibc
public import Pipeline
public import Trace

/// The terminal while the program has it: from the first escape sequence to the last.
///
/// Main thread only, and one at a time. Whatever way it ends, the terminal is given back as it was.
@MainActor public final class TerminalSession {
    /// What was known of the terminal at the start.
    public let capabilities: Capabilities
    private let wake: WakePipe
    private let tracer: Tracer
    package let screen: CursesScreen
    package let output: TerminalOutput
    private var signals: SignalHandlers
    private var guardian: CrashGuard
    private var hasEnded = false

    /// Takes the terminal over and empties it.
    ///
    /// Belongs before the start of other threads: ncurses reads its description from the environment. `wake` is the
    /// pipe that the mailbox of `run` writes to.
    public init(
        capabilities: Capabilities, wake: WakePipe, tracer: Tracer = .disabled
    ) throws(TerminalError) {
        self.capabilities = capabilities
        self.wake = wake
        self.tracer = tracer
        output = TerminalOutput(terminal: capabilities.device.output)
        let attributes = TerminalAttributes(of: capabilities.device.output)
        signals = SignalPost.install(wake)
        do throws(TerminalError) {
            screen = try CursesScreen(
                device: capabilities.device, entry: capabilities.entry, depth: capabilities.depth,
                isColored: capabilities.mayBeColored, output: output)
        } catch {
            signals.remove()
            throw error
        }
        guardian = CrashGuard(
            output: output.descriptor, attributes: attributes.value,
            bytes: screen.modes.restoring)
    }

    /// Shows `model` and answers the user until one of them ends it, and gives the terminal back.
    public func run(model: BrowserModel, mailbox: Mailbox) -> ExitReason {
        let loop = EventLoop(
            model: model, mailbox: mailbox, screen: screen, output: output,
            capabilities: capabilities, wake: wake, tracer: tracer)
        let reason = loop.run()
        end()
        return reason
    }

    /// Gives the terminal back; later calls do nothing.
    public func end() {
        guard !hasEnded else { return }
        hasEnded = true
        screen.end()
        guardian.remove()
        signals.remove()
    }
}

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
