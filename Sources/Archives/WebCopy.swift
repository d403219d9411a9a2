import Basics
import CArchive

/// The copy of a web resource in an archive.
struct WebCopy {
    /// The encoding of the bytes in the archive.
    enum Encoding {
        case plain, base64, quotedPrintable
        /// HTTP's chunked transfer coding.
        case chunked
    }

    /// The address as recorded in the archive, usually an absolute URL.
    var location: String
    /// The media type in lower case, without parameters; nil if none is recorded.
    var mediaType: String?
    var charset: String?
    /// The offset of the bytes from the start of the archive.
    var start: Int
    var count: Int
    var encoding = Encoding.plain
    /// The Content-Encoding in lower case; empty if there is none.
    var compression = ""

    /// Returns the content with its encodings removed.
    func decoded(_ bytes: [UInt8], atMost limit: Int) throws(ArchiveError) -> [UInt8] {
        let plain =
            switch encoding {
            case .plain: bytes
            case .base64: Self.base64(bytes)
            case .quotedPrintable: Self.quotedPrintable(bytes)
            case .chunked: Self.joined(bytes)
            }
        guard ["", "identity", "gzip", "x-gzip"].contains(compression) else {
            throw .damaged("compressed as \(compression), which is not supported")
        }
        // Some archives store decompressed content with its original header.
        guard compression.hasSuffix("gzip"), plain.starts(with: [0x1F, 0x8B]) else {
            guard plain.count <= limit else { throw .tooLarge(limit: limit) }
            return plain
        }
        return try unzipped(plain, atMost: limit)
    }

    private static func base64(_ bytes: [UInt8]) -> [UInt8] {
        var decoded: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        decoded.reserveCapacity(bytes.count / 4 * 3)
        for byte in bytes {
            let value: UInt8
            switch byte {
            case "A"..."Z": value = byte - "A"
            case "a"..."z": value = byte - "a" + 26
            case "0"..."9": value = byte - "0" + 52
            case "+": value = 62
            case "/": value = 63
            case "=": return decoded
            default: continue
            }
            bits = bits << 6 | UInt32(value)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            decoded.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return decoded
    }

    /// Decodes quoted-printable (RFC 2045, section 6.7): `=3D`, and `=` at the end of a line that continues.
    private static func quotedPrintable(_ bytes: [UInt8]) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var at = 0
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            guard byte == "=" else {
                decoded.append(byte)
                continue
            }
            if let value = PercentEncoding.byte(ofDigitsAt: at, in: bytes) {
                decoded.append(value)
                at += 2
            } else {
                skipBreak(in: bytes, at: &at)
            }
        }
        return decoded
    }

    /// Advances past a line break, if there is one.
    private static func skipBreak(in bytes: [UInt8], at place: inout Int) {
        for byte: UInt8 in [0x0D, 0x0A] where place < bytes.count && bytes[place] == byte {
            place += 1
        }
    }

    /// Joins HTTP chunks (RFC 9112, section 7.1), up to the first malformed one.
    private static func joined(_ bytes: [UInt8]) -> [UInt8] {
        var joined: [UInt8] = []
        var at = 0
        while let feed = bytes[at...].prefix(1024).firstIndex(of: 0x0A) {
            // Some servers pad the size with blanks.
            let digits = bytes[at..<feed].prefix { $0 > 0x20 && $0 != ";" }
            let count = Int(String(utf8: digits), radix: 16)
            if count == 0 { return joined }
            guard let count, (1...bytes.count).contains(count) else { break }
            let end = min(feed + 1 + count, bytes.count)
            joined += bytes[(feed + 1)..<end]
            at = end
            skipBreak(in: bytes, at: &at)
        }
        // Some archives join the chunks but keep the original header.
        return joined.isEmpty ? bytes : joined
    }
}

/// Returns what a gzip file holds; throws if it is damaged, or holds more than `limit` bytes.
public func unzipped(_ bytes: [UInt8], atMost limit: Int) throws(ArchiveError) -> [UInt8] {
    let stream = try ArchiveStream(ArchiveInput(bytes), .compressed(ARCHIVE_FILTER_GZIP))
    guard try stream.next() != nil else { throw .damaged("nothing in it") }
    return try stream.contents(atMost: limit)
}

