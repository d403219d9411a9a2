import Basics
import Dispatch

/// A disk cache with its serial queue, `halftone.disk`, so that the disk does one thing at a time.
///
/// Writes wait until nothing more urgent is left to do; the memory they hold meanwhile is bounded.
@PipelineActor public final class DiskStore {
    /// Bytes held by waiting writes above which they are no longer postponed; at twice as many, new ones are refused.
    ///
    /// Room for some dozen photographs: a screen of them, but not a folder.
    public nonisolated static let maxHeldBytes = 48 << 20

    /// The queue for reading and writing the cache and other files.
    public nonisolated let queue = WorkQueue(label: "halftone.disk", width: 1)
    /// The cache; nil if nothing is kept on disk.
    public nonisolated let cache: DiskCache?
    private let workers: WorkQueue?
    private var heldBytes = 0
    /// Writes postponed until the workers are idle.
    private var postponed: [PipelineAction] = []

    /// Creates a store for a cache in `folder`, if there is one; the disk is not touched before the first use.
    ///
    /// Writes are postponed while `workers` are busy: hashing and writing would take CPU time from work that the user is waiting for.
    public nonisolated init(
        folder: String?, capacity: Int, yieldingTo workers: WorkQueue? = nil
    ) {
        self.workers = workers
        cache = folder.map { folder in
            // Trims look at every file, which no read should wait for.
            DiskCache(folder: folder, capacity: capacity) { trim in
                DispatchQueue.global(qos: .background).asyncGuarded(trim)
            }
        }
    }

    /// Gets libcrypto ready, which takes a millisecond that the first look-up need not wait for.
    public nonisolated func prepare() {
        if cache == nil { return }
        PipelineActor.perform { [queue] in
            queue.enqueue(priority: .idle, work: { _ = ContentHash(of: []) }, then: {})
        }
    }

    /// Runs `work`, which holds `bytes` bytes in memory, once nothing more urgent is left to do, then `then`.
    ///
    /// Not postponed if much is held already; refused with false if twice as much is, since the disk then cannot keep up.
    @discardableResult
    public func later(
        holding bytes: Int, _ work: @escaping Receiver<DiskCache>,
        then: @escaping PipelineAction = {}
    ) -> Bool {
        guard let cache, bytes == 0 || heldBytes + bytes <= 2 * Self.maxHeldBytes else {
            return false
        }
        heldBytes += bytes
        let isUrgent = heldBytes > Self.maxHeldBytes
        let write: PipelineAction = { [self] in
            queue.enqueue(priority: isUrgent ? .urgent : .idle) {
                work(cache)
            } then: { [self] in
                heldBytes -= bytes
                then()
            }
        }
        // An empty write is a removal, which must not be postponed: the stale entry could still be found.
        guard bytes > 0, !isUrgent, let workers, !workers.isIdle else {
            write()
            return true
        }
        if postponed.isEmpty { workers.whenIdle { [weak self] in self?.resumeWriting() } }
        postponed.append(write)
        return true
    }

    private func resumeWriting() {
        let writes = postponed
        postponed = []
        for write in writes { write() }
    }

    /// Waits for all pending writes, at most the given time; must not be called on the pipeline's queue.
    public nonisolated func finishWriting(milliseconds: Int) {
        let done = DispatchSemaphore(value: 0)
        PipelineActor.perform { [self] in
            resumeWriting()
            queue.enqueue(priority: .idle, work: {}, then: { done.signal() })
        }
        _ = done.wait(timeout: .now() + .milliseconds(milliseconds))
    }
}
