import Basics
import Pipeline

/// A cached server response: body, header fields, and when it was last known to be current.
struct CachedAnswer: Sendable {
    /// The address after redirects.
    var address: Address
    /// The header fields, with names in lower case.
    var headers: HeaderFields
    /// The body, with content encodings removed; nil if it was left on disk.
    var body: [UInt8]?
    /// The hash of the body.
    var hash: LazyContentHash
    var length: Int
    /// Whether it came from a private address.
    var isFromPrivate: Bool
    /// Whether it was reached by a temporary redirect, which may lead elsewhere next time.
    var wasRedirectedTemporarily: Bool
    /// When it was received or revalidated, in seconds since 1970.
    var storedAt: Int
    /// The generation for which it was fetched or revalidated in this run; not stored on disk.
    var generation: CacheGeneration
    /// The request's values of the fields listed in `Vary`.
    var varying: VaryingFields

    init(
        _ answer: TransferAnswer, storedAt: Int, generation: CacheGeneration,
        varying: VaryingFields
    ) {
        address = answer.address
        headers = answer.headers.filter { $0.name != "set-cookie" }
        body = answer.body
        hash = LazyContentHash(of: answer.body)
        length = answer.body.count
        isFromPrivate = answer.isFromPrivate
        wasRedirectedTemporarily = answer.wasRedirectedTemporarily
        self.storedAt = storedAt
        self.generation = generation
        self.varying = varying
    }

    /// Returns the conditional header fields with which a server can revalidate this response; empty if it has no validators.
    ///
    /// Only the `ETag` is used for a request that differs in a field listed in `Vary`: a date does not identify one of several variants.
    func conditions(isSameVariant: Bool) -> HeaderFields {
        let tag = headers["etag"].map { ("If-None-Match", $0) }
        let date =
            isSameVariant
            ? headers["last-modified"].map { ("If-Modified-Since", $0) } : nil
        return nonNil(tag, date)
    }

    /// Whether a 304 with `newHeaders` refers to this response: their `ETag`s, if both have one, are the same (RFC 9111, section 4.3.4).
    func isMeant(by newHeaders: HeaderFields) -> Bool {
        guard let mine = headers["etag"], let other = newHeaders["etag"] else {
            return true
        }
        return mine.trimmingPrefix("W/") == other.trimmingPrefix("W/")
    }

    /// Returns this response updated by a 304, whose header fields replace those of the same name (RFC 9111, section 3.2).
    func confirmed(by newHeaders: HeaderFields, at now: Int) -> Self {
        var answer = self
        // Fields that describe another response's bytes on the wire do not apply to the stored body.
        // An old age or date would be counted again from now on; a response without a date is dated when it is received (RFC 9110, section
        // 6.6.1).
        answer.headers = headers.updated(
            by: newHeaders,
            except: ["content-length", "content-encoding", "transfer-encoding", "content-range"],
            removing: ["age", "date"])
        answer.storedAt = now
        return answer
    }

    /// Returns the response to a request; its body is empty if that was left on disk.
    func response(from origin: Response.Origin, _ timings: FetchTimings) -> Response {
        let type = FieldValue(headers["content-type"])
        return Response(
            address: address, mediaType: type.mediaType, charset: type.charset, headers: headers,
            body: body ?? [], origin: origin, hash: hash, timings: timings)
    }
}

/// The format on disk: the header fields unchanged, and our own fields under names that no header field can have.
///
/// A body of more than a few kilobytes has its own entry, named by its hash: its metadata can be read, and revalidated by a server, without
/// touching it, and the same picture from two addresses is stored only once.
extension CachedAnswer {
    /// The largest body in bytes stored beside its header fields: files take whole blocks of 4 KB, and opening a second file costs as much
    /// as reading this many bytes.
    static let maxBeside = 16 << 10

    /// Whether the body has its own entry.
    var hasOwnBody: Bool { length > Self.maxBeside }

    /// The disk cache entry; computes the hash, which may take milliseconds.
    var entry: DiskCache.Entry {
        let own = [
            (":address", address.text), (":stored", String(storedAt)),
            (":hash", hash.value.text), (":length", String(length)),
            (":private", String(isFromPrivate)), (":movable", String(wasRedirectedTemporarily)),
        ]
        let varied = varying.map { (":varying " + $0.key, $0.value) }
        return .init(metadata: own + varied + headers, body: hasOwnBody ? [] : body ?? [])
    }

    /// Decodes an entry; nil if it was not written by this program.
    init?(_ entry: DiskCache.Entry) {
        func text(_ name: String) -> String? { entry.metadata[name] }
        func number(_ name: String) -> Int? { text(name).flatMap { Int(bounded: $0) } }
        guard let address = text(":address").flatMap(Address.init(given:)),
            let hash = text(":hash").flatMap({ ContentHash(text: $0) }),
            let storedAt = number(":stored"), let length = number(":length"), length >= 0
        else { return nil }
        self.address = address
        self.storedAt = storedAt
        self.hash = LazyContentHash(hash)
        isFromPrivate = text(":private") == "true"
        wasRedirectedTemporarily = text(":movable") == "true"
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

/// The values of the request's header fields by which the server chose the response, by field name (RFC 9111, section 4.1).
///
/// Values are hashed, as some are secrets; a field that was not sent has an empty value.
typealias VaryingFields = [String: String]
