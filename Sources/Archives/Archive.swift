import Basics
import Glibc
import Pipeline

/// A file that contains others: zip, tar, 7z, RAR, or a page saved with its pictures (MHTML, WARC).
///
/// The entries are listed when the archive is opened; their contents are read on demand, from any thread. Blocks on the disk.
public final class Archive: Sendable {
    /// A file in the archive.
    public struct Entry: Sendable {
        /// The unique path, without a leading slash and without steps that lead out of the archive.
        public var path: String
        /// The size in bytes, if known.
        public var byteCount: Int?
        /// The modification time in seconds since 1970.
        public var changed: Int?
        /// The URL it was fetched from, as recorded in the archive; nil unless this is a web archive.
        public var location: String?
        /// The media type in lower case; nil if none is recorded.
        public var mediaType: String?
        /// The `charset` parameter of the content type.
        public var charset: String?
    }

    /// The entries, in the archive's order.
    public let entries: [Entry]
    /// Whether this is an archive of responses from the web.
    public let isOfWeb: Bool
    /// The error that ended the list of entries early; nil if it is complete.
    public let failure: ArchiveError?

    /// Where to find the bytes of an entry.
    private enum Place {
        /// The index of its header.
        case number(Int)
        case range(FileRange)
        case copy(WebCopy, FileRange)
        case failed(ArchiveError)
    }

    private let file: OpenFile
    private let unpacked: OpenFile?
    private let places: [String: Place]
    private let limit: Int
    /// The streams read last, the latest first: getting to an entry takes a read for each one before it, and entries are mostly wanted in
    /// order.
    private let cursors = Locked<[Cursor]>([])

    /// A stream and the index of the header that it reads next.
    private struct Cursor: Sendable {
        let stream: ArchiveStream
        var next = 0
    }

    /// As many streams as are read at once; each holds the table of a zip archive.
    private static let maxCursors = 4
    private static let maxEntries = 50_000
    /// The maximum size in bytes of an MHTML file.
    private static let maxMail = 256 << 20

    /// Whether the file at `path` may be an archive, judged by its first bytes.
    public static func isOne(atPath path: String) -> Bool {
        OpenFile(path).map { ArchiveKind($0.head) != nil } ?? false
    }

    /// Whether the file at `path` may be a zip archive, which can be listed without reading its contents.
    public static func isZip(atPath path: String) -> Bool {
        OpenFile(path)?.head.starts(with: "PK".utf8) ?? false
    }

    /// Whether a file that begins with `head` may be an archive.
    public static func isOne(_ head: [UInt8]) -> Bool { ArchiveKind(head) != nil }

    /// Opens the archive at `path`; entries larger than `limit` bytes are not read.
    public init(path: String, limit: Int) throws(ArchiveError) {
        guard let file = OpenFile(path) else { throw .system(String(cString: strerror(errno))) }
        self.file = file
        self.limit = limit
        var content = Content()
        switch ArchiveKind(file.head) {
        case nil: throw .missing
        case .warc: content.add(WebRecords(file.range).copies, in: file.range)
        case .mhtml:
            guard file.range.count <= Self.maxMail else { throw .tooLarge(limit: Self.maxMail) }
            content.add(MailPage(file.range.bytes(atMost: Self.maxMail)).copies, in: file.range)
        case .files: try content.add(filesOf: file.range, limit: limit)
        case .compressed: try content.add(compressed: file.range, limit: limit)
        }
        (entries, places) = (content.entries, content.places)
        (isOfWeb, unpacked) = (content.isOfWeb, content.unpacked)
        failure = content.failure
        if let failure, entries.isEmpty { throw failure }
    }

    /// Returns the contents of the entry with that path.
    public func contents(of path: String) throws(ArchiveError) -> [UInt8] {
        switch places[path] {
        case nil: throw .missing
        case .failed(let error): throw error
        case .range(let range): return range.bytes(atMost: limit)
        case .copy(let copy, let range):
            // The encoded form is larger than the content.
            let bytes = range.bytes(at: copy.start, atMost: min(copy.count, limit * 2))
            return try copy.decoded(bytes, atMost: limit)
        case .number(let number): return try contents(ofEntry: number)
        }
    }

    /// Reads on from the nearest stream that has not passed the entry.
    private func contents(ofEntry number: Int) throws(ArchiveError) -> [UInt8] {
        let nearest = cursors.withLock { cursors in
            cursors.indices.filter { cursors[$0].next <= number }
                .max { cursors[$0].next < cursors[$1].next }.map { cursors.remove(at: $0) }
        }
        var cursor: Cursor
        if let nearest {
            cursor = nearest
        } else {
            cursor = Cursor(stream: try ArchiveStream(file.range))
        }
        while cursor.next < number {
            _ = try cursor.stream.next()
            cursor.next += 1
        }
        guard let header = try cursor.stream.next() else { throw .damaged("cut off") }
        if header.isEncrypted { throw .encrypted }
        let bytes = try cursor.stream.contents(atMost: limit)
        cursor.next += 1
        // Not after an error, which may leave a stream anywhere. What is surplus is freed outside of the lock.
        let surplus = cursors.withLock { [cursor] cursors in
            cursors.insert(cursor, at: 0)
            return cursors.count > Self.maxCursors ? cursors.removeLast() : nil
        }
        return withExtendedLifetime(surplus) { bytes }
    }

    /// The result of opening an archive.
    private struct Content {
        var entries: [Entry] = []
        var places: [String: Place] = [:]
        var isOfWeb = false
        var unpacked: OpenFile?
        /// The error that ended the listing early, or nil.
        var failure: ArchiveError?
        private var names = EntryNames()

        /// Adds copies; if an address was fetched several times, the first copy counts.
        mutating func add(_ copies: [WebCopy], in range: FileRange) {
            isOfWeb = true
            var seen: Set<String> = []
            for copy in copies where seen.insert(copy.location).inserted {
                let scheme = copy.location.prefix { $0 != ":" && $0 != "/" }
                let rest = copy.location.dropFirst(scheme.count)
                let name = rest.first == ":" ? rest.drop { ":/".contains($0) } : copy.location[...]
                guard let path = names.path(for: Array((name.isEmpty ? "page" : name).utf8)) else {
                    continue
                }
                places[path] = .copy(copy, range)
                entries.append(
                    Entry(
                        path: path, location: copy.location, mediaType: copy.mediaType,
                        charset: copy.charset))
            }
            if entries.isEmpty { failure = .damaged("nothing in it") }
        }

        /// Adds the entries that libarchive finds; unpacks all of them now if single entries cannot be reached.
        mutating func add(filesOf range: FileRange, limit: Int) throws(ArchiveError) {
            let stream = try ArchiveStream(range)
            add(stream, unpacking: { $0.isSeekable ? nil : Unpacking(of: range, limit: limit) })
        }

        mutating func add(compressed range: FileRange, limit: Int) throws(ArchiveError) {
            let stream = try ArchiveStream(range, .compressed)
            let unpacking = Unpacking(of: range, limit: limit)
            guard let header = try stream.next() else { throw .damaged("nothing in it") }
            guard stream.isRaw else {
                return add(stream, first: header, unpacking: { _ in unpacking })
            }
            let whole = try unpacking.web(stream)
            unpacked = unpacking.file
            add(WebRecords(whole).copies, in: whole)
        }

        private mutating func add(
            _ stream: ArchiveStream, first: ArchiveStream.Header? = nil,
            unpacking make: (ArchiveStream) -> Unpacking?
        ) {
            var unpacking: Unpacking?
            do throws(ArchiveError) {
                var next = first
                if next == nil { next = try stream.next() }
                // The format is known only after the first header has been read.
                unpacking = make(stream)
                var number = 0
                while let header = next, entries.count < Archive.maxEntries, number < 1 << 20 {
                    if header.isFile, let path = names.path(for: header.name) {
                        places[path] = try place(of: header, number, stream, unpacking)
                        entries.append(
                            Entry(path: path, byteCount: header.count, changed: header.changed))
                    }
                    number += 1
                    next = try stream.next()
                }
                if next != nil { failure = .system("it holds too many files") }
            } catch {
                failure = error
            }
            unpacked = unpacking?.file
            if entries.isEmpty, failure == nil { failure = .damaged("nothing in it") }
        }

        private func place(
            of header: ArchiveStream.Header, _ number: Int, _ stream: ArchiveStream,
            _ unpacking: Unpacking?
        ) throws(ArchiveError) -> Place {
            if header.isEncrypted { return .failed(.encrypted) }
            guard let unpacking else { return .number(number) }
            do throws(ArchiveError) {
                return .range(try unpacking.add(stream))
            } catch .system(let reason) {
                throw .system(reason)
            } catch {
                return .failed(error)
            }
        }
    }
}
