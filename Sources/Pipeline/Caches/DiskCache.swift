public import Basics
import Synchronization

/// A disk cache: byte values by key, in the files of one folder, within a budget.
///
/// Every method blocks on the disk and may be called from any thread; callers use one serial queue, `halftone.disk`, so that the disk does
/// one thing at a time. Several processes may share the folder, and at any time it may be deleted or the disk may fill up: whatever cannot
/// be read is a miss, and whatever cannot be written is not cached; nothing here throws.
///
/// An entry is one file, named by a hash of its key and first written under another name, so that a partial file is never seen. Reading
/// sets the file's access time, by which the least recently used files are evicted when the budget is exceeded.
public final class DiskCache: Sendable {
    /// The value stored for a key.
    public struct Entry: Sendable {
        /// Names and values stored beside the body: validators, media type, final address.
        public var metadata: HeaderFields
        /// The content.
        public var body: [UInt8]

        /// Creates an entry.
        public init(metadata: HeaderFields, body: [UInt8]) {
            self.metadata = metadata
            self.body = body
        }
    }

    /// The share of the budget that a trim leaves in use; with a reserve of 30 %, not every write triggers another trim.
    private static let trimmedShare = 0.7

    private let folder: CacheFolder
    /// The budget: the total size of the files in bytes.
    private let capacity: Int
    /// The estimated total size of the files in bytes; nil until the folder has been scanned.
    private let total = Locked<Int?>(nil)
    private let isTrimming = Atomic(false)
    private let later: Receiver<Action>

    /// Creates a cache in `folder`, which is created (mode 0700) by the first write; until then the disk is not touched.
    ///
    /// `later` runs a trim that became due by a write; the default runs it at once. A trim looks at every file, which takes 0.1 s for
    /// 30,000, so no read should have to wait for it.
    public init(
        folder: String, capacity: Int,
        later: @escaping Receiver<Action> = { $0() }
    ) {
        self.folder = CacheFolder(path: folder)
        self.capacity = capacity
        self.later = later
    }

    /// Returns the entry for `key` and marks it as just used; nil if there is no intact one.
    ///
    /// A file that is truncated, altered or of another version is removed. One that holds another key is left alone.
    public func read(_ key: String) -> Entry? {
        let name = CacheFolder.name(of: key)
        // A file larger than the budget was not written by this cache.
        guard let bytes = folder.contents(of: name, limit: capacity) else { return nil }
        guard let (found, entry) = CacheFile.parse(consume bytes) else {
            folder.remove(name)
            return nil
        }
        guard found == key else { return nil }
        folder.touch(name)
        return entry
    }

    /// Stores `entry` for `key`, replacing an older one; false if that failed or the entry exceeds the whole budget.
    @discardableResult
    public func write(_ entry: Entry, for key: String) -> Bool {
        let head = CacheFile.head(for: entry, key: key)
        let size = head.count + entry.body.count
        guard size <= capacity, folder.store([head, entry.body], to: CacheFolder.name(of: key))
        else {
            // The existing entry is out of date.
            remove(key)
            return false
        }
        grow(by: size)
        return true
    }

    /// Marks the entry for `key` as just used, without reading it; false if it has no file.
    public func touch(_ key: String) -> Bool { folder.touch(CacheFolder.name(of: key)) }

    /// Removes the entry for `key`.
    public func remove(_ key: String) { folder.remove(CacheFolder.name(of: key)) }

    /// Evicts the least recently used entries down to 70 % of the budget if it is exceeded, and removes leftovers of crashed writers.
    public func trim() {
        folder.removeLeftovers()
        var files = folder.files()
        var bytes = files.reduce(0) { $0 + $1.size }
        if bytes > capacity {
            let goal = Int(Double(capacity) * Self.trimmedShare)
            files.sort { $0.lastUse < $1.lastUse }
            for file in files where bytes > goal {
                folder.remove(file.name)
                bytes -= file.size
            }
        }
        total.withLock { $0 = bytes }
    }

    /// Adds to the total; overwritten files count twice until the next trim, as an early scan is better than an exceeded budget.
    private func grow(by size: Int) {
        let isTrimDue = total.withLock { total in
            guard let known = total else { return true }
            total = known + size
            return known + size > capacity
        }
        guard isTrimDue, !isTrimming.exchange(true, ordering: .acquiringAndReleasing) else {
            return
        }
        later { [self] in
            // Reset before the scan, which may miss files written meanwhile; those writes must be able to make another trim due.
            isTrimming.store(false, ordering: .releasing)
            trim()
        }
    }
}
