public import Dispatch
import Glibc

/// A stack for the signal handlers of a thread: a thread whose own has overflowed has no room for the handler that gives the terminal back.
public enum SignalStack {
    /// Gives the calling thread one, until it ends; free for a thread that has one.
    ///
    /// Called wherever threads begin to work; those of Dispatch by `asyncGuarded`.
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

    /// Plenty for a handler that only makes system calls, beside the processor's largest state.
    private static let size = 65_536

    /// What frees a thread's stack when it ends.
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
    /// `async` for work of our own: on a thread that has a `SignalStack`.
    public func asyncGuarded(_ work: @escaping @Sendable () -> Void) {
        async {
            SignalStack.prepare()
            work()
        }
    }
}
