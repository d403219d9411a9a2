public import Browser
public import Pipeline
public import Trace

/// Asks tmux for the features of the terminals around it, one line each; may block.
public typealias TmuxClients = @Sendable () -> String

/// The terminal while the program controls it, from the first escape sequence to the last.
///
/// Main thread only, one at a time. However the session ends, the terminal is restored.
@MainActor public final class TerminalSession {
    /// What was known of the terminal at the start.
    public let capabilities: Capabilities
    let wake: WakePipe
    let tracer: Tracer
    package let screen: CursesScreen
    package let output: TerminalOutput
    private var signals: SignalHandlers
    private var guardian: CrashGuard
    private var hasEnded = false

    /// Takes control of the terminal and clears it.
    ///
    /// Must be called before other threads start: ncurses reads its description from the environment. `wake` is the pipe
    /// written to by the mailbox passed to `run`.
    public init(
        capabilities: Capabilities, wake: WakePipe, tracer: Tracer = .disabled
    ) throws(TerminalError) {
        self.capabilities = capabilities
        self.wake = wake
        self.tracer = tracer
        output = TerminalOutput(terminal: capabilities.device.output)
        signals = SignalPost.install(wake)
        do throws(TerminalError) {
            screen = try CursesScreen(capabilities, output: output)
        } catch {
            signals.remove()
            throw error
        }
        guardian = CrashGuard(
            output: output.descriptor, attributes: screen.attributes.before,
            bytes: screen.modes.restoring)
    }

    /// Runs `model` until the user or a signal ends it, then restores the terminal.
    ///
    /// `tmuxClients` is asked, on a worker, what tmux's terminals can do.
    public func run(
        model: BrowserModel, mailbox: Mailbox, colors: ThemeColors, tmuxClients: TmuxClients? = nil
    ) -> ExitReason {
        defer { end() }
        return EventLoop(
            model: model, mailbox: mailbox, session: self, colors: colors, tmuxClients: tmuxClients
        ).run()
    }

    /// Restores the terminal; later calls do nothing.
    public func end() {
        guard !hasEnded else { return }
        hasEnded = true
        screen.end()
        guardian.remove()
        signals.remove()
    }
}

/// The reason why the event loop ended.
public enum ExitReason: Hashable, Sendable {
    /// The user quit.
    case quit
    /// A signal: SIGINT, SIGTERM, SIGQUIT, or SIGHUP, which also stands for a terminal that is gone.
    case signal(Int32)

    /// The exit code that shells expect after a signal; nil if the user quit.
    public var exitCode: Int32? {
        switch self {
        case .quit: nil
        case .signal(let number): 128 + number
        }
    }
}
