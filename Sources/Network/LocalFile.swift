package import Archives
import Basics
import Glibc
import Pipeline

/// Reads a whole regular file of at most `limit` bytes; blocks for the disk, never for a FIFO or a device.
///
/// The file is open as it was read; nil if it changed meanwhile, or so lately that a further change might not show.
func contentsOfFile(
    at path: String, limit: Int
) throws(FetchError) -> (bytes: [UInt8], file: OpenFile?) {
    let now = realtimeNanoseconds()
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { throw fetchError(errno) }
    var isKept = false
    defer { if !isKept { close(file) } }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw fetchError(errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw .isFolder
    default: throw .unreadable("not a regular file")
    }
    guard status.st_size <= limit else { throw .tooLarge(limit: limit) }
    let (bytes, error) = readToEnd(of: file, expecting: Int(status.st_size), limit: limit)
    guard error == 0 else { throw fetchError(error) }
    guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
    let before = FileIdentity(status)
    let isSame = fstat(file, &status) == 0 && FileIdentity(status) == before
    isKept = isSame && before.size == bytes.count && before.isSettled(at: now)
    return (bytes, isKept ? OpenFile(file, before) : nil)
}

/// A regular file as it was read, open until nothing refers to it; any thread.
public final class OpenFile: Sendable {
    /// For reading.
    public let descriptor: Int32
    let identity: FileIdentity

    init(_ descriptor: Int32, _ identity: FileIdentity) {
        self.descriptor = descriptor
        self.identity = identity
    }

    deinit { close(descriptor) }

    /// Whether it has been written to since.
    public var hasChanged: Bool {
        var status = stat()
        return fstat(descriptor, &status) != 0 || FileIdentity(status) != identity
    }
}

private func fetchError(_ code: Int32) -> FetchError {
    switch code {
    case ENOENT, ENOTDIR, ENAMETOOLONG: .noSuchFile
    case EACCES, EPERM: .unreadable("permission denied")
    default: .unreadable(String(cString: strerror(code)))
    }
}

extension FetchError {
    /// The same of what is in an archive.
    package init(_ error: ArchiveError) {
        switch error {
        case .missing: self = .noSuchFile
        case .tooLarge(let limit): self = .tooLarge(limit: limit)
        case .encrypted, .damaged, .system: self = .unreadable(error.description)
        }
    }
}

/// What tells a file from every other and from itself after a change, without reading it.
struct FileIdentity: Hashable, Sendable {
    /// Nanoseconds within which two changes may leave the same times: the kernel's clock ticks every 1 to 10 ms, but FAT's every 2 s.
    private static let granularity = 2_000_000_000

    var device: UInt64
    var inode: UInt64
    /// Bytes.
    var size: Int
    /// Nanoseconds since 1970: of the last change of the contents, and of the file's own record, which no program can set back.
    var modified: Int
    var changed: Int

    init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        size = Int(status.st_size)
        modified = nanoseconds(status.st_mtim)
        changed = nanoseconds(status.st_ctim)
    }

    /// That of the file at `path`, or of the archive that it leads into; nil if it is no regular file.
    init?(path: String) {
        var status = stat()
        if stat(path, &status) != 0 {
            guard errno == ENOTDIR, let file = ArchiveShelf.archivePath(of: path),
                stat(file, &status) == 0
            else { return nil }
        }
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.init(status)
    }

    var text: String { "\(device) \(inode) \(size) \(modified) \(changed)" }

    /// Whether a change after `now` is sure to show: git calls files for which it is not "racily clean"
    /// (https://git-scm.com/docs/racy-git).
    func isSettled(at now: Int) -> Bool { max(modified, changed) < now - Self.granularity }
}

/// The contents of files, as the disk cache remembers them; blocks for the disk.
extension DiskCache {
    /// The hash of the file at `path` if it has not changed since it was noted.
    func hashOfFile(at path: String) -> ContentHash? {
        guard let identity = FileIdentity(path: path), let entry = read("file " + path),
            entry.metadata.value(of: "file") == identity.text
        else { return nil }
        return entry.metadata.value(of: "hash").flatMap { ContentHash(text: $0) }
    }

    /// Notes the hash of the file at `path`, which was `identity` when it was read.
    func note(_ hash: ContentHash, ofFileAt path: String, _ identity: FileIdentity) {
        let metadata = [("file", identity.text), ("hash", hash.text)]
        write(Entry(metadata: metadata, body: []), for: "file " + path)
    }
}

private func nanoseconds(_ time: timespec) -> Int {
    // A file system may claim any time at all.
    Int(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000).partialValue
        &+ Int(time.tv_nsec)
}

/// Now, in nanoseconds since 1970.
func realtimeNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return nanoseconds(time)
}
