import Glibc

/// The descriptor that signal handlers write to.
///
/// nonisolated(unsafe): set on the main thread before the first handler is installed, only read afterwards.
nonisolated(unsafe) private var signalDescriptor: Int32 = -1

/// Turns signals into bytes of the wake pipe, where the loop deals with them like any other event.
enum SignalPost {
    /// What the loop wants to hear of.
    private static let signals = [SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGHUP, SIGINT, SIGQUIT]

    /// Installs the handlers.
    ///
    /// Before `newterm`: ncurses leaves handlers alone that are not the default.
    ///
    /// A signal that was ignored when the program started (`nohup`) stays ignored.
    static func install(_ pipe: WakePipe) {
        signalDescriptor = pipe.writeEnd
        for number in signals {
            var before = sigaction()
            sigaction(number, nil, &before)
            if number != SIGWINCH, isIgnored(before) { continue }
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { number in
                let error = errno
                // No array: nothing in here may allocate.
                if number == SIGTERM || number == SIGHUP || number == SIGINT || number == SIGQUIT {
                    CrashGuard.expectEnd(by: number)
                }
                var byte = UInt8(truncatingIfNeeded: number)
                _ = write(signalDescriptor, &byte, 1)
                errno = error
            }
            sigaction(number, &action, nil)
        }
    }

    /// Gives every signal its default back.
    static func remove() {
        for number in signals {
            signal(number, SIG_DFL)
        }
    }

    private static func isIgnored(_ action: sigaction) -> Bool {
        unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
