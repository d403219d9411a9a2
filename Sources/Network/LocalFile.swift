import Glibc

/// A file as it was read.
struct LocalFile: Sendable {
    var bytes: [UInt8]
    /// What it was when it was read; nil if it changed meanwhile, or so lately that a further change might not show.
    var identity: FileIdentity?
}

/// Reads a whole regular file of at most `limit` bytes; blocks for the disk, never for a FIFO or a device.
func contentsOfFile(at path: String, limit: Int) throws(FetchError) -> LocalFile {
    let now = realtimeNanoseconds()
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { throw fetchError(errno) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw fetchError(errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw .isFolder
    default: throw .unreadable("not a regular file")
    }
    guard status.st_size <= limit else { throw .tooLarge(limit: limit) }
    let bytes = try readToEnd(of: file, expecting: Int(status.st_size), limit: limit)
    let before = FileIdentity(status)
    let isSame = fstat(file, &status) == 0 && FileIdentity(status) == before
    return LocalFile(
        bytes: bytes,
        identity: isSame && before.size == bytes.count && before.isSettled(at: now) ? before : nil)
}

/// The size is only a hint: the file may be growing, and those of /proc claim to be empty.
private func readToEnd(of file: Int32, expecting size: Int, limit: Int) throws(FetchError)
    -> [UInt8]
{
    var failure: Int32 = 0
    // Less than asked for only at the end. Not filled before, which would cost as much as reading.
    func chunk(_ capacity: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            while count < capacity {
                let got = read(file, buffer.baseAddress.map { $0 + count }, capacity - count)
                if got < 0, errno == EINTR { continue }
                if got < 0 { failure = errno }
                guard got > 0 else { return }
                count += got
            }
        }
    }
    // One byte more, so that the end shows itself without another chunk.
    var bytes = chunk(size + 1)
    var isAtEnd = bytes.count <= size
    while !isAtEnd, failure == 0, bytes.count <= limit {
        let capacity = max(4096, bytes.count)
        let more = chunk(capacity)
        bytes += more
        isAtEnd = more.count < capacity
    }
    guard failure == 0 else { throw fetchError(failure) }
    guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
    return bytes
}

private func fetchError(_ code: Int32) -> FetchError {
    switch code {
    case ENOENT, ENOTDIR, ENAMETOOLONG: .noSuchFile
    case EACCES, EPERM: .unreadable("permission denied")
    default: .unreadable(String(cString: strerror(code)))
    }
}
