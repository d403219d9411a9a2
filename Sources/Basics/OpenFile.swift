import CText
import Dispatch
import Glibc

/// A regular file, or a folder, that stays open for reading until the last reference is released; usable from any thread.
public final class OpenFile: Sendable {
    /// The file descriptor.
    public let descriptor: Int32
    /// A path by which this program, and no other, opens it again, also once it has no name.
    public var path: String { "\(descriptorFolder)\(descriptor)" }
    /// The file's identity when it was opened.
    public let identity: FileIdentity

    /// Opens the file at `path`, or with `O_DIRECTORY` the folder, with further flags of open(2).
    ///
    /// Nil, with `errno`, on failure or if it is no regular file: `EISDIR` for a folder, else `EINVAL`. Blocks on the disk,
    /// but never on a FIFO or device.
    public convenience init?(_ path: String, _ flags: Int32 = 0) {
        self.init(
            owning: open(path.cPath, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags),
            flags & O_DIRECTORY == 0 ? S_IFREG : S_IFDIR)
    }

    /// Creates an unnamed, writable temporary file in `folder`; nil, with `errno` set, on failure.
    public convenience init?(temporaryIn folder: String) {
        var template = "\(folder)/halftone-XXXXXX".cPath
        let descriptor = mkostemp(&template, O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        unlink(template)
        self.init(owning: descriptor)
    }

    private init?(owning descriptor: Int32, _ kind: mode_t = S_IFREG) {
        var status = stat()
        guard descriptor >= 0 else { return nil }
        guard fstat(descriptor, &status) == 0, status.kind == kind else {
            close(descriptor)
            errno = status.kind == S_IFDIR ? EISDIR : EINVAL
            return nil
        }
        self.descriptor = descriptor
        identity = FileIdentity(status)
    }

    deinit { close(descriptor) }

    /// Up to 4096 of its bytes from `start` on, by default the first; none if they cannot be read.
    ///
    /// Blocks on the disk.
    public func piece(at start: Int = 0) -> [UInt8] {
        readBytes(4096, at: start, of: descriptor)
    }

    /// Whether the file has been modified since it was opened.
    public var hasChanged: Bool {
        var status = stat()
        return fstat(descriptor, &status) != 0 || FileIdentity(status) != identity
    }
}

/// The folder where Linux shows a program what it has open, by the descriptors' numbers.
public let descriptorFolder = "/proc/self/fd/"

/// The folder for temporary files.
public var temporaryFolder: String {
    let folder = getenv("TMPDIR").map { String(systemName: $0) } ?? ""
    return folder.isEmpty ? "/tmp" : folder
}

/// Whether a descriptor can be read, or its other end is gone, within the given time; -1 waits for ever.
public func isReadable(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, milliseconds) > 0
}

/// Accepts connections until the listener is shut down, and has each handled by `serve` on a thread of its own, at most `limit` at once.
///
/// Blocks. `count` is the number of open ones.
public func acceptConnections(
    on listener: Int32, limit: Int, count: Locked<Int>,
    serve: @escaping @Sendable (_ peer: Int32) -> Void
) {
    while true {
        let peer = accept(listener, nil, nil)
        guard peer >= 0 else {
            if errno == EINVAL { return }
            // There may be too many open files for a moment.
            usleep(100_000)
            continue
        }
        // Programs started later must not inherit it.
        _ = fcntl(peer, F_SETFD, FD_CLOEXEC)
        let isAdmitted = count.withLock { count in
            defer { if count < limit { count += 1 } }
            return count < limit
        }
        guard isAdmitted else {
            close(peer)
            continue
        }
        // Serial queues have threads of their own.
        DispatchQueue(label: "halftone.connection").asyncGuarded {
            serve(peer)
            close(peer)
            count.withLock { $0 -= 1 }
        }
    }
}
