import Basics
import Glibc

/// A regular file, open for as long as this exists.
final class OpenFile: Sendable {
    let descriptor: Int32
    private let size: Int

    /// Nil, with `errno`, for what is not a file; never waits for a FIFO or device.
    init?(_ path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            errno = EINVAL
            return nil
        }
        size = Int(status.st_size)
    }

    /// A new file without a name in the folder for such.
    init(temporary: Void) throws(ArchiveError) {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array((folder + "/halftone-XXXXXX").utf8CString)
        descriptor = mkstemp(&template)
        size = 0
        guard descriptor >= 0 else {
            throw .system("\(folder): \(String(cString: strerror(errno)))")
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(template)
    }

    deinit { close(descriptor) }

    /// All of it.
    var range: FileRange { FileRange(file: descriptor, start: 0, count: size) }

    /// Its first kilobytes.
    var head: [UInt8] { range.bytes(atMost: 4096) }
}

/// Unpacks entries that could only be reached through all before them, once, into a file without a name.
final class Unpacking {
    private(set) var file: OpenFile?
    private var count = 0
    private let most: Int
    private let limit: Int

    /// Bytes that one archive may take on the disk.
    private static let maxBytes = 2 << 30
    /// What is packed tighter holds nothing that is worth its room: pictures are compressed themselves.
    private static let maxRatio = 100
    private static let freeBytes = 64 << 20

    init(of range: FileRange, limit: Int) {
        most = min(
            Self.maxBytes,
            Self.freeBytes + range.count.multipliedReportingOverflow(by: Self.maxRatio).partialValue
        )
        self.limit = limit
    }

    /// The data of the stream's entry, at most `limit` bytes.
    func add(_ stream: ArchiveStream) throws(ArchiveError) -> FileRange {
        try add(stream, atMost: limit) { _ in true }
    }

    /// All that the stream holds if it is a WARC file.
    func web(_ stream: ArchiveStream) throws(ArchiveError) -> FileRange {
        var isFirst = true
        let range = try add(stream, atMost: Self.maxBytes) { chunk in
            defer { isFirst = false }
            return !isFirst || chunk.starts(with: "WARC/".utf8)
        }
        guard range.count > 0 else { throw .damaged("it holds no archive that is read") }
        return range
    }

    private func add(
        _ stream: ArchiveStream, atMost limit: Int, _ isWanted: (UnsafeRawBufferPointer) -> Bool
    ) throws(ArchiveError) -> FileRange {
        let file = if let file = self.file { file } else { try OpenFile(temporary: ()) }
        self.file = file
        let start = count
        try stream.read(atMost: limit) { chunk throws(ArchiveError) -> Bool in
            guard isWanted(chunk) else { return false }
            try write(chunk, to: file)
            return true
        }
        return FileRange(file: file.descriptor, start: start, count: count - start)
    }

    private func write(_ chunk: UnsafeRawBufferPointer, to file: OpenFile) throws(ArchiveError) {
        guard count + chunk.count <= most else {
            throw .system("unpacked it would be larger than \(most >> 20) MB")
        }
        let error = writeAll(chunk, to: file.descriptor)
        guard error == 0 else { throw .system(String(cString: strerror(error))) }
        count += chunk.count
    }
}
