import Basics

/// The beginning of a body whose transfer broke off, and what is needed to request the rest.
///
/// RFC 9111, sections 3.3 and 3.4. Only for responses with a strong validator, so that no two versions of a picture are ever joined, and
/// without content encoding, whose bytes could not be continued.
struct PartialBody: Sendable {
    /// The length in bytes from which a part is worth a request of its own.
    static let smallest = 2048

    /// The header fields of the response that began the body.
    let headers: HeaderFields
    let body: [UInt8]
    /// The total length; nil if the server has not stated it.
    let total: Int?
    /// The value of `If-Range`.
    let validator: String

    /// Creates a partial body; nil if the rest cannot be requested, or is not worth it.
    init?(headers: HeaderFields, body: [UInt8], total: Int?) {
        guard body.count >= Self.smallest, body.count < total ?? .max,
            Self.isPlain(headers), let validator = strongValidator(in: headers)
        else { return nil }
        self.headers = headers
        self.body = body
        self.total = total
        self.validator = validator
    }

    /// The header fields that request the rest (RFC 9110, sections 13.1.5 and 14.2).
    var request: HeaderFields { [("Range", "bytes=\(body.count)-"), ("If-Range", validator)] }

    /// Returns the range of a 206 with `headers` if it is exactly the rest of the same version; nil otherwise.
    func rest(in headers: HeaderFields) -> ContentRange? {
        guard Self.isPlain(headers),
            let range = headers.contentRange,
            range.first == body.count, range.last == range.total - 1,
            total ?? range.total == range.total, isSameVersion(headers)
        else { return nil }
        return range
    }

    /// Compares validators; a 206 must repeat the entity tag (RFC 9110, section 15.3.7), but not the date.
    private func isSameVersion(_ newer: HeaderFields) -> Bool {
        let tag = headers["etag"]
        guard newer["etag"] == tag else { return false }
        return tag != nil || newer["last-modified"] ?? validator == validator
    }

    /// Whether the validator identifies the body byte by byte, and range requests are accepted.
    private static func isPlain(_ headers: HeaderFields) -> Bool {
        !headers.isEncoded && headers["accept-ranges"]?.lowercased() != "none"
    }
}

/// Returns the entity tag unless it is weak; if there is none, a modification date so long before the response that nothing can have
/// changed within the same second (RFC 9110, section 8.8.2.2).
private func strongValidator(in headers: HeaderFields) -> String? {
    if let tag = headers["etag"] {
        let inner = tag.utf8.dropFirst().dropLast()
        let isStrong =
            tag.utf8.count >= 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"")
            && inner.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 < 0x7F }
        return isStrong ? tag : nil
    }
    guard let changed = headers["last-modified"],
        let changedAt = secondsSince1970(ofHTTPDate: changed),
        let sentAt = headers.date("date"),
        sentAt - changedAt >= 60
    else { return nil }
    return changed
}

/// Partial bodies, within a budget; the least recently stored is evicted first.
///
/// Not stored on disk, which would require writing for every cancelled thumbnail: users return within seconds.
struct PartialStore {
    /// The budget in bytes: an almost complete large photograph, or a screen of thumbnails.
    static let capacity = 16 << 20
    /// Few enough for a linear search, and for adding up their sizes.
    static let maxEntries = 64

    private var entries: [(key: Request, partial: PartialBody)] = []

    var count: Int { entries.count }
    var byteCount: Int { entries.reduce(0) { $0 + $1.partial.body.count } }

    mutating func keep(_ partial: PartialBody, for key: Request) {
        _ = take(key)
        guard partial.body.count <= Self.capacity else { return }
        entries.append((key, partial))
        while byteCount > Self.capacity || count > Self.maxEntries { entries.removeFirst() }
    }

    /// Removes and returns a part, as two transfers must not both resume it.
    mutating func take(_ key: Request) -> PartialBody? {
        entries.firstIndex { $0.key == key }.map { entries.remove(at: $0).partial }
    }
}
