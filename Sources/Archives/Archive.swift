public import Basics
import CArchive
import Glibc

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
    /// Where addresses of the web are redirected to, as recorded.
    public let redirects: [String: String]
    /// The error that ended the list of entries early; nil if it is complete.
    public let failure: ArchiveError?

    /// Where to find the bytes of an entry.
    private enum Place {
        /// The index of its header.
        case number(Int)
        case range(FileRange)
        case copy(WebCopy, FileRange)
        /// Where in the archive, of which only the directory is here.
        case part(Range<Int>)
        case failed(ArchiveError)
    }

    /// What tells the archive of which only the directory is here from others at its address; nil for a whole one.
    public let version: String?
    /// Nil if only the directory is here.
    private let file: OpenFile?
    private let unpacked: OpenFile?
    private let isZip: Bool
    private let places: [String: Place]
    private let limit: Int
    /// The streams read last, the latest first: getting to an entry takes a read for each one before it, and entries are mostly wanted in
    /// order.
    private let cursors = Locked<[Cursor]>([])

    /// A stream and the index of the header that it reads next.
    private struct Cursor {
        let stream: ArchiveStream
        var next = 0
    }

    private let deadline: Deadline

    /// As many streams as are read at once; each holds the table of a zip archive.
    private static let maxCursors = 4
    private static let maxEntries = 50_000
    /// The maximum size in bytes of an MHTML file.
    private static let maxMail = 256 << 20

    /// Whether the file at `path` may be an archive, judged by its first bytes.
    public static func isOne(atPath path: String) -> Bool {
        isOne(OpenFile(path)?.piece() ?? [])
    }

    /// Whether a file that begins with `head` may be an archive.
    public static func isOne(_ head: [UInt8]) -> Bool { ArchiveKind(head) != nil }

    /// Opens the archive at `path`; entries larger than `limit` bytes are not read.
    ///
    /// Opening it, and reading an entry, may take `seconds` by `clock`; what was found until then is listed. Without `canUnpack`, throws
    /// unless all entries are listed by a directory at the file's end, as in most zip archives.
    public convenience init(
        path: String, limit: Int, canUnpack: Bool = true, seconds: Double = 30,
        clock: @escaping SecondsClock = { SteadyClock.now }
    ) throws(ArchiveError) {
        guard let file = OpenFile(path) else { throw .system(systemReason(errno)) }
        let kind = ArchiveKind(file.piece())
        guard canUnpack || kind == .zip else { throw .system("it has to be unpacked first") }
        var content = Content(limit: limit, deadline: Deadline(in: seconds, by: clock))
        switch kind {
        case nil: throw .missing
        case .warc: content.add(recordsIn: file.range)
        case .mhtml:
            guard file.range.count <= Self.maxMail else { throw .tooLarge(limit: Self.maxMail) }
            content.add(MHTMLParts(file.range.bytes(atMost: Self.maxMail)).copies, in: file.range)
        case .zip:
            do throws(ArchiveError) {
                try content.add(filesOf: file.range, .zip)
            } catch {
                guard canUnpack else { throw error }
                try content.add(filesOf: file.range, .zipWithoutDirectory)
            }
        case .files: try content.add(filesOf: file.range, .files)
        case .compressed(let filter):
            do throws(ArchiveError) {
                try content.add(filesOf: file.range, .compressed(filter))
            } catch {
                guard
                    (try? content.add(
                        filesOf: file.range.withoutLastMember, .compressed(filter))) != nil
                else { throw error }
                content.failure = error
            }
        }
        try self.init(content, of: file, isZip: kind == .zip)
    }

    /// Opens a zip archive of which only the directory is here, in a version of that name; its entries are read from their parts of it.
    convenience init(
        directory: [UInt8], version: String, limit: Int
    ) throws(ArchiveError) {
        var content = Content(limit: limit, deadline: Deadline(in: 30, by: { SteadyClock.now }))
        for file in ZipDirectory(in: directory)?.files.prefix(Self.maxEntries) ?? [] {
            guard let path = content.names.path(for: file.name, isInZip: true) else { continue }
            content.places[path] = .part(file.part)
            content.entries.append(
                Entry(path: path, byteCount: file.count, changed: file.changed))
        }
        try self.init(content, version: version)
    }

    private init(
        _ content: Content, of file: OpenFile? = nil, version: String? = nil, isZip: Bool = true
    ) throws(ArchiveError) {
        self.file = file
        self.version = version
        self.isZip = isZip
        deadline = content.deadline
        limit = content.limit
        entries = content.entries
        places = content.places
        isOfWeb = content.isOfWeb
        redirects = content.redirects
        unpacked = content.unpacking.file
        failure = content.failure
        if entries.isEmpty { throw failure ?? ArchiveError.damaged("nothing in it") }
    }

    /// Whether there is an entry with that path.
    func has(_ path: String) -> Bool { places[path] != nil }

    /// Returns the part of the archive with the entry with that path; nil if the archive is here.
    public func part(with path: String) -> Range<Int>? {
        if case .part(let range)? = places[path] { range } else { nil }
    }

    /// Returns the contents of an entry in the `part` that has it.
    public func contents(in part: [UInt8]) throws(ArchiveError) -> [UInt8] {
        // libarchive looks for the end of a file without its length this many bytes ahead.
        let input = ArchiveInput(part + [UInt8](repeating: 0, count: 24))
        let stream = try ArchiveStream(input, .zipWithoutDirectory, until: deadline.anew)
        guard try stream.next() != nil else { throw .damaged("cut off") }
        return try stream.contents(atMost: limit)
    }

    /// Returns the contents of the entry with that path, or at least its first bytes unless `isWhole`.
    public func contents(
        of path: String, isWhole: Bool = true
    ) throws(ArchiveError) -> [UInt8] {
        switch places[path] {
        case nil, .part: throw .missing
        case .failed(let error): throw error
        case .range(let range): return range.bytes(atMost: limit)
        case .copy(let copy, let range):
            // The encoded form is larger than the content.
            let bytes = range.bytes(at: copy.start, atMost: min(copy.count, limit * 2))
            return try copy.decoded(bytes, atMost: limit)
        case .number(let number): return try contents(ofEntry: number, isWhole)
        }
    }

    /// Reads on from the nearest stream that has not passed the entry.
    private func contents(
        ofEntry number: Int, _ isWhole: Bool
    ) throws(ArchiveError) -> [UInt8] {
        let nearest = cursors.withLock { cursors in
            cursors.indices.filter { cursors[$0].next <= number }
                .max { cursors[$0].next < cursors[$1].next }.map { cursors.remove(at: $0) }
        }
        var cursor: Cursor
        if let nearest {
            cursor = nearest
            cursor.stream.extend(to: deadline.anew)
        } else {
            guard let file else { throw .missing }
            cursor = Cursor(
                stream: try ArchiveStream(
                    ArchiveInput(file.range), isZip ? .zip : .files, until: deadline.anew))
        }
        while cursor.next < number {
            _ = try cursor.stream.next()
            cursor.next += 1
        }
        guard let header = try cursor.stream.next() else { throw .damaged("cut off") }
        if header.isEncrypted { throw .encrypted }
        let bytes = try cursor.stream.contents(atMost: limit, isWhole)
        cursor.next += 1
        // Not after an error, which may leave a stream anywhere. What is surplus is freed outside of the lock.
        _ = cursors.withLock { [cursor] cursors in
            cursors.insert(cursor, at: 0)
            return cursors.count > Self.maxCursors ? cursors.removeLast() : nil
        }
        return bytes
    }

    /// The result of opening an archive.
    private struct Content {
        let limit: Int
        let deadline: Deadline
        var entries: [Entry] = []
        var places: [String: Place] = [:]
        var isOfWeb = false
        var redirects: [String: String] = [:]
        let unpacking = Unpacking()
        /// The error that ended the listing early, or nil.
        var failure: ArchiveError?
        var names = EntryNames()

        mutating func add(recordsIn file: FileRange) {
            let records = WARCRecords(file)
            redirects = records.redirects
            add(records.copies, in: file)
        }

        /// Adds copies; if an address was fetched several times, the first copy counts.
        mutating func add(_ copies: [WebCopy], in range: FileRange) {
            isOfWeb = true
            var seen: Set<String> = []
            for copy in copies where seen.insert(copy.location).inserted {
                let (scheme, rest) = copy.location.halves(at: ":")
                let name = scheme.contains("/") ? copy.location : rest ?? copy.location
                guard let path = names.path(for: (name.isEmpty ? "page" : name).bytes) else {
                    continue
                }
                places[path] = .copy(copy, range)
                entries.append(
                    Entry(
                        path: path, location: copy.location, mediaType: copy.mediaType,
                        charset: copy.charset))
            }
        }

        /// Adds the entries that libarchive finds, of which there must be one; unpacks all of them now if single entries cannot be reached.
        mutating func add(
            filesOf range: FileRange, _ form: ArchiveStream.Form
        ) throws(ArchiveError) {
            let stream = try ArchiveStream(ArchiveInput(range), form, until: deadline)
            guard var header = try stream.next() else { throw .damaged("nothing in it") }
            if stream.isRaw {
                let (whole, error) = try unpacking.web(stream)
                failure = error
                return add(recordsIn: whole)
            }
            do throws(ArchiveError) {
                for number in 0... {
                    if header.isFile,
                        let path = names.path(for: header.name, isInZip: stream.isZip)
                    {
                        places[path] = try place(of: header, number, stream)
                        entries.append(
                            Entry(path: path, byteCount: header.count, changed: header.changed))
                    }
                    guard let next = try stream.next() else { break }
                    guard entries.count < Archive.maxEntries, number < 1 << 20 else {
                        throw .system("it holds too many files")
                    }
                    header = next
                }
            } catch {
                failure = error
            }
        }

        private func place(
            of header: ArchiveStream.Header, _ number: Int, _ stream: ArchiveStream
        ) throws(ArchiveError) -> Place {
            if header.isEncrypted { return .failed(.encrypted) }
            if stream.isSeekable { return .number(number) }
            do throws(ArchiveError) {
                return .range(try unpacking.add(stream, atMost: limit))
            } catch .system(let reason) {
                throw .system(reason)
            } catch {
                return .failed(error)
            }
        }
    }
}

