import Basics
import Glibc

extension OpenFile {
    /// The whole file.
    var range: FileRange { FileRange(file: descriptor, start: 0, count: identity.size) }

    /// The file's first 4096 bytes.
    var head: [UInt8] { range.bytes(atMost: 4096) }
}

/// Unpacks all entries once into an unnamed file, for archives whose entries cannot be reached individually.
final class Unpacking {
    private(set) var file: OpenFile?
    private var count = 0

    /// The maximum number of bytes kept per archive.
    private static let maxBytes = 2 << 30

    /// Unpacks the stream's current entry, at most `limit` bytes.
    func add(_ stream: ArchiveStream, atMost limit: Int) throws(ArchiveError) -> FileRange {
        try add(stream, atMost: limit) { _ in true }
    }

    /// Unpacks the whole stream if it is a WARC file; throws otherwise.
    func web(_ stream: ArchiveStream) throws(ArchiveError) -> FileRange {
        var isFirst = true
        let range = try add(stream, atMost: Self.maxBytes) { chunk in
            defer { isFirst = false }
            return !isFirst || chunk.starts(with: "WARC/".utf8)
        }
        guard range.count > 0 else { throw .damaged("not a supported archive") }
        return range
    }

    private func add(
        _ stream: ArchiveStream, atMost limit: Int, _ isWanted: (UnsafeRawBufferPointer) -> Bool
    ) throws(ArchiveError) -> FileRange {
        let folder = temporaryFolder
        file = file ?? OpenFile(temporaryIn: folder)
        guard let file else { throw .system("\(folder): \(String(cString: strerror(errno)))") }
        let start = count
        try stream.read(atMost: limit) { chunk throws(ArchiveError) -> Bool in
            guard isWanted(chunk) else { return false }
            try write(chunk, to: file)
            return true
        }
        return FileRange(file: file.descriptor, start: start, count: count - start)
    }

    private func write(_ chunk: UnsafeRawBufferPointer, to file: OpenFile) throws(ArchiveError) {
        guard count + chunk.count <= Self.maxBytes else {
            throw .system("unpacked it would be larger than \(Self.maxBytes >> 20) MB")
        }
        let error = writeAll(chunk, to: file.descriptor)
        guard error == 0 else { throw .system(String(cString: strerror(error))) }
        count += chunk.count
    }
}
