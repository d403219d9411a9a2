import Basics
import CNcurses
import Glibc

/// What a crash handler needs, made beforehand: nothing in there may allocate or take a lock.
private struct CrashState {
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    var output: Int32 = -1
    var attributes = termios()
    /// Where standard error went meanwhile, and where it belongs; -1 if it was left alone.
    var errors = (kept: Int32(-1), own: Int32(-1))
}

/// nonisolated(unsafe): written on the main thread while no crash handler is installed, only read by them.
nonisolated(unsafe) private var crashState = CrashState()

/// The signal that asked the program to end; 0 until one does.
///
/// nonisolated(unsafe): a word, written by signal handlers and read by them.
nonisolated(unsafe) private var endingSignal: Int32 = 0

/// Gives the terminal back when the program cannot do it in order: when it crashes, since Swift's traps end without
/// unwinding, and when it was told to end and did not.
///
/// Meanwhile nothing that libraries write to standard error appears on the screen, as libjxl does of every broken file; what was
/// written last, such as the reason of a trap, follows after a crash. Only where standard error is a terminal, most likely the one that
/// is drawn on; a file gets everything.
struct CrashGuard {
    private var handlers = SignalHandlers()
    private let errors: (kept: Int32, own: Int32)

    /// How long an orderly end may take after a signal, and the terminal to take what gives it back after a crash, in seconds:
    /// several times what the slowest terminal is waited for, short enough that one waits for it.
    private static let patience: Int32 = 3

    /// Installs the handlers; `output` should take bytes without waiting, `bytes` undo what the session does to the screen, `attributes`
    /// are the terminal's before.
    init(output: Int32, attributes: termios, bytes: [UInt8]) {
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
        copy.update(from: bytes, count: bytes.count)
        errors = Self.keepStandardError()
        crashState = CrashState(
            bytes: copy, count: bytes.count, output: output, attributes: attributes,
            errors: errors)
        SignalStack.prepare()
        for number in [SIGILL, SIGTRAP, SIGSEGV, SIGABRT, SIGBUS, SIGFPE] {
            handlers.install(number) { number in
                // A terminal that lags behind the last frame takes nothing at once.
                CrashGuard.giveBack(waiting: CrashGuard.patience * 1_000)
                CrashGuard.showErrors()
                signal(number, SIG_DFL)
                raise(number)
            }
        }
        handlers.install(SIGALRM) { _ in
            // The terminal may be what the main thread hangs on.
            CrashGuard.giveBack(waiting: 0)
            _exit(128 + endingSignal)
        }
    }

    /// Called by the handler of a signal that ends the program: if the terminal has not been given back in a few seconds,
    /// whatever the main thread hangs on, it is done from a handler, and the program ends there.
    static func expectEnd(by number: Int32) {
        guard endingSignal == 0 else { return }
        endingSignal = number
        alarm(UInt32(patience))
    }

    mutating func remove() {
        alarm(0)
        handlers.remove()
        if errors.own >= 0 {
            dup2(errors.own, STDERR_FILENO)
            close(errors.own)
            close(errors.kept)
        }
        crashState = CrashState()
    }

    /// Lets standard error go to memory.
    private static func keepStandardError() -> (kept: Int32, own: Int32) {
        guard isatty(STDERR_FILENO) == 1 else { return (-1, -1) }
        let kept = CursesCapture.memory()
        let own = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        guard kept >= 0, own >= 0, dup2(kept, STDERR_FILENO) >= 0 else { return (-1, -1) }
        return (kept, own)
    }

    /// Undoes what the session did to the terminal, which may take no bytes for `milliseconds` at a time; called by handlers.
    private static func giveBack(waiting milliseconds: Int32) {
        var position = 0
        while let bytes = crashState.bytes, position < crashState.count {
            var entry = pollfd(fd: crashState.output, events: Int16(POLLOUT), revents: 0)
            guard poll(&entry, 1, milliseconds) == 1 else { break }
            let count = write(crashState.output, bytes + position, crashState.count - position)
            guard count > 0 || errno == EAGAIN else { break }
            position += max(0, count)
        }
        tcsetattr(crashState.output, TCSANOW, &crashState.attributes)
    }

    /// Copies what was written last to where it belongs; called by handlers.
    private static func showErrors() {
        let (kept, own) = crashState.errors
        guard own >= 0 else { return }
        // The reason of a trap takes some 200 bytes, the stack that follows some thousands.
        var position = max(0, lseek(kept, 0, SEEK_END) - 8192)
        while true {
            var bytes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
            let count = pread(kept, &bytes, MemoryLayout.size(ofValue: bytes), position)
            guard count > 0, write(own, &bytes, count) == count else { return }
            position += count
        }
    }
}
