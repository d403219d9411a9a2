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

    /// Creates one; nothing is made yet.
    public init(path: String) { self.path = path }

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
            let number = Self.nextPart.add(1, ordering: .relaxed).newValue
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

    /// Removes what killed programs have left; nothing where another machine's may still run.
    func removeParts() {
        guard !isOnNetwork(path) else { return }
        for name in fileNames(in: path, limit: .max, isAll: true) ?? [] {
            let words = name.split(separator: "-")
            if words.count == 3, words[0] == ".halftone", words[2].hasSuffix(".part"),
                let process = pid_t(words[1]), kill(process, 0) != 0, errno == ESRCH
            {
                unlink("\(path)/\(name)".cPath)
            }
        }
    }

    /// Moves the file at `old`, on the same file system, into the folder, which must be there, under the first of its names that is free;
    /// returns its path.
    ///
    /// Blocks.
    public func take(_ old: String, as name: String) throws(SaveError) -> String {
        var last = 0
        return try take(old, as: name, after: &last)
    }

    /// Does the same for numbers above `last`, which becomes the number taken.
    func take(
        _ old: String, as name: String, after last: inout Int
    ) throws(SaveError) -> String {
        for _ in 1...9999 {
            last += 1
            let place = "\(path)/\(name.numbered(last))"
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
            inner += "/" + step
            guard
                mkdir(inner.cPath, 0o777) == 0 || errno != EEXIST
                    || linkStatus(inner).map({ $0.st_mode & S_IFMT }) == S_IFDIR
            else { throw SaveError(ENOTDIR) }
        }
        return SaveFolder(path: realPath(inner) ?? inner)
    }

    /// Writes a picture's record beside it; `isNew` tells that one that is there is not this picture's.
    func put(_ record: String?, beside path: String, isNew: Bool) throws(SaveError) {
        guard let record else { return }
        let part = try part { writeAll(Array(record.utf8), to: $0) }
        defer { unlink(part.cPath) }
        let place = path + ".json"
        if isNew, rename(part.cPath, place.cPath) != 0 { throw SaveError(errno) }
        if !isNew { _ = moveFile(part, to: place) }
    }

    /// Returns the path of the file with the contents of `part` that has this name, or this with a number below `end`; nil if there is
    /// none.
    func twin(of part: String, as name: String, before end: Int) -> String? {
        guard let size = FileIdentity(path: part)?.size else { return nil }
        lazy var contents = smallFile(part, limit: size)
        for number in 1..<end {
            let place = "\(path)/\(name.numbered(number))"
            guard let identity = FileIdentity(path: place) else { return nil }
            if identity.size == size, let contents, contents == smallFile(place, limit: size) {
                return place
            }
        }
        return nil
    }
}
