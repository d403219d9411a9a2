public import Basics

/// The most recently opened archives, so that pictures are found without listing an archive again; usable from any thread.
public final class ArchiveCache: Sendable {
    /// By paths, the least recently used first.
    private let items = Locked<[(path: String, archive: Archive)]>([])
    private let limit: Int

    /// The maximum number of archives, each of which holds one or two file descriptors and a list of entries.
    private static let most = 8

    /// Creates an empty cache; entries larger than `limit` bytes are not read.
    public init(limit: Int = 64 << 20) { self.limit = limit }

    /// Returns the archive at `path`, reopened if the file has changed.
    ///
    /// Blocks on the disk.
    public func archive(at path: String) throws(ArchiveError) -> Archive {
        let identity = FileIdentity(path: path)
        let known = items.withLock { items in
            items.firstIndex { $0.path == path && $0.archive.identity == identity }.map { place in
                let item = items.remove(at: place)
                items.append(item)
                return item.archive
            }
        }
        if let known { return known }
        let archive = try Archive(path: path, limit: limit)
        items.withLock { items in
            items.removeAll { $0.path == path }
            items.append((path, archive))
            if items.count > Self.most { items.removeFirst() }
        }
        return archive
    }

    /// Returns the contents of an entry, whose path follows that of its archive; nil if no parent of the path is a file.
    ///
    /// Blocks on the disk.
    public func contents(ofEntryAt path: String) throws(ArchiveError) -> [UInt8]? {
        guard let file = Self.file(around: path) else { return nil }
        let entry = path.utf8.dropFirst(file.utf8.count + 1)
        return try archive(at: file).contents(of: String(utf8: entry))
    }

    /// Returns the path of the archive that `path` leads into; nil if there is none.
    ///
    /// Opens the archive and reads its first bytes.
    public static func archivePath(of path: String) -> String? {
        file(around: path).flatMap { Archive.isOne(atPath: $0) ? $0 : nil }
    }

    /// Returns the identity of the file at `path`, or of the archive that it leads into; nil if there is neither.
    ///
    /// Blocks on the disk.
    public static func identity(of path: String) -> FileIdentity? {
        FileIdentity(path: path) ?? file(around: path).flatMap(FileIdentity.init(path:))
    }

    /// Returns the path of the regular file among the parents of `path`; nil if there is none.
    private static func file(around path: String) -> String? {
        var path = path[...].utf8
        while let slash = path.lastIndex(of: "/"), slash > path.startIndex {
            path = path[..<slash]
            let parent = String(Substring(path))
            if FileIdentity(path: parent) != nil { return parent }
        }
        return nil
    }
}
