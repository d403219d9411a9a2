import Glibc

/// A value that can only be reached with its lock held; any thread.
///
/// Used like `Synchronization.Mutex`, which waits by a system call that ThreadSanitizer does not see on Linux: it takes every contended use
/// for a race. A POSIX mutex it knows, so that the sanitizer's word is worth something.
public final class Locked<Value>: @unchecked Sendable {
    // @unchecked: `value` is touched with the mutex held only, and comes and goes as `sending`.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var value: Value

    /// Makes a free lock around `value`.
    public init(_ value: sending Value) {
        self.value = value
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` with the lock held; it must be short and must not come back here.
    public func withLock<Output, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Output
    ) throws(Failure) -> sending Output {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
