/// The beginning of a body whose transfer broke off, and what it takes to ask for the rest.
///
/// RFC 9111, sections 3.3 and 3.4. Only of answers that name a strong validator, so that no two editions of a picture
/// are ever joined, and whose bytes are as they are sent: those of an encoding could not be continued.
struct Partial: Sendable {
    /// Beyond this, a part is worth a request of its own, in bytes.
    static let smallest = 2048

    /// The header fields of the answer that began it, names in lower case.
    var headers: [(name: String, value: String)]
    /// What there is.
    var body: [UInt8]
    /// The length of the whole; nil where the server has not told.
    var total: Int?
    /// What `If-Range` says.
    let validator: String

    /// Nil if the rest could not be asked for, or is not worth it.
    init?(headers: [(name: String, value: String)], body: [UInt8], total: Int?) {
        guard body.count >= Self.smallest, total.map({ body.count < $0 }) ?? true,
            Self.isPlain(headers), let validator = strongValidator(in: headers)
        else { return nil }
        self.headers = headers
        self.body = body
        self.total = total
        self.validator = validator
    }

    /// The header fields that ask for the rest: RFC 9110, sections 13.1.5 and 14.2.
    var request: [(name: String, value: String)] {
        [("Range", "bytes=\(body.count)-"), ("If-Range", validator)]
    }

    /// The part that `headers`, of a 206, go on with: from exactly here to exactly the end, of the same edition.
    func rest(in headers: [(name: String, value: String)]) -> ContentRange? {
        guard Self.isPlain(headers),
            let range = headers.first("content-range").flatMap(ContentRange.init),
            range.first == body.count, range.last == range.total - 1,
            total.map({ $0 == range.total }) ?? true, isSameEdition(headers)
        else { return nil }
        return range
    }

    /// The header fields of the whole: RFC 9111, section 3.4.
    func joinedHeaders(_ newer: [(name: String, value: String)]) -> [(name: String, value: String)]
    {
        // These describe the rest, not the whole.
        let ofThePart: Set = [
            "content-length", "content-range", "content-type", "transfer-encoding",
        ]
        let updates = newer.filter { !ofThePart.contains($0.name) }
        let names = Set(updates.map(\.name))
        return headers.filter { !names.contains($0.name) } + updates
    }

    /// A 206 has to repeat the entity tag (RFC 9110, section 15.3.7), but not the date.
    private func isSameEdition(_ newer: [(name: String, value: String)]) -> Bool {
        let tag = headers.first("etag")
        guard newer.first("etag") == tag else { return false }
        return tag != nil || newer.first("last-modified").map { $0 == validator } ?? true
    }

    /// Whether the body is what the validator stands for, byte by byte, and parts of it may be asked for.
    private static func isPlain(_ headers: [(name: String, value: String)]) -> Bool {
        let encoding = headers.first("content-encoding")?.lowercased() ?? "identity"
        return encoding == "identity" && headers.first("accept-ranges")?.lowercased() != "none"
    }
}

/// The entity tag unless it is weak; without one, a date of change that lies so long before the answer that nothing
/// can have changed in the same second: RFC 9110, section 8.8.2.2.
private func strongValidator(in headers: [(name: String, value: String)]) -> String? {
    if let tag = headers.first("etag") {
        let inner = tag.utf8.dropFirst().dropLast()
        let isStrong =
            tag.utf8.count >= 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"")
            && inner.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 < 0x7F }
        return isStrong ? tag : nil
    }
    guard let changed = headers.first("last-modified"),
        let changedAt = secondsSince1970(ofHTTPDate: changed),
        let sentAt = headers.first("date").flatMap(secondsSince1970(ofHTTPDate:)),
        sentAt - changedAt >= 60
    else { return nil }
    return changed
}

extension [(name: String, value: String)] {
    /// The first value of a header field, named in lower case.
    func first(_ name: String) -> String? {
        first { $0.name == name }?.value
    }
}
