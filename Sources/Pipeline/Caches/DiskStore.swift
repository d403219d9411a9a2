import Basics
import Dispatch

/// A disk cache with its serial queue, `halftone.disk`, so that the disk does one thing at a time.
///
/// Writes wait until nothing more urgent is left to do; the memory they hold meanwhile is bounded. All methods must be called on the
/// coordinator's queue, unless noted otherwise.
public final class DiskStore: @unchecked Sendable {
    // @unchecked: every variable is touched on the coordinator's queue only.

    /// Bytes held by waiting writes above which they are no longer postponed; at twice as many, new ones are refused.
    ///
    /// Room for some dozen photographs: a screen of them, but not a folder.
    static let maxHeldBytes = 48 << 20

    /// The queue for reading and writing the cache and other files.
    public let queue: WorkQueue
    /// The cache; nil if nothing is kept on disk.
    public let cache: DiskCache?
    private let coordinator: Coordinator
    private var heldBytes = 0
    private var workers: WorkQueue?
    /// Writes postponed until the workers are idle.
    private var putOff: [@Sendable () -> Void] = []

    /// Creates a store for the cache returned by `cache`; the disk is not touched before the first use.
    ///
    /// `cache` is called with a function that runs trims in the background: they look at every file, which no read should wait for.
    public init(
        coordinator: Coordinator,
        cache: (@escaping @Sendable (@escaping @Sendable () -> Void) -> Void) -> DiskCache?
    ) {
        self.coordinator = coordinator
        queue = WorkQueue(label: "halftone.disk", width: 1, coordinator: coordinator)
        let housekeeping = DispatchQueue.global(qos: .utility)
        self.cache = cache { housekeeping.asyncGuarded($0) }
    }

    /// Postpones writes while `workers` are busy: hashing and writing would take CPU time from work that the user is waiting for.
    public func yield(to workers: WorkQueue) {
        coordinator.perform { [self] in
            self.workers = workers
            workers.onIdle.withLock { $0 = { [weak self] in self?.resumeWriting() } }
        }
    }

    private func resumeWriting() {
        let writes = putOff
        putOff = []
        writes.forEach { $0() }
    }

    /// Runs `work`, which holds `bytes` bytes in memory, once nothing more urgent is left to do.
    ///
    /// Not postponed if much is held already; refused with false if twice as much is, since the disk then cannot keep up.
    @discardableResult
    public func later(holding bytes: Int, _ work: @escaping @Sendable (DiskCache) -> Void) -> Bool {
        coordinator.assertConfined()
        guard let cache, bytes == 0 || heldBytes + bytes <= 2 * Self.maxHeldBytes else {
            return false
        }
        heldBytes += bytes
        let isUrgent = heldBytes > Self.maxHeldBytes
        let write: @Sendable () -> Void = { [self] in
            queue.enqueue(priority: isUrgent ? .urgent : .idle) {
                work(cache)
            } then: { [self] in
                heldBytes -= bytes
            }
        }
        // An empty write is a removal, which must not be postponed: the stale entry could still be found.
        if bytes > 0, !isUrgent, workers?.isIdle == false { putOff.append(write) } else { write() }
        return true
    }

    /// Waits for all pending writes, at most the given time; must not be called on the coordinator's queue.
    public func finishWriting(milliseconds: Int) {
        let done = DispatchSemaphore(value: 0)
        coordinator.perform { [self] in
            resumeWriting()
            queue.enqueue(priority: .idle, work: {}, then: { done.signal() })
        }
        _ = done.wait(timeout: .now() + .milliseconds(milliseconds))
    }
}
