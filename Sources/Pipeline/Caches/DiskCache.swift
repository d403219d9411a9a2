/// Bytes kept in files of one folder, by key, up to a budget.
///
/// Every method blocks for the disk and may be called on any thread; callers use one serial queue, `halftone.disk`, so that the disk does
/// one thing at a time. Several processes may share the folder, and it may be deleted, or the disk be full, at any time: whatever cannot be
/// read is a miss and whatever cannot be written is not cached; nothing here throws.
///
/// An entry is one file, named by a hash of its key and written under another name first, so that a half-written one is never seen. Reading
/// sets the file's access time, by which the least recently used go when the budget is exceeded.
public final class DiskCache: Sendable {
    /// What is kept for a key.
    public struct Entry: Sendable {
        /// Names and values to find beside the body: validators, media type, final address.
        public var metadata: [(name: String, value: String)]
        /// The bytes.
        public var body: [UInt8]

        /// Makes an entry.
        public init(metadata: [(name: String, value: String)], body: [UInt8]) {
            self.metadata = metadata
            self.body = body
        }
    }

    /// What is left after a trim: with a reserve of 30 %, not every write is followed by another.
    private static let trimmedShare = 0.7

    private let folder: CacheFolder
    /// The budget, in bytes of files.
    private let capacity: Int
    /// About what the files hold, in bytes; nil until the folder was looked through.
    private let total = Locked<Int?>(nil)
    private let isTrimming = Locked(false)
    private let later: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// Makes a cache in `folder`, which is made (mode 0700) with the first write; nothing is touched before.
    ///
    /// `later` runs a trim that a write made due: at once, unless told otherwise. It looks at every file, which takes 0.1 s for 30,000, so
    /// no read should wait for it.
    public init(
        folder: String, capacity: Int,
        later: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() }
    ) {
        self.folder = CacheFolder(path: folder)
        self.capacity = capacity
        self.later = later
    }

    /// The entry for `key`, which then counts as used just now; nil if there is none that is whole.
    ///
    /// A file that is cut off, altered or of another version is removed. One that holds another key is left alone.
    public func read(_ key: String) -> Entry? {
        let name = CacheFolder.name(of: key)
        // A file larger than the budget was not written here.
        guard let bytes = folder.contents(of: name, limit: capacity) else { return nil }
        guard let (found, entry) = CacheFile.parse(consume bytes) else {
            folder.remove(name)
            return nil
        }
        guard found == key else { return nil }
        folder.touch(name)
        return entry
    }

    /// Keeps `entry` for `key` in place of any older one; false if that failed or it is larger than the whole budget.
    @discardableResult
    public func write(_ entry: Entry, for key: String) -> Bool {
        let head = CacheFile.head(for: entry, key: key)
        let size = head.count + entry.body.count
        guard size <= capacity, folder.store([head, entry.body], to: CacheFolder.name(of: key))
        else {
            // What is there is out of date.
            remove(key)
            return false
        }
        grow(by: size)
        return true
    }

    /// Marks the entry for `key` as used just now, without reading it; false if there is no file for it.
    public func touch(_ key: String) -> Bool { folder.touch(CacheFolder.name(of: key)) }

    /// Forgets the entry for `key`.
    public func remove(_ key: String) { folder.remove(CacheFolder.name(of: key)) }

    /// Removes the least recently used entries if there is more than the budget, down to 70 % of it, and leftovers of crashed writers.
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

    /// Overwritten files count twice until the next trim looks: better one look too many than a budget exceeded.
    private func grow(by size: Int) {
        let isTrimDue = total.withLock { total in
            guard let known = total else { return true }
            total = known + size
            return known + size > capacity
        }
        guard isTrimDue else { return }
        let isFirst = isTrimming.withLock { isTrimming in
            defer { isTrimming = true }
            return !isTrimming
        }
        guard isFirst else { return }
        later { [self] in
            // Before the look: what is written during it may be missed and has to make the next one due.
            isTrimming.withLock { $0 = false }
            trim()
        }
    }
}
