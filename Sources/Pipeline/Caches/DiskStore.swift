import Basics
import Dispatch

/// A disk cache with the serial queue `halftone.disk`, so that the disk does one thing at a time.
///
/// What is to be kept is written when nothing more urgent is to do; what such work holds in memory meanwhile is bounded.
/// All methods on the coordinator's queue, unless they say otherwise.
public final class DiskStore: @unchecked Sendable {
    // @unchecked: every variable is touched on the coordinator's queue only.

    /// Bytes that waiting writes hold before they are no longer put off; twice as many, and nothing more is kept.
    ///
    /// Some dozen photographs: a screen of them, but not a folder.
    static let mostHeldBytes = 48 << 20

    /// The queue on which the cache, and files, are read and written.
    public let queue: WorkQueue
    /// Nil where nothing is kept on disk.
    public let cache: DiskCache?
    private let coordinator: Coordinator
    private var heldBytes = 0
    private var workers: WorkQueue?
    /// Writes that wait until the workers have nothing to do.
    private var putOff: [@Sendable () -> Void] = []

    /// Makes a store over the cache that `cache` makes; nothing is touched before the first use.
    ///
    /// `cache` gets what a trim is to be handed to: it looks at every file, which no read should wait for.
    public init(
        coordinator: Coordinator,
        cache: (@escaping @Sendable (@escaping @Sendable () -> Void) -> Void) -> DiskCache?
    ) {
        self.coordinator = coordinator
        queue = WorkQueue(label: "halftone.disk", width: 1, coordinator: coordinator)
        let housekeeping = DispatchQueue.global(qos: .utility)
        self.cache = cache { housekeeping.asyncGuarded($0) }
    }

    /// Puts writes off while `workers` have something to do: hashing and writing take processors that a user waits for.
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

    /// Runs `work`, which holds `bytes` bytes in memory, when nothing more urgent is to do.
    ///
    /// At once where much is held already; false, and never, where twice as much is, since the disk is then slower than what comes in.
    @discardableResult
    public func later(holding bytes: Int, _ work: @escaping @Sendable (DiskCache) -> Void) -> Bool {
        coordinator.assertConfined()
        guard let cache, bytes == 0 || heldBytes + bytes <= 2 * Self.mostHeldBytes else {
            return false
        }
        heldBytes += bytes
        let isUrgent = heldBytes > Self.mostHeldBytes
        let write: @Sendable () -> Void = { [self] in
            queue.enqueue(priority: isUrgent ? .urgent : .idle) {
                work(cache)
            } then: { [self] in
                heldBytes -= bytes
            }
        }
        // An empty value is a removal: put off, it would leave what is no longer good to be found.
        if bytes > 0, !isUrgent, workers?.isIdle == false { putOff.append(write) } else { write() }
        return true
    }

    /// Waits until everything that is to be written so far is, for so many milliseconds at most; not on the coordinator's queue.
    public func finishWriting(milliseconds: Int) {
        let done = DispatchSemaphore(value: 0)
        coordinator.perform { [self] in
            resumeWriting()
            queue.enqueue(priority: .idle, work: {}, then: { done.signal() })
        }
        _ = done.wait(timeout: .now() + .milliseconds(milliseconds))
    }
}
