import Basics
import Glibc

/// The data for a crash handler, prepared in advance: the handler must neither allocate nor take a lock.
private struct CrashState {
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    var output: Int32 = -1
    var attributes = termios()
    /// Where standard error is redirected to, and its original descriptor; -1 if it was left alone.
    var errors = (kept: Int32(-1), own: Int32(-1))
}

/// nonisolated(unsafe): written on the main thread while no crash handler is installed, and only read by the handlers.
nonisolated(unsafe) private var crashState = CrashState()

/// The signal that requested the program's end; 0 if there was none.
///
/// nonisolated(unsafe): a word, which the main thread only clears.
nonisolated(unsafe) private var endingSignal: Int32 = 0

/// Restores the terminal when the program cannot do so itself: when it crashes, since Swift's traps end without
/// unwinding, and when it hangs after a signal to end.
///
/// During the session, libraries' output to standard error is kept off the screen (libjxl, for example, reports every broken file);
/// after a crash its last part, such as the reason for a trap, is shown. Applies only if standard error is a terminal, most likely
/// the one being drawn on; a file receives everything.
struct CrashGuard {
    private var handlers = SignalHandlers()

    /// How long a regular end may take after a signal, and a stalled terminal to accept bytes after a crash, in seconds: several
    /// times the wait for the slowest terminal, yet short enough for users to wait.
    private static let timeout: Int32 = 3

    /// Installs the handlers; `output` should accept bytes without blocking, `bytes` undo the session's changes to the screen, and
    /// `attributes` are the terminal's original ones.
    init(output: Int32, attributes: termios, bytes: [UInt8]) {
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
        copy.update(from: bytes, count: bytes.count)
        crashState = CrashState(
            bytes: copy, count: bytes.count, output: output, attributes: attributes,
            errors: Self.keepStandardError())
        SignalStack.prepare()
        for number in [SIGILL, SIGTRAP, SIGSEGV, SIGABRT, SIGBUS, SIGFPE] {
            handlers.install(number) { number in
                // A terminal that is behind with the last frame accepts nothing at once.
                CrashGuard.giveBack(waiting: CrashGuard.timeout * 1_000)
                CrashGuard.showErrors()
                signal(number, SIG_DFL)
                raise(number)
            }
        }
        handlers.install(SIGALRM) { _ in
            // The main thread may be blocked on the terminal itself.
            CrashGuard.giveBack(waiting: 0)
            _exit(128 + endingSignal)
        }
    }

    /// Called by the handler of a signal that ends the program: if the terminal has not been restored within a few seconds,
    /// whatever blocks the main thread, a handler restores it and exits.
    ///
    /// 0 takes that back.
    static func expectEnd(by number: Int32) {
        guard endingSignal == 0 || number == 0 else { return }
        endingSignal = number
        alarm(number == 0 ? 0 : UInt32(timeout))
    }

    mutating func remove() {
        alarm(0)
        handlers.remove()
        let (kept, own) = crashState.errors
        if own >= 0 {
            dup2(own, STDERR_FILENO)
            close(own)
            close(kept)
        }
        crashState = CrashState()
    }

    /// Redirects standard error to memory.
    private static func keepStandardError() -> (kept: Int32, own: Int32) {
        guard isatty(STDERR_FILENO) == 1 else { return (-1, -1) }
        let kept = CursesCapture.memory()
        let own = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        guard kept >= 0, own >= 0, dup2(kept, STDERR_FILENO) >= 0 else { return (-1, -1) }
        return (kept, own)
    }

    /// Restores the terminal, which may accept no bytes for `milliseconds` at a time; called by signal handlers.
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

    /// Copies the last part of the captured output to standard error; called by signal handlers.
    private static func showErrors() {
        let (kept, own) = crashState.errors
        guard own >= 0 else { return }
        // The reason for a trap takes some 200 bytes, and the stack trace after it some thousands.
        var position = max(0, lseek(kept, 0, SEEK_END) - 8192)
        while true {
            var bytes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
            let count = pread(kept, &bytes, MemoryLayout.size(ofValue: bytes), position)
            guard count > 0, write(own, &bytes, count) == count else { return }
            position += count
        }
    }
}
