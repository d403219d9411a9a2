public import Basics
import Glibc

/// The most recently opened archives, so that pictures are found without listing an archive again; usable from any thread.
public final class ArchiveCache: Sendable {
    /// By paths, the least recently used first.
    private let items = Locked<[(path: String, identity: FileIdentity?, archive: Archive)]>([])
    private let limit: Int

    /// The maximum number of archives, each of which holds one or two file descriptors and a list of entries.
    private static let most = 8

    /// Creates an empty cache; entries larger than `limit` bytes are not read.
    public init(limit: Int = 64 << 20) { self.limit = limit }

    /// Returns the archive at `path`, which may lead into another, reopened if the file has changed.
    ///
    /// Blocks on the disk.
    public func archive(at path: String) throws(ArchiveError) -> Archive {
        let identity = Self.identity(of: path)
        if let known = known(at: path, identity) { return known }
        return keep(try opened(path), at: path, identity)
    }

    /// Returns the archive that a server has sent from `address`, if it is still open.
    public func archive(from address: String) -> Archive? { known(at: address, nil) }

    /// Opens what a server has sent from `address`, at which it is then found: an archive, or of this `version` of it the directory alone.
    ///
    /// Blocks on the disk.
    public func open(
        _ bytes: [UInt8], from address: String, version: String? = nil
    ) throws(ArchiveError) -> Archive {
        let archive =
            if let version { try Archive(directory: bytes, version: version, limit: limit) } else {
                try opened(bytes)
            }
        return keep(archive, at: address, nil)
    }

    private func known(at path: String, _ identity: FileIdentity?) -> Archive? {
        items.withLock { items in
            items.firstIndex { $0.path == path && $0.identity == identity }.map { place in
                let item = items.remove(at: place)
                items.append(item)
                return item.archive
            }
        }
    }

    private func keep(_ archive: Archive, at path: String, _ identity: FileIdentity?) -> Archive {
        items.withLock { items in
            items.removeAll { $0.path == path }
            items.append((path, identity, archive))
            if items.count > Self.most { items.removeFirst() }
        }
        return archive
    }

    /// Returns the contents of an entry, whose path follows that of its archive; nil if no parent of the path is a file.
    ///
    /// Blocks on the disk.
    public func contents(ofEntryAt path: String) throws(ArchiveError) -> [UInt8]? {
        guard var outer = Self.file(around: path) else { return nil }
        while true {
            let archive = try archive(at: outer)
            let rest = path.utf8.dropFirst(outer.utf8.count + 1)
            let entry = String(utf8: rest)
            let inner =
                archive.has(entry)
                ? nil : archive.entries.first { rest.starts(with: ($0.path + "/").utf8) }
            guard let inner else { return try archive.contents(of: entry) }
            outer += "/" + inner.path
        }
    }

    /// Opens the archive at `path`; one in another by a copy, which that one's limits hold for.
    private func opened(_ path: String) throws(ArchiveError) -> Archive {
        guard FileIdentity(path: path) == nil, let bytes = try contents(ofEntryAt: path) else {
            return try Archive(path: path, limit: limit)
        }
        return try opened(bytes)
    }

    private func opened(_ bytes: [UInt8]) throws(ArchiveError) -> Archive {
        let folder = temporaryFolder
        guard let copy = OpenFile(temporaryIn: folder), writeAll(bytes, to: copy.descriptor) == 0
        else { throw .system("\(folder): \(systemReason(errno))") }
        return try Archive(path: copy.path, limit: limit)
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
