import Pipeline

/// A server's answer as it is kept: bytes, header fields, and when it was last known to be right.
struct CachedAnswer: Sendable {
    /// The address after redirects.
    var address: Address
    /// Header fields, names in lower case.
    var headers: HeaderFields
    /// The body, content encodings undone; nil if it was left on the disk.
    var body: [UInt8]?
    /// What the body is called, and how long it is.
    var hash: LazyContentHash
    var length: Int
    /// When it was received or confirmed, in seconds since 1970.
    var storedAt: Int
    /// For which generation it was fetched or confirmed in this run; not kept on disk.
    var generation = CacheGeneration.any
    /// What the request had in the fields that `Vary` names.
    var varying: VaryingFields

    init(
        address: Address, headers: HeaderFields, body: [UInt8], storedAt: Int,
        varying: VaryingFields = VaryingFields()
    ) {
        self.address = address
        self.headers = headers
        self.body = body
        hash = LazyContentHash(of: body)
        length = body.count
        self.storedAt = storedAt
        self.varying = varying
    }

    /// The validators, as a server wants them to say whether this is still right; empty if it named none.
    ///
    /// The tag alone for a request that differs in what `Vary` names: a date says nothing about which of several it is.
    func conditions(isSameVariant: Bool) -> HeaderFields {
        let tag = header("etag").map { ("If-None-Match", $0) }
        let date = isSameVariant ? header("last-modified").map { ("If-Modified-Since", $0) } : nil
        return [tag, date].compactMap { $0 }
    }

    /// The first value of a header field, named in lower case.
    func header(_ name: String) -> String? { headers.value(of: name) }

    /// Whether a 304 with `newHeaders` is about this answer: its tag, if it has one, is the same.
    ///
    /// RFC 9111, section 4.3.4.
    func isMeant(by newHeaders: HeaderFields) -> Bool {
        guard let mine = header("etag"), let other = newHeaders.value(of: "etag")
        else { return true }
        func opaque(_ tag: String) -> Substring {
            tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
        }
        return opaque(mine) == opaque(other)
    }

    /// This answer after a 304: the new header fields in place of those of the same name.
    ///
    /// RFC 9111, section 3.2.
    func confirmed(
        by newHeaders: HeaderFields, at now: Int, varying: VaryingFields
    ) -> Self {
        // What describes the bytes on the wire of another answer says nothing about the kept ones.
        let framing: Set = [
            "content-length", "content-encoding", "transfer-encoding", "content-range",
        ]
        let updates = newHeaders.filter { !framing.contains($0.name) }
        // An old age would be counted again from now on, and so would an old date: an answer without one is dated when it is received
        // (RFC 9110, section 6.6.1).
        let replaced = Set(updates.map(\.name)).union(["age", "date"])
        var answer = self
        answer.headers = headers.filter { !replaced.contains($0.name) } + updates
        answer.storedAt = now
        answer.varying = varying
        return answer
    }

    /// Without its body if that was left on the disk.
    func response(from origin: Response.Origin) -> Response {
        let type = ContentType(header("content-type"))
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
    private static let addressName = ":address"
    private static let timeName = ":stored"
    private static let hashName = ":hash"
    private static let lengthName = ":length"
    private static let varyingName = ":varying "
    /// Bytes of a body that lies beside its header fields: a file has whole blocks of 4 KB, and opening a second one costs as much as reading
    /// this.
    static let largestBeside = 16 << 10

    /// Whether the body has an entry of its own.
    var hasOwnBody: Bool { length > Self.largestBeside }

    /// For the disk cache; works out the hash, which may take milliseconds.
    var entry: DiskCache.Entry {
        let own = [
            (Self.addressName, address.text), (Self.timeName, String(storedAt)),
            (Self.hashName, hash.value.text), (Self.lengthName, String(length)),
        ]
        let varied = varying.fields.map { (Self.varyingName + $0.name, $0.value) }
        return .init(metadata: own + varied + headers, body: hasOwnBody ? [] : body ?? [])
    }

    /// Nil if it was not written by us.
    init?(_ entry: DiskCache.Entry) {
        func value(_ name: String) -> String? {
            entry.metadata.first { $0.name == name }?.value
        }
        guard let address = value(Self.addressName).flatMap({ Address($0) }),
            let storedAt = value(Self.timeName).flatMap({ Int($0) }),
            let hash = value(Self.hashName).flatMap({ ContentHash(text: $0) }),
            let length = value(Self.lengthName).flatMap({ Int($0) }), length >= 0
        else { return nil }
        self.address = address
        self.storedAt = storedAt
        self.hash = LazyContentHash(hash)
        self.length = length
        headers = entry.metadata.filter { !$0.name.hasPrefix(":") }
        varying = VaryingFields(
            entry.metadata.filter { $0.name.hasPrefix(Self.varyingName) }.map {
                (String($0.name.dropFirst(Self.varyingName.utf8.count)), $0.value)
            })
        body = entry.body
        if hasOwnBody {
            body = nil
        } else if entry.body.count != length {
            return nil
        }
    }
}

/// What a request had in the header fields by which its server chose the answer: RFC 9111, section 4.1.
///
/// Hashes of the values, as some are secrets. A name without a value stands for a field that was not sent.
struct VaryingFields: Hashable, Sendable {
    struct Field: Hashable, Sendable {
        var name: String
        var value: String
    }

    /// By name.
    private(set) var fields: [Field] = []

    /// Those of an answer that does not vary.
    init() {}

    /// Those that were written down.
    init(_ pairs: [(String, String)]) {
        fields = pairs.map { Field(name: $0.0, value: $0.1) }
    }

    /// Those that an answer with `headers` names, out of what was `sent`.
    init(of headers: HeaderFields, sent: HeaderFields) {
        let names = Set(
            headers.filter { $0.name == "vary" }.flatMap { header in
                header.value.lowercased().split(separator: ",").map { name in
                    name.filter { $0 != " " && $0 != "\t" }
                }
            })
        // Encodings are undone before anything is kept.
        fields = names.subtracting(["accept-encoding", ""]).sorted().map { name in
            let values = sent.filter { $0.name.lowercased() == name }.map(\.value)
            let text =
                values.isEmpty
                ? "" : ContentHash(of: Array(values.joined(separator: ", ").utf8)).text
            return Field(name: name, value: String(text.prefix(32)))
        }
    }
}
