import Glibc

/// The descriptor that signal handlers write to.
///
/// nonisolated(unsafe): set on the main thread before the first handler is installed, and only read afterwards.
nonisolated(unsafe) private var signalDescriptor: Int32 = -1

/// Installed signal handlers and those they replaced.
struct SignalHandlers {
    private var replaced: [(number: Int32, before: sigaction)] = []

    /// Installs `handler` for `number`, on the thread's alternate signal stack.
    mutating func install(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
        var action = sigaction()
        var before = sigaction()
        action.__sigaction_handler.sa_handler = handler
        action.sa_flags = SA_ONSTACK
        sigaction(number, &action, &before)
        replaced.append((number, before))
    }

    mutating func remove() {
        for (number, var before) in replaced { sigaction(number, &before, nil) }
        replaced = []
    }

    static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}

/// Turns signals into bytes in the wake pipe, which the loop handles like any other event.
enum SignalPost {
    /// Returns whether the signal ends the program; allocates nothing, for handlers.
    static func isEnding(_ number: Int32) -> Bool {
        number == SIGTERM || number == SIGHUP || number == SIGINT || number == SIGQUIT
    }

    /// Installs the handlers.
    ///
    /// Must precede `newterm`: ncurses only replaces default handlers.
    static func install(_ pipe: WakePipe) -> SignalHandlers {
        signalDescriptor = pipe.writeEnd
        var handlers = SignalHandlers()
        // Those that the process was started ignoring (`nohup`) stay ignored.
        let heeded = [SIGTSTP, SIGTERM, SIGHUP, SIGINT, SIGQUIT].filter {
            !SignalHandlers.isIgnored($0)
        }
        for number in [SIGWINCH, SIGCONT] + heeded {
            handlers.install(number) { number in
                let error = errno
                if SignalPost.isEnding(number) { CrashGuard.expectEnd(by: number) }
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(signalDescriptor, &byte, 1)
                errno = error
            }
        }
        return handlers
    }
}

/// The pipe that wakes the main thread: other threads and signal handlers write a byte into it.
///
/// Never closed: a late worker may still wake a loop that has ended.
public final class WakePipe: Sendable {
    let readEnd: Int32
    /// Written on any thread and in signal handlers; never blocks, since a full pipe wakes the reader as well.
    let writeEnd: Int32

    /// Creates the pipe.
    public init() throws(TerminalError) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw .system }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    /// Wakes the loop; callable on any thread, and suitable for `Mailbox(wake:)`.
    public func wake() { post(signal: 0) }

    /// Posts a signal that was drained but not handled; 0 only wakes.
    func post(signal number: Int32) {
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(writeEnd, &byte, 1)
    }

    /// Empties the pipe and returns the numbers of the received signals.
    func drain() -> [Int32] {
        var signals: [Int32] = []
        var buffer = [UInt8](repeating: 0, count: 64)
        while true {
            let count = read(readEnd, &buffer, buffer.count)
            guard count > 0 else { return signals }
            signals += buffer[..<count].filter { $0 != 0 }.map(Int32.init)
        }
    }
}
