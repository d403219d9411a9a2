public import Dispatch
import Glibc

/// An alternate signal stack, as a thread whose own stack has overflowed cannot run the handler that restores the terminal on it.
public enum SignalStack {
    /// Gives the calling thread an alternate stack until it exits; costs next to nothing if it already has one.
    ///
    /// Called at the start of every thread; on Dispatch's threads, by `asyncGuarded`.
    public static func prepare() {
        guard pthread_getspecific(key) == nil else { return }
        let memory = mmap(
            nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory, memory != MAP_FAILED else { return }
        var stack = stack_t()
        stack.ss_sp = memory
        stack.ss_size = size
        sigaltstack(&stack, nil)
        pthread_setspecific(key, memory)
    }

    /// The size in bytes: plenty for a handler that only makes system calls, plus the largest register state of any processor.
    private static let size = 65_536

    /// A thread-specific key whose destructor frees the stack when the thread exits.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key) { memory in
            var none = stack_t()
            none.ss_flags = Int32(SS_DISABLE)
            sigaltstack(&none, nil)
            munmap(memory, SignalStack.size)
        }
        return key
    }()
}

extension DispatchQueue {
    /// The shared queue for what the user waits for.
    public static let userInitiated = global(qos: .userInitiated)

    /// Runs `work` asynchronously on a thread that has a `SignalStack`.
    public func asyncGuarded(_ work: @escaping @Sendable () -> Void) {
        async {
            SignalStack.prepare()
            work()
        }
    }
}
