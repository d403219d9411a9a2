import Glibc
import Synchronization

/// The files of a disk cache: the only place that touches the disk, for which every method waits.
struct CacheFolder: Sendable {
    /// What is known of a cache file without opening it.
    struct File {
        var name: CacheFileName
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

    func contents(of name: CacheFileName, limit: Int) -> [UInt8]? {
        // No symbolic links, no waiting for a FIFO: another program may have filled the folder.
        let file = open(path(of: name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= limit
        else { return nil }
        let size = Int(status.st_size)
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let got = read(file, buffer.baseAddress.map { $0 + count }, size - count)
                if got < 0 && errno == EINTR { continue }
                guard got > 0 else { return }
                count += got
            }
        }
    }

    /// Marks as used now, as the disk may be mounted so that reading does not; false if there is nothing of that name.
    @discardableResult
    func touch(_ name: CacheFileName) -> Bool {
        var times = [timespec(tv_sec: 0, tv_nsec: now), timespec(tv_sec: 0, tv_nsec: omit)]
        return utimensat(AT_FDCWD, path(of: name), &times, AT_SYMLINK_NOFOLLOW) == 0
    }

    func remove(_ name: CacheFileName) {
        unlink(path(of: name))
    }

    /// Writes all of `parts` under another name, then gives the file its own; false if anything failed, and nothing is left behind.
    func store(_ parts: [[UInt8]], to name: CacheFileName) -> Bool {
        let number = Self.nextPart.wrappingAdd(1, ordering: .relaxed).newValue
        let temporary = path + "/\(name.text).\(getpid()).\(number)" + Self.leftoverSuffix
        guard let file = create(temporary) else { return false }
        let isWritten = parts.allSatisfy { append($0, to: file) }
        guard close(file) == 0, isWritten, rename(temporary, path(of: name)) == 0 else {
            unlink(temporary)
            return false
        }
        return true
    }

    func files() -> [File] {
        names().compactMap { name in
            guard let name = CacheFileName(found: name) else { return nil }
            return status(of: name.text).map { status in
                let seconds = Int(status.st_atim.tv_sec)
                let lastUse = seconds * 1_000_000_000 + Int(status.st_atim.tv_nsec)
                return File(name: name, size: Int(status.st_size), lastUse: lastUse)
            }
        }
    }

    /// Removes what writers left that died between creating and renaming.
    func removeLeftovers() {
        let now = time(nil)
        for name in names() where isTemporary(name) {
            if let status = status(of: name), now - status.st_mtim.tv_sec > Self.leftoverAge {
                unlink(path + "/" + name)
            }
        }
    }

    // MARK: - Parts

    /// `utimensat`'s UTIME_NOW and UTIME_OMIT, which are macros with casts that Swift does not import.
    private var now: Int { (1 << 30) - 1 }
    private var omit: Int { (1 << 30) - 2 }

    private func path(of name: CacheFileName) -> String {
        path + "/" + name.text
    }

    /// Hash, process, number, suffix; anything else in the folder is not ours to remove.
    private func isTemporary(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && CacheFileName(found: String(parts[0])) != nil
            && Int(parts[1]) != nil && Int(parts[2]) != nil && "." + parts[3] == Self.leftoverSuffix
    }

    private func status(of name: String) -> stat? {
        var status = stat()
        let isFile =
            lstat(path + "/" + name, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        return isFile ? status : nil
    }

    private func names() -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { buffer in
                String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self)
            }
            names.append(name)
        }
        return names
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

    private func append(_ bytes: [UInt8], to file: Int32) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let count = write(
                    file, buffer.baseAddress.map { $0 + done }, buffer.count - done)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return false }
                done += count
            }
            return true
        }
    }
}