/// Why something in an archive cannot be read; the description is one line in plain language.
public enum ArchiveError: Error, Hashable, CustomStringConvertible {
    /// There is no such entry, it is not a file, or the file is not an archive.
    case missing
    /// A password is needed.
    case encrypted
    /// The archive is damaged, for the given reason.
    case damaged(String)
    /// The content is larger than the limit in bytes.
    case tooLarge(limit: Int)
    /// A system call failed, for the given reason.
    case system(String)

    /// The reason in plain language.
    public var description: String {
        switch self {
        case .missing: "no such file"
        case .encrypted: "encrypted in its archive"
        case .damaged(let reason): "a damaged archive: \(reason)"
        case .tooLarge(let limit): "larger than the \(limit >> 20) MB allowed"
        case .system(let reason): reason
        }
    }
}

/// The kind of an archive, determined by its first bytes, never by its name.
enum ArchiveKind: Equatable {
    case zip
    /// tar, 7z, RAR: read by libarchive, as zip is.
    case files
    /// gzip, bzip2, xz, lzip or zstd, by libarchive's number, with any content.
    case compressed(Int32)
    case mhtml
    case warc

    private static let marks: [([UInt8], ArchiveKind)] = [
        ("PK\u{3}\u{4}".bytes, .zip), ("PK\u{5}\u{6}".bytes, .zip),
        ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], .files), ("Rar!\u{1A}\u{7}".bytes, .files),
        ([0x1F, 0x8B, 0x08], .compressed(ARCHIVE_FILTER_GZIP)),
        ("BZh".bytes, .compressed(ARCHIVE_FILTER_BZIP2)),
        ("LZIP".bytes, .compressed(ARCHIVE_FILTER_LZIP)),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], .compressed(ARCHIVE_FILTER_XZ)),
        ([0x28, 0xB5, 0x2F, 0xFD], .compressed(ARCHIVE_FILTER_ZSTD)),
        ("WARC/".bytes, .warc),
    ]

    /// Detects the kind; nil if it is not one of these; `head` is the file's first kilobytes.
    init?(_ head: [UInt8]) {
        if let mark = Self.marks.first(where: { head.starts(with: $0.0) }) {
            self = mark.1
        } else if Self.isTar(head) {
            self = .files
        } else if MHTMLParts.isOne(head) {
            self = .mhtml
        } else {
            return nil
        }
    }

    /// Whether a file begins with a header of tar, which holds the sum of its own bytes in octal digits; those of the sum count as blanks.
    private static func isTar(_ head: [UInt8]) -> Bool {
        guard head.count >= 512 else { return false }
        let digits = head[148..<156].filter { "0"..."7" ~= $0 }
        return (head[..<148] + head[156..<512]).reduce(256) { $0 + Int($1) }
            == Int(String(utf8: digits), radix: 8)
    }
}

