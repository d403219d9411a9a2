import Basics

/// The web resources in a WARC file (https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/).
struct WebRecords {
    private(set) var copies: [WebCopy] = []

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
        if let location = head["warc-target-uri"] {
            // Early writers put the URI in angle brackets.
            note(head, location.filter { $0 != "<" && $0 != ">" }, body..<body + count)
        }
        return body + count
    }

    private mutating func note(_ head: FieldLines, _ location: String, _ range: Range<Int>) {
        var copy = WebCopy(
            location: location, mediaType: FieldValue(head["content-type"]).mediaType, charset: nil,
            start: range.lowerBound, count: range.count, encoding: .plain)
        switch head["warc-type"]?.lowercased() {
        case "resource": break
        case "response":
            guard location.lowercased().hasPrefix("http"),
                let (answer, count) = answer(at: range)
            else { return }
            let type = FieldValue(answer["content-type"])
            (copy.mediaType, copy.charset) = (type.mediaType, type.charset)
            copy.compression = FieldValue(answer["content-encoding"]).word
            if FieldValue(answer["transfer-encoding"]).word == "chunked" {
                copy.encoding = .chunked
            }
            copy.start += count
            copy.count -= count
        default: return
        }
        copies.append(copy)
    }

    /// Returns the header of a successful HTTP response and its length; nil for any other response.
    private func answer(at range: Range<Int>) -> (FieldLines, Int)? {
        let bytes = file.bytes(
            at: range.lowerBound, atMost: min(range.count, FieldLines.maxBytes))
        let words = bytes.prefix(64).split(separator: 0x20, maxSplits: 2)
        guard words.count >= 2, words[0].starts(with: "HTTP/".utf8),
            words[1].starts(with: "200".utf8)
        else { return nil }
        let head = FieldLines(bytes[...])
        return head.count.map { (head, $0) }
    }
}
