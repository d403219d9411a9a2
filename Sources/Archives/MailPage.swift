import Basics

/// A page in MHTML (RFC 2557): a mail whose parts are the page and its resources.
struct MailPage {
    private(set) var copies: [WebCopy] = []

    private let bytes: [UInt8]

    /// Maximum number of parts; pages saved by browsers have some hundred.
    private static let maxParts = 20_000
    private static let maxDepth = 4
    /// The content type that the file's header must have.
    private static let type = "multipart/related"

    /// Returns whether a file that begins with `head` is a mail with related parts.
    static func isOne(_ head: [UInt8]) -> Bool {
        guard head.first.map({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "<") }) == true else {
            return false
        }
        let fields = FieldLines(head[...])
        return fields["mime-version"] != nil
            && FieldValue(fields["content-type"]).word == type
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
        let id = head["content-id"].map { "cid:" + $0.filter { $0 != "<" && $0 != ">" } }
        // Some parts are referenced by URL, others by content ID.
        let names = [head["content-location"], id].compactMap(\.self).filter { !$0.isEmpty }
        for location in names.isEmpty ? [""] : names {
            copies.append(
                WebCopy(
                    location: location, mediaType: type.mediaType, charset: type.charset,
                    start: body.lowerBound, count: body.count, encoding: encoding))
        }
    }

    /// Returns the ranges between lines that begin with `--boundary`.
    private func parts(of range: Range<Int>, _ boundary: String) -> [Range<Int>] {
        let mark = Array("--\(boundary)".utf8)
        var parts: [Range<Int>] = []
        var start: Int?
        var line = range.lowerBound
        while line < range.upperBound, parts.count < Self.maxParts {
            let feed = bytes[line..<range.upperBound].firstIndex(of: 0x0A) ?? range.upperBound
            if bytes[line..<feed].starts(with: mark) {
                if let start { parts.append(start..<max(start, Self.end(before: line, bytes))) }
                let isLast = bytes[line..<feed].dropFirst(mark.count).starts(with: "--".utf8)
                start = isLast ? nil : min(feed + 1, range.upperBound)
            }
            line = feed + 1
        }
        // The file is truncated before its last boundary.
        if let start, start < range.upperBound { parts.append(start..<range.upperBound) }
        return parts
    }

    /// Returns the end of a part: the line break before a boundary belongs to the boundary.
    private static func end(before line: Int, _ bytes: [UInt8]) -> Int {
        var end = line
        if end > 0, bytes[end - 1] == 0x0A { end -= 1 }
        if end > 0, bytes[end - 1] == 0x0D { end -= 1 }
        return end
    }
}
