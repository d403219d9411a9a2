public import Basics
import Glibc
import Pipeline

/// The archives that were opened last, so that their pictures are found without listing them again; any thread.
public final class ArchiveShelf: Sendable {
    private struct Volume {
        var path: String
        var identity: FileIdentity?
        var archive: Archive
    }

    /// Least recently used first.
    private let volumes = Locked<[Volume]>([])
    private let limit: Int

    /// Each holds a descriptor or two, and a list.
    private static let most = 8

    /// Makes an empty one; no entry of more than `limit` bytes is read.
    public init(limit: Int = 64 << 20) { self.limit = limit }

    /// The archive at `path`, opened anew if it has changed.
    ///
    /// Blocks on the disk.
    public func archive(at path: String) throws(ArchiveError) -> Archive {
        let identity = FileIdentity(path: path)
        let known = volumes.withLock { volumes in
            volumes.firstIndex { $0.path == path && $0.identity == identity }.map { place in
                let volume = volumes.remove(at: place)
                volumes.append(volume)
                return volume.archive
            }
        }
        if let known { return known }
        let archive = try Archive(path: path, limit: limit)
        volumes.withLock { volumes in
            volumes.removeAll { $0.path == path }
            volumes.append(Volume(path: path, identity: identity, archive: archive))
            if volumes.count > Self.most { volumes.removeFirst() }
        }
        return archive
    }

    /// The bytes of an entry, whose path goes on behind that of its archive; nil if no step of it is a file.
    ///
    /// Blocks on the disk.
    public func contents(ofEntryAt path: String) throws(ArchiveError) -> [UInt8]? {
        guard let file = Self.file(around: path) else { return nil }
        let entry = path.utf8.dropFirst(file.utf8.count + 1)
        return try archive(at: file).contents(of: String(decoding: entry, as: UTF8.self))
    }

    /// The path of the archive that a path leads through, though it is not a folder; nil if there is none.
    ///
    /// Opens the archive and looks at its beginning.
    public static func archivePath(of path: String) -> String? {
        file(around: path).flatMap { Archive.isOne(atPath: $0) ? $0 : nil }
    }

    /// The identity of the file at `path`, or of the archive that it leads through; nil if there is neither.
    ///
    /// Blocks on the disk.
    public static func identity(of path: String) -> FileIdentity? {
        FileIdentity(path: path) ?? file(around: path).flatMap(FileIdentity.init(path:))
    }

    /// The path of the file that a path leads through.
    private static func file(around path: String) -> String? {
        var path = path[...].utf8
        while let slash = path.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex {
            path = path[..<slash]
            var status = stat()
            guard stat(String(Substring(path)), &status) == 0 else { continue }
            return status.st_mode & S_IFMT == S_IFREG ? String(Substring(path)) : nil
        }
        return nil
    }
}
