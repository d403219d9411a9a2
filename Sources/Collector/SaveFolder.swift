import Basics
import Glibc
import Synchronization

/// A folder that files are put into.
///
/// A file is written under a temporary name and then given its final name without replacing another: that follows no symlink, and a
/// partial file is never visible.
public struct SaveFolder: Sendable {
    private static let nextPart = Atomic(0)

    /// The path; the folder is made when first needed, and those above it.
    public let path: String

    /// Locked while this program saves there, so that others take none of its files for left over.
    private let lock: OpenFile?

    /// Creates one; nothing is made yet.
    public init(path: String) {
        self.path = path
        lock = nil
    }

    /// Opens a folder, by a path without links, and removes what killed programs have left where no other saves.
    ///
    /// If it `isOwn`, no other may save there, and it stays the one that was opened, whatever becomes of its path.
    init(opening path: String, isOwn: Bool = false) throws(SaveError) {
        let lock = OpenFile(path, O_DIRECTORY | O_NOFOLLOW)
        let name = path.atLastSlash.name
        if lock == nil, isOwn { throw .notWritten("\(name): \(systemReason(errno))") }
        let isAlone = lock.map { flock($0.descriptor, LOCK_EX | LOCK_NB) == 0 } ?? false
        if isOwn, !isAlone, errno == EWOULDBLOCK { throw .refused("\(name) is in use") }
        self.lock = lock
        self.path = lock.map { isOwn ? $0.path : path } ?? path
        // Another machine's program may still write them.
        if isAlone, !isOnNetwork(path) {
            for name in fileNames(in: self.path, limit: .max, isAll: true) ?? []
            where name.hasPrefix(".halftone-") && name.hasSuffix(".part") {
                unlink("\(self.path)/\(name)".cPath)
            }
        }
        if let lock, !isOwn { flock(lock.descriptor, LOCK_SH) }
    }

    /// Makes a new file, whose contents `fill` writes, returning 0 or the errno; returns its path.
    ///
    /// Blocks.
    public func write(as name: String, fill: (Int32) -> Int32) throws(SaveError) -> String {
        let part = try part { file in
            let error = fill(file)
            return error == 0 && fsync(file) != 0 ? errno : error
        }
        defer { unlink(part.cPath) }
        return try take(part, as: name)
    }

    /// Makes a file with a unique temporary name, whose contents may not be on the disk yet; returns its path.
    func part(_ fill: (Int32) -> Int32) throws(SaveError) -> String {
        makeFolder(path, mode: 0o777)
        // A crashed process with the same ID may have left others.
        for _ in 1...1000 {
            let number = Self.nextPart.next()
            let part = "\(path)/.halftone-\(getpid())-\(number).part"
            let file = createFile(part)
            guard file >= 0 else {
                if errno == EEXIST { continue }
                throw SaveError(errno)
            }
            var error = fill(file)
            if close(file) != 0, error == 0 { error = errno }
            if error == 0 { return part }
            unlink(part.cPath)
            throw SaveError(error)
        }
        throw SaveError(EEXIST)
    }

    /// Moves the file at `old`, on the same file system, into the folder, which must be there, under the first of its names that is free;
    /// returns its path.
    ///
    /// Blocks.
    public func take(_ old: String, as name: String) throws(SaveError) -> String {
        var last = 0
        return try take(old, as: name, after: &last)
    }

    /// Does the same for numbers above `last`, which becomes the number taken, and where a `record` has room beside the file.
    func take(
        _ old: String, as name: String, after last: inout Int, beside record: String? = nil
    ) throws(SaveError) -> String {
        for _ in 1...9999 {
            last += 1
            let place = "\(path)/\(name.numbered(last))"
            if record != nil, linkStatus("\(place).json") != nil { continue }
            let error = moveFile(old, to: place)
            if error == 0 { return place }
            guard error == EEXIST else { throw SaveError(error) }
        }
        throw SaveError(EEXIST)
    }

    /// Returns the folder at a relative path, made if need be, by its real path; no part of the relative one may be a link, which could
    /// lead out.
    ///
    /// Blocks.
    public func below(_ path: String) throws(SaveError) -> SaveFolder {
        makeFolder(self.path, mode: 0o777)
        var inner = self.path
        for step in path.split(separator: "/") {
            inner += "/\(step)"
            guard
                mkdir(inner.cPath, 0o777) == 0 || errno != EEXIST
                    || linkStatus(inner)?.kind == S_IFDIR
            else { throw SaveError(ENOTDIR) }
        }
        return try SaveFolder(opening: realPath(inner) ?? inner)
    }

    /// Writes a picture's record beside it; unless the picture `isNew`, it may have one.
    func put(_ record: String?, beside path: String, isNew: Bool) throws(SaveError) {
        guard let record else { return }
        let part = try part { writeAll(record.bytes, to: $0) }
        defer { unlink(part.cPath) }
        let error = moveFile(part, to: "\(path).json")
        if isNew, error != 0 { throw SaveError(error) }
    }

    /// Returns the path of the file with the contents of `part` that has this name, or this with a number below `end`; nil if there is
    /// none.
    func twin(of part: String, as name: String, before end: Int) -> String? {
        guard let size = FileIdentity(path: part)?.size else { return nil }
        lazy var contents = smallFile(part, limit: size)
        for number in 1..<end {
            let place = "\(path)/\(name.numbered(number))"
            guard let identity = FileIdentity(path: place) else {
                if linkStatus("\(place).json") == nil { return nil }
                continue
            }
            if identity.size == size, let contents, contents == smallFile(place, limit: size) {
                return place
            }
        }
        return nil
    }
}
