import Pipeline

/// A server's answer as it is kept: bytes, header fields, and when it was last known to be right.
struct CachedAnswer: Sendable {
    /// The address after redirects.
    var address: Address
    /// Header fields, names in lower case.
    var headers: [(name: String, value: String)]
    /// The body, content encodings undone.
    var body: [UInt8]
    /// When it was received or confirmed, in seconds since 1970.
    var storedAt: Int

    /// The validators, as a server wants them to say whether this is still right; empty if it named none.
    var conditions: [(name: String, value: String)] {
        let tag = header("etag").map { ("If-None-Match", $0) }
        let date = header("last-modified").map { ("If-Modified-Since", $0) }
        return [tag, date].compactMap { $0 }
    }

    /// The first value of a header field, named in lower case.
    func header(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }

    /// This answer after a 304: the new header fields in place of those of the same name.
    ///
    /// RFC 9111, section 3.2.
    func confirmed(by newHeaders: [(name: String, value: String)], at now: Int) -> Self {
        // What describes the bytes on the wire of another answer says nothing about the kept ones.
        let framing: Set = [
            "content-length", "content-encoding", "transfer-encoding", "content-range",
        ]
        let updates = newHeaders.filter { !framing.contains($0.name) }
        let names = Set(updates.map(\.name))
        var answer = self
        answer.headers = headers.filter { !names.contains($0.name) } + updates
        answer.storedAt = now
        return answer
    }

    /// For askers.
    func response(from origin: Response.Origin) -> Response {
        let type = ContentType(header("content-type"))
        return Response(
            address: address, mediaType: type.mediaType, charset: type.charset, headers: headers,
            body: body, origin: origin)
    }
}

/// As kept on disk: the header fields as they are, ours with names that no header field can have.
extension CachedAnswer {
    private static let addressName = ":address"
    private static let timeName = ":stored"

    /// For the disk cache.
    var entry: DiskCache.Entry {
        let own = [(Self.addressName, address.text), (Self.timeName, String(storedAt))]
        return .init(metadata: own + headers, body: body)
    }

    /// Nil if it was not written by us.
    init?(_ entry: DiskCache.Entry) {
        func value(_ name: String) -> String? {
            entry.metadata.first { $0.name == name }?.value
        }
        guard let address = value(Self.addressName).flatMap({ Address($0) }),
            let storedAt = value(Self.timeName).flatMap({ Int($0) })
        else { return nil }
        let headers = entry.metadata.filter { !$0.name.hasPrefix(":") }
        self.init(address: address, headers: headers, body: entry.body, storedAt: storedAt)
    }
}
