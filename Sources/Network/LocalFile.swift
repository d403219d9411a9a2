import Basics
import Glibc

/// Reads a whole regular file of at most `limit` bytes; blocks for the disk, never for a FIFO or a device.
///
/// The identity is what it was when it was read; nil if it changed meanwhile, or so lately that a further change might not show.
func contentsOfFile(
    at path: String, limit: Int
) throws(FetchError) -> (bytes: [UInt8], identity: FileIdentity?) {
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
    let (bytes, error) = readToEnd(of: file, expecting: Int(status.st_size), limit: limit)
    guard error == 0 else { throw fetchError(error) }
    guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
    let before = FileIdentity(status)
    let isSame = fstat(file, &status) == 0 && FileIdentity(status) == before
    let isKnown = isSame && before.size == bytes.count && before.isSettled(at: now)
    return (bytes, isKnown ? before : nil)
}

private func fetchError(_ code: Int32) -> FetchError {
    switch code {
    case ENOENT, ENOTDIR, ENAMETOOLONG: .noSuchFile
    case EACCES, EPERM: .unreadable("permission denied")
    default: .unreadable(String(cString: strerror(code)))
    }
}
