import Basics
import Glibc
import Synchronization

/// The files of a disk cache: the only place that touches the disk, for which every method waits.
struct CacheFolder: Sendable {
    /// What is known of a cache file without opening it.
    struct File {
        var name: String
        /// Bytes.
        var size: Int
        /// Nanoseconds since 1970.
        var lastUse: Int
    }

    private static let leftoverSuffix = ".part"
    /// Seconds; a writer that needs longer for one file has died.
    private static let leftoverAge = 3600
    /// Tells the files apart that threads of this process write at once.
    private static let nextPart = Atomic<Int>(0)

    let path: String

    /// 32 hexadecimal digits: half of the hash of `key`, which the file repeats.
    static func name(of key: String) -> String {
        String(ContentHash(of: Array(key.utf8)).text.prefix(32))
    }

    func contents(of name: String, limit: Int) -> [UInt8]? {
        // No symbolic links, no waiting for a FIFO: another program may have filled the folder.
        let file = open(path(of: name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= limit
        else { return nil }
        return readToEnd(of: file, expecting: Int(status.st_size), limit: limit).bytes
    }

    /// Marks as used now, as the disk may be mounted so that reading does not; false if there is nothing of that name.
    @discardableResult
    func touch(_ name: String) -> Bool {
        var times = [timespec(tv_sec: 0, tv_nsec: now), timespec(tv_sec: 0, tv_nsec: omit)]
        return utimensat(AT_FDCWD, path(of: name), &times, AT_SYMLINK_NOFOLLOW) == 0
    }

    func remove(_ name: String) { unlink(path(of: name)) }

    /// Writes all of `parts` under another name, then gives the file its own; false if anything failed, and nothing is left behind.
    func store(_ parts: [[UInt8]], to name: String) -> Bool {
        let number = Self.nextPart.wrappingAdd(1, ordering: .relaxed).newValue
        let temporary = path + "/\(name).\(getpid()).\(number)" + Self.leftoverSuffix
        guard let file = create(temporary) else { return false }
        let isWritten = parts.allSatisfy { writeAll($0, to: file) == 0 }
        guard close(file) == 0, isWritten, rename(temporary, path(of: name)) == 0 else {
            unlink(temporary)
            return false
        }
        return true
    }

    func files() -> [File] {
        (fileNames(in: path, limit: .max) ?? []).compactMap { name in
            guard isHexadecimal(name, count: 32), let status = status(of: name) else { return nil }
            // Files may claim any time, also one whose nanoseconds do not fit.
            let lastUse = Int(status.st_atim.tv_sec) &* 1_000_000_000 &+ Int(status.st_atim.tv_nsec)
            return File(name: name, size: Int(status.st_size), lastUse: lastUse)
        }
    }

    /// Removes what writers left that died between creating and renaming.
    func removeLeftovers() {
        let now = time(nil)
        for name in (fileNames(in: path, limit: .max) ?? []) where isTemporary(name) {
            if let status = status(of: name), now - status.st_mtim.tv_sec > Self.leftoverAge {
                unlink(path + "/" + name)
            }
        }
    }

    /// `utimensat`'s UTIME_NOW and UTIME_OMIT, which are macros with casts that Swift does not import.
    private var now: Int { (1 << 30) - 1 }
    private var omit: Int { (1 << 30) - 2 }

    private func path(of name: String) -> String { path + "/" + name }

    /// Hash, process, number, suffix; anything else in the folder is not ours to remove.
    private func isTemporary(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && isHexadecimal(parts[0], count: 32)
            && Int(parts[1]) != nil && Int(parts[2]) != nil && "." + parts[3] == Self.leftoverSuffix
    }

    private func status(of name: String) -> stat? {
        var status = stat()
        let isFile = lstat(path + "/" + name, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        return isFile ? status : nil
    }

    /// Opens a new file that only its owner can read; makes the folder if it is missing, also when it was just deleted.
    private func create(_ file: String) -> Int32? {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        var descriptor = open(file, flags, 0o600)
        if descriptor < 0 && errno == ENOENT {
            makeFolder(path)
            descriptor = open(file, flags, 0o600)
        }
        return descriptor >= 0 ? descriptor : nil
    }

    /// Mode 0700 also for what lies above, as the XDG base directory specification asks.
    private func makeFolder(_ path: String) {
        guard mkdir(path, 0o700) != 0, errno == ENOENT, let slash = path.lastIndex(of: "/"),
            slash != path.startIndex
        else { return }
        makeFolder(String(path[..<slash]))
        mkdir(path, 0o700)
    }
}
