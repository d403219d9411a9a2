import Glibc

private final class ThreadBody {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}

/// Runs `body` on a detached thread of its own, which takes none of the program's signals.
///
/// False if the system has no thread left. A thread and not a Dispatch queue: it waits in poll for as long as the program lives. The signals that mean a crash stay open, so that
/// the crash handler can give the terminal back.
func startTransferThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    for signal in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP] {
        sigdelset(&all, signal)
    }
    // The new thread inherits the mask: no moment in which it could take a signal.
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let context = Unmanaged.passRetained(ThreadBody(body)).toOpaque()
    var thread = pthread_t()
    let failure = pthread_create(
        &thread, nil,
        { context in
            context.map { Unmanaged<ThreadBody>.fromOpaque($0).takeRetainedValue().run() }
            return nil
        }, context)
    guard failure == 0 else {
        Unmanaged<ThreadBody>.fromOpaque(context).release()
        return false
    }
    pthread_detach(thread)
    return true
}
