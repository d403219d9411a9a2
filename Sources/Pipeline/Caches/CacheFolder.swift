import Basics
import Glibc
import Synchronization

/// The files of a disk cache; all of the cache's disk access happens here, and every method blocks on it.
struct CacheFolder: Sendable {
    /// A cache file's directory entry and status.
    struct File {
        var name: String
        /// The size in bytes.
        var size: Int
        /// Nanoseconds since 1970.
        var lastUse: Int
    }

    private static let leftoverSuffix = ".part"
    /// In seconds; a writer that takes longer for one file has died.
    private static let leftoverAge = 3600
    /// Distinguishes the temporary files that threads of this process write at the same time.
    private static let nextPart = Atomic<Int>(0)

    let path: String

    /// Returns 32 hexadecimal digits, half of the hash of `key`; the file itself contains the whole key.
    static func name(of key: String) -> String {
        String(ContentHash(of: key.bytes).text.prefix(32))
    }

    func contents(of name: String, limit: Int) -> [UInt8]? {
        // No symbolic links and no blocking on a FIFO: another program may have put files into the folder.
        guard let file = OpenFile("\(path)/\(name)", O_NOFOLLOW), file.identity.size <= limit
        else { return nil }
        return readToEnd(of: file.descriptor, expecting: file.identity.size, limit: limit).bytes
    }

    /// Sets the access time to now, as the file system may be mounted without access times; false if there is no such file.
    @discardableResult
    func touch(_ name: String) -> Bool {
        var times = [now, omit].map { timespec(tv_sec: 0, tv_nsec: $0) }
        return utimensat(AT_FDCWD, path(of: name), &times, AT_SYMLINK_NOFOLLOW) == 0
    }

    func remove(_ name: String) { unlink(path(of: name)) }

    /// Writes all of `parts` to a temporary file, then renames it; on failure, returns false and leaves nothing behind.
    func store(_ parts: [[UInt8]], to name: String) -> Bool {
        let number = Self.nextPart.next()
        let temporary = "\(name).\(getpid()).\(number)" + Self.leftoverSuffix
        let file = create(temporary)
        guard file >= 0 else { return false }
        let isWritten = parts.allSatisfy { writeAll($0, to: file) == 0 }
        guard close(file) == 0, isWritten, rename(path(of: temporary), path(of: name)) == 0 else {
            remove(temporary)
            return false
        }
        return true
    }

    func files() -> [File] {
        names.compactMap { name in
            guard isHexadecimal(name, count: 32), let status = status(of: name) else { return nil }
            return File(
                name: name, size: Int(status.st_size), lastUse: nanoseconds(status.st_atim))
        }
    }

    /// Removes the temporary files of writers that died before the rename.
    func removeLeftovers() {
        let now = time(nil)
        for name in names
        // Other files in the folder are not ours to remove.
        where isHexadecimal(name.prefix(32), count: 32) && name.hasSuffix(Self.leftoverSuffix) {
            if let status = status(of: name), now - status.st_mtim.tv_sec > Self.leftoverAge {
                remove(name)
            }
        }
    }

    /// `utimensat`'s UTIME_NOW and UTIME_OMIT, which are macros with casts that Swift does not import.
    private var now: Int { (1 << 30) - 1 }
    private var omit: Int { (1 << 30) - 2 }

    private var names: [String] { fileNames(in: path, limit: .max) ?? [] }

    private func path(of name: String) -> [CChar] { "\(path)/\(name)".cPath }

    private func status(of name: String) -> stat? {
        linkStatus("\(path)/\(name)").flatMap { $0.kind == S_IFREG ? $0 : nil }
    }

    /// Creates a file that only its owner can read, along with the folder if it is missing, even if it was deleted a moment ago; returns a
    /// negative value on failure.
    private func create(_ name: String) -> Int32 {
        let file = "\(path)/\(name)"
        let descriptor = createFile(file, mode: 0o600)
        guard descriptor < 0, errno == ENOENT else { return descriptor }
        // The mode that the XDG base directory specification demands.
        makeFolder(path, mode: 0o700)
        return createFile(file, mode: 0o600)
    }
}
