import Basics
import Pipeline

/// A server's answer as it is kept: bytes, header fields, and when it was last known to be right.
struct CachedAnswer: Sendable {
    /// The address after redirects.
    var address: Address
    /// Header fields, names in lower case.
    var headers: HeaderFields
    /// The body, content encodings undone; nil if it was left on the disk.
    var body: [UInt8]?
    /// Of the body.
    var hash: LazyContentHash
    var length: Int
    /// Whether it came from a private address.
    var isFromPrivate: Bool
    /// When it was received or confirmed, in seconds since 1970.
    var storedAt: Int
    /// For which generation it was fetched or confirmed in this run; not kept on disk.
    var generation: CacheGeneration
    /// What the request had in the fields that `Vary` names.
    var varying: VaryingFields

    init(
        address: Address, headers: HeaderFields, body: [UInt8], isFromPrivate: Bool = false,
        storedAt: Int, generation: CacheGeneration = .any, varying: VaryingFields = [:]
    ) {
        self.address = address
        self.headers = headers
        self.body = body
        hash = LazyContentHash(of: body)
        length = body.count
        self.isFromPrivate = isFromPrivate
        self.storedAt = storedAt
        self.generation = generation
        self.varying = varying
    }

    /// The validators, as a server wants them to say whether this is still right; empty if it named none.
    ///
    /// The tag alone for a request that differs in what `Vary` names: a date says nothing about which of several it is.
    func conditions(isSameVariant: Bool) -> HeaderFields {
        let tag = headers.value(of: "etag").map { ("If-None-Match", $0) }
        let date =
            isSameVariant
            ? headers.value(of: "last-modified").map { ("If-Modified-Since", $0) } : nil
        return [tag, date].compactMap { $0 }
    }

    /// Whether a 304 with `newHeaders` is about this answer: its tag, if it has one, is the same (RFC 9111, section 4.3.4).
    func isMeant(by newHeaders: HeaderFields) -> Bool {
        guard let mine = headers.value(of: "etag"), let other = newHeaders.value(of: "etag") else {
            return true
        }
        func opaque(_ tag: String) -> Substring {
            tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
        }
        return opaque(mine) == opaque(other)
    }

    /// This answer after a 304: the new header fields in place of those of the same name (RFC 9111, section 3.2).
    func confirmed(by newHeaders: HeaderFields, at now: Int) -> Self {
        // What describes the bytes on the wire of another answer says nothing about the kept ones.
        let framing: Set = [
            "content-length", "content-encoding", "transfer-encoding", "content-range",
        ]
        var answer = self
        // An old age would be counted again from now on, and so would an old date: an answer without one is dated when it is received
        // (RFC 9110, section 6.6.1).
        answer.headers = headers.updated(
            by: newHeaders.filter { !framing.contains($0.name) }, removing: ["age", "date"])
        answer.storedAt = now
        return answer
    }

    /// Without its body if that was left on the disk.
    func response(from origin: Response.Origin) -> Response {
        let type = FieldValue(headers.value(of: "content-type"))
        return Response(
            address: address, mediaType: type.mediaType, charset: type.charset, headers: headers,
            body: body ?? [], origin: origin, hash: hash)
    }
}

/// As kept on disk: the header fields as they are, ours with names that no header field can have.
///
/// A body of more than a few kilobytes lies in an entry of its own, named by its hash: what is known of it can be read, and confirmed by a
/// server, without touching it, and the same picture from two addresses is kept once.
extension CachedAnswer {
    /// Bytes of a body that lies beside its header fields: a file has whole blocks of 4 KB, and opening a second one costs as much as
    /// reading this.
    static let largestBeside = 16 << 10

    /// Whether the body has an entry of its own.
    var hasOwnBody: Bool { length > Self.largestBeside }

    /// For the disk cache; works out the hash, which may take milliseconds.
    var entry: DiskCache.Entry {
        let own = [
            (":address", address.text), (":stored", String(storedAt)),
            (":hash", hash.value.text), (":length", String(length)),
            (":private", String(isFromPrivate)),
        ]
        let varied = varying.map { (":varying " + $0.key, $0.value) }
        return .init(metadata: own + varied + headers, body: hasOwnBody ? [] : body ?? [])
    }

    /// Nil if it was not written by us.
    init?(_ entry: DiskCache.Entry) {
        func number(_ name: String) -> Int? {
            entry.metadata.value(of: name).flatMap { Int(bounded: $0) }
        }
        guard let address = entry.metadata.value(of: ":address").flatMap({ Address($0) }),
            let hash = entry.metadata.value(of: ":hash").flatMap({ ContentHash(text: $0) }),
            let storedAt = number(":stored"), let length = number(":length"), length >= 0
        else { return nil }
        self.address = address
        self.storedAt = storedAt
        self.hash = LazyContentHash(hash)
        isFromPrivate = entry.metadata.value(of: ":private") == "true"
        generation = .any
        self.length = length
        headers = entry.metadata.filter { !$0.name.hasPrefix(":") }
        varying = [:]
        for field in entry.metadata where field.name.hasPrefix(":varying ") {
            varying[String(field.name.dropFirst(9))] = field.value
        }
        guard hasOwnBody || entry.body.count == length else { return nil }
        body = hasOwnBody ? nil : entry.body
    }
}

/// What a request had in the header fields by which its server chose the answer, by their names: RFC 9111, section 4.1.
///
/// Hashes of the values, as some are secrets; empty for a field that was not sent.
typealias VaryingFields = [String: String]
