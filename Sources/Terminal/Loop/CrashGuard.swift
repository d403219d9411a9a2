import CNcurses
import Glibc

/// What a crash handler needs, made beforehand: nothing in there may allocate or take a lock.
private struct CrashState {
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    var output: Int32 = -1
    var attributes = termios()
}

/// nonisolated(unsafe): written on the main thread while no crash handler is installed, only read by them.
nonisolated(unsafe) private var crashState = CrashState()

/// The signal that asked the program to end; 0 until one does.
///
/// nonisolated(unsafe): a word, written by signal handlers and read by them.
nonisolated(unsafe) private var endingSignal: Int32 = 0

/// Gives the terminal back when the program cannot do it in order: when it crashes, since Swift's traps end without
/// unwinding, and when it was told to end and did not.
enum CrashGuard {
    private static let signals = [SIGILL, SIGTRAP, SIGSEGV, SIGABRT, SIGBUS, SIGFPE]
    /// How long an orderly end may take after a signal, in seconds: several times what the slowest terminal is waited
    /// for, well before somebody tries SIGKILL.
    private static let patience: UInt32 = 3

    /// Called by the handler of a signal that ends the program: if the terminal has not been given back in a few seconds,
    /// whatever the main thread hangs on, it is done from a handler, and the program ends there.
    static func expectEnd(by number: Int32) {
        guard endingSignal == 0 else { return }
        endingSignal = number
        alarm(patience)
    }

    /// Installs the handlers; `output` should take bytes without waiting, `bytes` undo what the session does to the screen, `attributes` are the terminal's before.
    static func install(output: Int32, attributes: termios, bytes: [UInt8]) {
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
        copy.update(from: bytes, count: bytes.count)
        crashState = CrashState(
            bytes: copy, count: bytes.count, output: output, attributes: attributes)
        useOwnStack()
        for number in signals {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { number in
                _ = write(crashState.output, crashState.bytes, crashState.count)
                tcsetattr(crashState.output, TCSANOW, &crashState.attributes)
                signal(number, SIG_DFL)
                raise(number)
            }
            action.sa_flags = SA_ONSTACK
            sigaction(number, &action, nil)
        }
        installAlarm()
    }

    private static func installAlarm() {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in
            // The terminal may be what the main thread hangs on.
            var entry = pollfd(fd: crashState.output, events: Int16(POLLOUT), revents: 0)
            if poll(&entry, 1, 0) == 1 {
                _ = write(crashState.output, crashState.bytes, crashState.count)
            }
            tcsetattr(crashState.output, TCSANOW, &crashState.attributes)
            _exit(128 + endingSignal)
        }
        sigaction(SIGALRM, &action, nil)
    }

    /// Gives every signal its default back.
    static func remove() {
        alarm(0)
        signal(SIGALRM, SIG_DFL)
        for number in signals {
            signal(number, SIG_DFL)
        }
    }

    /// A stack that ran over has no room for a handler.
    ///
    /// Of this thread only; never freed, like the handlers.
    private static func useOwnStack() {
        let size = 65_536
        var stack = stack_t()
        stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        stack.ss_size = size
        sigaltstack(&stack, nil)
    }
}
