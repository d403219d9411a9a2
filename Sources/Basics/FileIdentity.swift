package import Glibc

/// What tells a file from every other and from itself after a change, without reading it.
public struct FileIdentity: Hashable, Sendable {
    /// Nanoseconds within which two changes may leave the same times: the kernel's clock ticks every 1 to 10 ms, but FAT's every 2 s.
    private static let granularity = 2_000_000_000

    /// The file's place, by its file system and its number there.
    public let device: UInt64, inode: UInt64
    /// Bytes.
    public let size: Int
    /// Nanoseconds since 1970: of the last change of the contents, and of the file's own record, which no program can set back.
    public let modified: Int, changed: Int

    /// That of a file with this status.
    package init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        size = Int(status.st_size)
        modified = nanoseconds(status.st_mtim)
        changed = nanoseconds(status.st_ctim)
    }

    /// That of the file at `path`; nil if it is not a regular file.
    ///
    /// Blocks on the disk.
    public init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.init(status)
    }

    /// All of it as words.
    public var text: String { "\(device) \(inode) \(size) \(modified) \(changed)" }

    /// Whether a change after `now` is sure to show: git calls files for which it is not "racily clean"
    /// (https://git-scm.com/docs/racy-git).
    public func isSettled(at now: Int) -> Bool { max(modified, changed) < now - Self.granularity }
}

private func nanoseconds(_ time: timespec) -> Int {
    // A file system may claim any time at all.
    Int(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000).partialValue
        &+ Int(time.tv_nsec)
}

/// Now, in nanoseconds since 1970.
public func realtimeNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return nanoseconds(time)
}