/// Turns the names of an archive's entries into paths: unique, without steps that lead out, and without losing an entry.
struct EntryNames {
    private var taken: [String: Int] = [:]

    /// Maximum depth of folders, the same as for local folders.
    private static let maxDepth = 64
    /// The longest path on Linux, in bytes.
    private static let maxBytes = 4096
    /// The upper half of code page 437, which the format of zip names.
    private static let lettersOfDOS = Array(
        """
        ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧\
        ╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}
        """.unicodeScalars)

    /// Returns the path for an entry of that name; nil if the name is unusable.
    ///
    /// Invalid UTF-8 is decoded as Latin-1, in zip as what DOS had: some letters may be wrong, but none is lost.
    mutating func path(for name: [UInt8], isInZip: Bool = false) -> String? {
        guard name.count <= Self.maxBytes else { return nil }
        let text =
            String(validating: name, as: UTF8.self)
            ?? String(
                String.UnicodeScalarView(
                    name.map {
                        isInZip && $0 >= 0x80
                            ? Self.lettersOfDOS[Int($0) - 0x80] : Unicode.Scalar($0)
                    }))
        let steps = text.utf8.split(separator: "/").map { step in
            String(utf8: step).withoutControls
        }.filter { !["", ".", ".."].contains($0) }
        guard !steps.isEmpty, steps.count <= Self.maxDepth else { return nil }
        return unique(steps.joined(separator: "/"))
    }

    /// Makes the path unique: `a.jpg`, then `a (2).jpg`.
    private mutating func unique(_ path: String) -> String {
        var other = path
        var number = taken[path] ?? 1
        while taken[other] != nil {
            number += 1
            other = path.numbered(number)
        }
        taken[path] = number
        taken[other] = 1
        return other
    }
}
