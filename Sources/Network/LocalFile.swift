package import Archives
import Basics
import Glibc
import Pipeline

/// Reads a whole regular file of at most `limit` bytes, or only its beginning if `isReadInPlace` is true of that.
///
/// The open file is nil if it changed meanwhile, or so recently that a further change might go undetected. Blocks on the disk, but never on
/// a FIFO or device.
func readLocalFile(
    _ path: String, limit: Int, isReadInPlace: ([UInt8]) -> Bool
) throws(FetchError) -> (bytes: [UInt8], file: OpenFile?) {
    let now = realtimeNanoseconds()
    guard let file = OpenFile(path) else { throw FetchError(errno) }
    let size = file.identity.size
    let head = file.piece()
    if isReadInPlace(head) { return (head, file) }
    guard size <= limit else { throw .tooLarge(limit: limit) }
    let (bytes, error) = readToEnd(of: file.descriptor, expecting: size, limit: limit)
    guard error == 0 else { throw FetchError(error) }
    guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
    let isSame = bytes.count == size && file.identity.isSettled(at: now) && !file.hasChanged
    return (bytes, isSame ? file : nil)
}

extension FetchError {
    /// Creates the error for the errno of a local file or folder.
    package init(_ code: Int32) {
        self =
            switch code {
            case ENOENT, ENOTDIR, ENAMETOOLONG: .noSuchFile
            case EACCES, EPERM: .unreadable("permission denied")
            case EISDIR: .isFolder
            case EINVAL: .unreadable("not a regular file")
            default: .unreadable(systemReason(code))
            }
    }

    /// Creates the error for a failure to read an archive.
    package init(_ error: ArchiveError) {
        switch error {
        case .missing: self = .noSuchFile
        case .tooLarge(let limit): self = .tooLarge(limit: limit)
        default: self = .unreadable(error.description)
        }
    }
}

/// The hashes of local files as stored in the disk cache; blocks on the disk.
extension DiskCache {
    /// Returns the stored hash of the file at `path` if the file has not changed since.
    func hashOfFile(at path: String) -> ContentHash? {
        guard let identity = ArchiveCache.identity(of: path), let entry = read("file " + path),
            entry.metadata.value(of: "file") == identity.text
        else { return nil }
        return entry.metadata.value(of: "hash").flatMap { ContentHash(text: $0) }
    }

    /// Stores the hash of the file at `path`, which was `identity` when it was read.
    func note(_ hash: ContentHash, ofFileAt path: String, _ identity: FileIdentity) {
        let metadata = [("file", identity.text), ("hash", hash.text)]
        write(Entry(metadata: metadata, body: []), for: "file " + path)
    }
}
