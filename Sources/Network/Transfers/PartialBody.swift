import Basics

/// The beginning of a body whose transfer broke off, and what it takes to ask for the rest.
///
/// RFC 9111, sections 3.3 and 3.4. Only of answers that name a strong validator, so that no two versions of a picture
/// are ever joined, and whose bytes are as they are sent: those of an encoding could not be continued.
struct PartialBody: Sendable {
    /// Beyond this, a part is worth a request of its own, in bytes.
    static let smallest = 2048

    /// Of the answer that began it.
    let headers: HeaderFields
    let body: [UInt8]
    /// The length of the whole; nil where the server has not told.
    let total: Int?
    /// What `If-Range` says.
    let validator: String

    /// Nil if the rest could not be asked for, or is not worth it.
    init?(headers: HeaderFields, body: [UInt8], total: Int?) {
        guard body.count >= Self.smallest, total.map({ body.count < $0 }) ?? true,
            Self.isPlain(headers), let validator = strongValidator(in: headers)
        else { return nil }
        self.headers = headers
        self.body = body
        self.total = total
        self.validator = validator
    }

    /// The header fields that ask for the rest: RFC 9110, sections 13.1.5 and 14.2.
    var request: HeaderFields { [("Range", "bytes=\(body.count)-"), ("If-Range", validator)] }

    /// What a 206 with `headers` carries, if it goes on with this: from exactly here to exactly the end, of the same version.
    func rest(in headers: HeaderFields) -> ContentRange? {
        guard Self.isPlain(headers),
            let range = headers.value(of: "content-range").flatMap(ContentRange.init),
            range.first == body.count, range.last == range.total - 1,
            total.map({ $0 == range.total }) ?? true, isSameVersion(headers)
        else { return nil }
        return range
    }

    /// The header fields of the whole: RFC 9111, section 3.4.
    func joinedHeaders(_ newer: HeaderFields) -> HeaderFields {
        // These describe the rest, not the whole.
        let ofThePart: Set = [
            "content-length", "content-range", "content-type", "transfer-encoding",
        ]
        return headers.updated(by: newer.filter { !ofThePart.contains($0.name) })
    }

    /// A 206 has to repeat the entity tag (RFC 9110, section 15.3.7), but not the date.
    private func isSameVersion(_ newer: HeaderFields) -> Bool {
        let tag = headers.value(of: "etag")
        guard newer.value(of: "etag") == tag else { return false }
        return tag != nil || newer.value(of: "last-modified").map { $0 == validator } ?? true
    }

    /// Whether the body is what the validator stands for, byte by byte, and parts of it may be asked for.
    private static func isPlain(_ headers: HeaderFields) -> Bool {
        !headers.isEncoded && headers.value(of: "accept-ranges")?.lowercased() != "none"
    }
}

/// The entity tag unless it is weak; without one, a date of change that lies so long before the answer that nothing
/// can have changed in the same second: RFC 9110, section 8.8.2.2.
private func strongValidator(in headers: HeaderFields) -> String? {
    if let tag = headers.value(of: "etag") {
        let inner = tag.utf8.dropFirst().dropLast()
        let isStrong =
            tag.utf8.count >= 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"")
            && inner.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 < 0x7F }
        return isStrong ? tag : nil
    }
    guard let changed = headers.value(of: "last-modified"),
        let changedAt = secondsSince1970(ofHTTPDate: changed),
        let sentAt = headers.value(of: "date").flatMap(secondsSince1970(ofHTTPDate:)),
        sentAt - changedAt >= 60
    else { return nil }
    return changed
}

/// Which part of a whole a 206 carries: `bytes 5-9/10`, RFC 9110, section 14.4.
struct ContentRange: Equatable {
    /// Counted from zero, and included.
    let first: Int
    let last: Int
    /// The length of the whole.
    let total: Int

    /// Nil if it is malformed, contradicts itself, or does not state the length of the whole.
    init?(_ value: String) {
        let numbers = value.dropFirst(6).split { $0 == "-" || $0 == "/" }.compactMap {
            Int(bounded: $0)
        }
        guard numbers.count == 3, numbers[0] <= numbers[1], numbers[1] < numbers[2],
            value.lowercased() == "bytes \(numbers[0])-\(numbers[1])/\(numbers[2])"
        else { return nil }
        first = numbers[0]
        last = numbers[1]
        total = numbers[2]
    }
}

/// The bodies that broke off, for as long as there is room: least recently kept first out.
///
/// Not on disk, which would have to be told of every cancelled thumbnail: a user comes back within seconds.
struct PartialStore {
    /// A large photograph that all but arrived, or a screen of thumbnails; in bytes.
    static let capacity = 16 << 20
    /// Few enough to be searched one by one.
    static let mostEntries = 64

    private(set) var byteCount = 0
    private var entries: [(key: Request, partial: PartialBody)] = []

    var count: Int { entries.count }

    mutating func keep(_ partial: PartialBody, for key: Request) {
        _ = take(key)
        guard partial.body.count <= Self.capacity else { return }
        entries.append((key, partial))
        byteCount += partial.body.count
        while byteCount > Self.capacity || entries.count > Self.mostEntries {
            byteCount -= entries.removeFirst().partial.body.count
        }
    }

    /// Hands a part out once: two transfers could not both go on with it.
    mutating func take(_ key: Request) -> PartialBody? {
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
        let partial = entries.remove(at: index).partial
        byteCount -= partial.body.count
        return partial
    }
}