/// The web resources in a WARC file (https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/).
struct WARCRecords {
    var copies: [WebCopy] = []
    /// Where addresses are redirected to.
    var redirects: [String: String] = [:]
    /// The indices of copies by their addresses, the IDs of their records and the digests of their contents.
    private var known: [String: Int] = [:]

    private let file: FileRange

    private static let maxRecords = 200_000

    /// Reads the headers of all records, up to the first malformed one.
    init(_ file: FileRange) {
        self.file = file
        var at = 0
        for _ in 0..<Self.maxRecords {
            guard let next = record(at: at), next > at else { return }
            at = next
        }
    }

    /// Notes the copy in the record at `start`, and returns the offset of the next record.
    private mutating func record(at start: Int) -> Int? {
        let bytes = file.bytes(at: start, atMost: FieldLines.maxBytes)
        // Each record ends with two line breaks, one of which some writers omit.
        let blanks = bytes.prefix { $0 == 0x0D || $0 == 0x0A }.count
        guard bytes[blanks...].starts(with: "WARC/".utf8) else { return nil }
        let head = FieldLines(bytes[blanks...])
        guard let headCount = head.count,
            let count = head["content-length"].flatMap({ Int(bounded: $0) }), count >= 0
        else { return nil }
        let body = start + blanks + headCount
        guard count <= file.count - body else { return nil }
        if let location = head["warc-target-uri"] {
            // Early writers put the URI in angle brackets.
            note(head, location.filter { !"<>".contains($0) }, body..<body + count)
        }
        return body + count
    }

    private mutating func note(_ head: FieldLines, _ location: String, _ range: Range<Int>) {
        var copy = WebCopy(
            location: location, mediaType: FieldValue(head["content-type"]).mediaType,
            start: range.lowerBound, count: range.count)
        switch head["warc-type"]?.lowercased() {
        case "resource", "conversion": break
        case "revisit":
            // What had been stored before is not stored again.
            let first = ["warc-refers-to-target-uri", "warc-refers-to", "warc-payload-digest"]
                .compactMap { head[$0].flatMap { known[$0] } }.first
            guard let first else { return }
            copy = copies[first]
            copy.location = location
        case "response":
            guard location.lowercased().hasPrefix("http"),
                let (status, answer, count) = answer(at: range)
            else { return }
            if status.first == "3" { redirects[location] = answer["location"] }
            guard status.starts(with: "200".utf8) else { return }
            let type = FieldValue(answer["content-type"])
            copy.mediaType = type.mediaType
            copy.charset = type.charset
            copy.compression = FieldValue(answer["content-encoding"]).word
            if FieldValue(answer["transfer-encoding"]).word == "chunked" {
                copy.encoding = .chunked
            }
            copy.start += count
            copy.count -= count
        default: return
        }
        for name in ["warc-target-uri", "warc-record-id", "warc-payload-digest"] {
            head[name].map { known[$0] = known[$0] ?? copies.count }
        }
        copies.append(copy)
    }

    /// Returns the status of an HTTP response, its header, and the length of both; nil for anything else.
    private func answer(at range: Range<Int>) -> (ArraySlice<UInt8>, FieldLines, Int)? {
        let bytes = file.bytes(
            at: range.lowerBound, atMost: min(range.count, FieldLines.maxBytes))
        let words = bytes.prefix(64).split(separator: 0x20, maxSplits: 2)
        guard words.count >= 2, words[0].starts(with: "HTTP/".utf8) else { return nil }
        let head = FieldLines(bytes[...])
        return head.count.map { (words[1], head, $0) }
    }
}

/// A page in MHTML (RFC 2557): a mail whose parts are the page and its resources.
struct MHTMLParts {
    var copies: [WebCopy] = []

    private let bytes: [UInt8]

    /// Maximum number of parts; pages saved by browsers have some hundred.
    private static let maxParts = 20_000
    private static let maxDepth = 4

