import Glibc

/// A value that can only be accessed with its lock held; usable from any thread.
///
/// Used like `Synchronization.Mutex`, which waits by a system call that ThreadSanitizer does not see on Linux, so that every contended
/// access is reported as a race. It understands POSIX mutexes.
public final class Locked<Value>: @unchecked Sendable {
    // @unchecked: `value` is only accessed with the mutex held, and enters and leaves as `sending`.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var value: Value

    /// Creates an unlocked lock around `value`.
    public init(_ value: sending Value) {
        self.value = value
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` with the lock held; it must be short and must not call back into this lock.
    public func withLock<Output, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Output
    ) throws(Failure) -> sending Output {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}

extension Locked where Value: Sendable {
    /// A copy of the value at this moment.
    public var current: Value { withLock { $0 } }

    /// Replaces the value; returns the one before, to be destroyed without the lock.
    public func exchange(_ new: Value) -> Value {
        withLock { value in
            defer { value = new }
            return value
        }
    }
}
