import Glibc

/// A regular file, open for reading until nothing refers to it; any thread.
public final class OpenFile: Sendable {
    /// For reading, of this process.
    public let descriptor: Int32
    /// What it was when it was opened.
    public let identity: FileIdentity

    /// Opens the file at `path`; nil, with `errno`, for what cannot be opened or is not a file: `EISDIR` for a folder, else `EINVAL`.
    ///
    /// Blocks on the disk, never for a FIFO or device.
    public convenience init?(_ path: String) {
        self.init(owning: open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY))
    }

    /// A new one without a name in `folder`, which can be written to as well; nil, with `errno`, if there can be none.
    public convenience init?(temporaryIn folder: String) {
        var template = Array((folder + "/halftone-XXXXXX").utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { return nil }
        unlink(template)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        self.init(owning: descriptor)
    }

    private init?(owning descriptor: Int32) {
        var status = stat()
        guard descriptor >= 0 else { return nil }
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            errno = status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL
            return nil
        }
        self.descriptor = descriptor
        identity = FileIdentity(status)
    }

    deinit { close(descriptor) }

    /// Whether it has been written to since it was opened.
    public var hasChanged: Bool {
        var status = stat()
        return fstat(descriptor, &status) != 0 || FileIdentity(status) != identity
    }
}

/// The folder for what is needed for a while only.
public var temporaryFolder: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }
