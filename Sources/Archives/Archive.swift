import Basics
import Glibc

/// A file that holds others: zip, tar, 7z, RAR, or a page with its pictures (MHTML, WARC).
///
/// Its entries are listed when it is opened; what is in them is read when it is asked for, by any thread. Blocks on the disk.
public final class Archive: Sendable {
    /// A file in it.
    public struct Entry: Sendable {
        /// Its path, each once, without a slash in front and without steps out of the archive.
        public var path: String
        /// Bytes, where they are known.
        public var byteCount: Int?
        /// Seconds since 1970.
        public var changed: Int?
        /// Where it was fetched from, as the archive has it; nil unless it is one of the web.
        public var location: String?
        /// In lower case; nil where none is stated.
        public var mediaType: String?
        /// The `charset` parameter of the content type.
        public var charset: String?
    }

    /// In the archive's order.
    public let entries: [Entry]
    /// Whether it keeps what was fetched from the web.
    public let isOfWeb: Bool

    /// How to come by the bytes of an entry.
    private enum Place {
        /// The number of its header.
        case number(Int)
        case range(FileRange)
        case copy(WebCopy, FileRange)
        case failed(ArchiveError)
    }

    private let file: OpenFile
    private let unpacked: OpenFile?
    private let places: [String: Place]
    private let limit: Int

    private static let maxEntries = 50_000
    /// Bytes of a mail that are read.
    private static let maxMail = 256 << 20

    /// Whether the file at `path` may be one, by its first bytes.
    public static func isOne(atPath path: String) -> Bool {
        OpenFile(path).map { ArchiveKind($0.head) != nil } ?? false
    }

    /// Whether the file at `path` may be a zip archive, which is listed without reading what is in it.
    public static func isZip(atPath path: String) -> Bool {
        OpenFile(path)?.head.starts(with: "PK".utf8) ?? false
    }

    /// Whether a file that begins with `head` may be one.
    public static func isOne(_ head: [UInt8]) -> Bool { ArchiveKind(head) != nil }

    /// Opens the archive at `path`; no entry of more than `limit` bytes is read.
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
        if let failure = content.failure, entries.isEmpty { throw failure }
    }

    /// The bytes of the entry with that path.
    public func contents(of path: String) throws(ArchiveError) -> [UInt8] {
        switch places[path] {
        case nil: throw .missing
        case .failed(let error): throw error
        case .range(let range): return range.bytes(atMost: limit)
        case .copy(let copy, let range):
            // What is encoded takes more room.
            let bytes = range.bytes(at: copy.start, atMost: min(copy.count, limit * 2))
            return try copy.decoded(bytes, atMost: limit)
        case .number(let number):
            let stream = try ArchiveStream(file.range)
            for _ in 0..<number { _ = try stream.next() }
            guard let header = try stream.next() else { throw .damaged("cut off") }
            if header.isEncrypted { throw .encrypted }
            return try stream.contents(atMost: limit)
        }
    }

    /// What opening it finds.
    private struct Content {
        var entries: [Entry] = []
        var places: [String: Place] = [:]
        var isOfWeb = false
        var unpacked: OpenFile?
        /// Why there may be no more of them.
        var failure: ArchiveError?
        private var names = EntryNames()

        /// Adds copies; of an address that was fetched several times the first counts.
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

        /// Adds what libarchive finds; where nothing can be reached by itself, all is unpacked now.
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
                // Only now its format is known.
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
