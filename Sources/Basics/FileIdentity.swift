package import Glibc

/// Identifies a file, and one version of its contents, without reading it.
public struct FileIdentity: Hashable, Sendable {
    /// Nanoseconds within which two changes may leave equal times: the kernel's clock ticks every 1 to 10 ms, but FAT's every 2 s.
    private static let granularity = 2_000_000_000

    /// The file system's device number and the file's inode number.
    let device: UInt64, inode: UInt64
    /// The size in bytes.
    public let size: Int
    /// Nanoseconds since 1970 of the last change to the contents and to the inode; no program can set the latter back.
    public let modified: Int, changed: Int

    /// Creates the identity from a file's `stat` record.
    init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        size = Int(status.st_size)
        modified = nanoseconds(status.st_mtim)
        changed = nanoseconds(status.st_ctim)
    }

    /// Creates the identity of the file at `path`; nil if it is not a regular file.
    ///
    /// Blocks on the disk.
    public init?(path: String) {
        guard let status = fileStatus(path), status.kind == S_IFREG else { return nil }
        self.init(status)
    }

    /// All fields as decimal numbers, separated by spaces.
    public var text: String { "\(device) \(inode) \(size) \(modified) \(changed)" }

    /// Whether a change after `now` is certain to be detected; git calls files for which it is not "racily clean"
    /// (https://git-scm.com/docs/racy-git).
    public func isSettled(at now: Int) -> Bool { max(modified, changed) < now - Self.granularity }
}

extension stat {
    /// What kind of file it is of, such as `S_IFREG` or `S_IFLNK`.
    package var kind: mode_t { st_mode & S_IFMT }
}

/// Returns the record of what is at a path, or of what a link there leads to; nil, with `errno` set, if there is none.
///
/// Blocks on the disk.
package func fileStatus(_ path: String) -> stat? {
    var status = stat()
    return stat(path.cPath, &status) == 0 ? status : nil
}

/// Returns the record of a file, or of a link itself; nil, with `errno` set, if there is none.
///
/// Blocks on the disk.
package func linkStatus(_ path: String) -> stat? {
    var status = stat()
    return lstat(path.cPath, &status) == 0 ? status : nil
}

/// Whether the file at `path`, or the list of a folder's files, has changed since that time, or is gone; blocks on the disk.
public func hasFileChanged(_ path: String, since time: Int) -> Bool {
    guard let status = fileStatus(path) else { return errno == ENOENT }
    return nanoseconds(status.st_ctim) > time
}