    /// Returns whether a file that begins with `head` is a mail with related parts.
    static func isOne(_ head: [UInt8]) -> Bool {
        // A page about mail is none.
        guard head.first != "<" else { return false }
        let fields = FieldLines(head[...])
        return fields["mime-version"] != nil
            && FieldValue(fields["content-type"]).word == "multipart/related"
    }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        read(0..<bytes.count, depth: 0)
    }

    private mutating func read(_ range: Range<Int>, depth: Int) {
        let head = FieldLines(bytes[range])
        guard let length = head.count, copies.count < Self.maxParts else { return }
        let body = range.lowerBound + length..<range.upperBound
        let type = FieldValue(head["content-type"])
        if type.word.hasPrefix("multipart/"), depth < Self.maxDepth {
            guard let boundary = type["boundary"], !boundary.isEmpty else { return }
            return parts(of: body, boundary).forEach { read($0, depth: depth + 1) }
        }
        let encoding: WebCopy.Encoding =
            switch FieldValue(head["content-transfer-encoding"]).word {
            case "base64": .base64
            case "quoted-printable": .quotedPrintable
            default: .plain
            }
        let id = head["content-id"].map { "cid:" + $0.filter { !"<>".contains($0) } }
        // Some parts are referenced by URL, others by content ID.
        let names = nonNil(head["content-location"], id).nonEmpty
        for location in names.isEmpty ? [""] : names {
            copies.append(
                WebCopy(
                    location: location, mediaType: type.mediaType, charset: type.charset,
                    start: body.lowerBound, count: body.count, encoding: encoding))
        }
    }

    /// Returns the ranges between lines that begin with `--boundary`.
    private func parts(of range: Range<Int>, _ boundary: String) -> [Range<Int>] {
        let mark = "--\(boundary)".bytes
        var parts: [Range<Int>] = []
        var start: Int?
        var line = range.lowerBound
        while line < range.upperBound, parts.count < Self.maxParts {
            let feed = bytes[line..<range.upperBound].firstIndex(of: 0x0A) ?? range.upperBound
            if bytes[line..<feed].starts(with: mark) {
                if let start {
                    // The line break before a boundary belongs to the boundary.
                    var part = bytes[start..<line]
                    for byte: UInt8 in [0x0A, 0x0D] where part.last == byte {
                        part = part.dropLast()
                    }
                    parts.append(part.indices)
                }
                let isLast = bytes[line..<feed].dropFirst(mark.count).starts(with: "--".utf8)
                start = isLast ? nil : min(feed + 1, range.upperBound)
            }
            line = feed + 1
        }
        // The file is truncated before its last boundary.
        if let start, start < range.upperBound { parts.append(start..<range.upperBound) }
        return parts
    }
}

/// The `Name: value` lines of a mail, HTTP or WARC header, up to the empty line; folded lines are joined.
struct FieldLines {
    /// The fields, with names in lower case.
    private var fields: HeaderFields = []
    /// The length of the header in bytes, including the empty line; nil if that was not found.
    var count: Int?

    /// Maximum length in bytes; anything longer is not taken for a header.
    static let maxBytes = 64 << 10
    private static let maxFields = 200

    /// Parses from the start of `bytes`.
    init(_ bytes: ArraySlice<UInt8>) {
        var at = bytes.startIndex
        let end = min(bytes.endIndex, at + Self.maxBytes)
        while at < end, let feed = bytes[at..<end].firstIndex(of: 0x0A) {
            var line = bytes[at..<feed]
            if line.last == 0x0D { line.removeLast() }
            at = feed + 1
            if line.isEmpty {
                count = at - bytes.startIndex
                return
            }
            let isFolded = line.first == 0x20 || line.first == 0x09
            if isFolded, !fields.isEmpty {
                fields[fields.count - 1].value += " " + line.withUnsafeBytes(fieldText)
            } else if fields.count < Self.maxFields, let field = line.withUnsafeBytes(headerField) {
                fields.append(field)
            }
        }
    }

    /// The first field with that name.
    subscript(name: String) -> String? { fields[name] }
}
