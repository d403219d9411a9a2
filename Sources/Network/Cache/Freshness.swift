import Basics

/// Whether a kept answer may be used without asking its server: RFC 9111, section 4.2.
///
/// What of HTTP caching is done, and where:
///
/// | RFC 9111 | here |
/// | --- | --- |
/// | 3 storing | responses of status 200 to GET without `no-store` or `Vary: *` (`HTTPCache.isStorable`); a private cache, so `private` and `Authorization` do not matter |
/// | 4.1 `Vary` | a stored response serves only requests whose nominated fields are the same; their hashes are stored with it (`VaryingFields`). Encodings are removed before storing, so `Accept-Encoding` does not count. If cookies are in use, `Vary: Cookie` never matches. A response stored for other fields is still revalidated by its `ETag`, never by its date |
/// | 4.2.1 lifetime | `max-age`, else `Expires` minus `Date`; malformed values mean stale |
/// | 4.2.2 heuristic | a tenth of the time since `Last-Modified`, at most a day; a day without it; pages: this run of the program |
/// | 4.2.3 age | the larger of `Age` and the time of receipt minus `Date`, plus the time since receipt |
/// | 4.2.4 stale responses | `--offline` uses them, as the user asked for it; `stale-if-error` (RFC 5861) allows them if the server fails, unless `must-revalidate` or `no-cache` |
/// | 4.3 validation | `If-None-Match`, `If-Modified-Since`; a 304 updates the stored header fields (3.2); after one with another `ETag` the request is repeated without conditions |
/// | 4.4 invalidation | only GET is sent; a 404 or 410 removes the stored response |
/// | 5.2 `Cache-Control` | `CacheControl` |
struct Freshness {
    /// What an answer stays fresh for at most when its server does not say, in seconds.
    ///
    /// Galleries give their pictures new names rather than new contents.
    static let day = 86_400

    /// When this run of the program began, in seconds since 1970: pages of earlier runs are asked for again, or a gallery would never show
    /// what is new.
    var sessionStart: Int

    /// Whether `answer` is still right as far as one can know.
    func isFresh(_ answer: CachedAnswer, for purpose: Request.Purpose, at now: Int) -> Bool {
        let control = CacheControl(answer.headers)
        guard !control.needsValidation, let age = age(of: answer, at: now) else { return false }
        if let lifetime = statedLifetime(answer, control) { return age < lifetime }
        switch purpose {
        case .page, .data: return answer.storedAt >= sessionStart
        case .picture: return age < guessedLifetime(answer)
        }
    }

    /// Whether `answer`, which is stale, may be shown because its server could not confirm it.
    func standsIn(_ answer: CachedAnswer, for error: FetchError, at now: Int) -> Bool {
        let control = CacheControl(answer.headers)
        switch error {
        case .connectionFailed, .timedOut, .unknownHost, .status(500...504), .busy(500...504, _):
            break
        default: return false
        }
        guard control.graceForErrors > 0, !control.needsValidation, !control.forbidsStale,
            let age = age(of: answer, at: now)
        else { return false }
        let lifetime = statedLifetime(answer, control) ?? guessedLifetime(answer)
        return age < lifetime + control.graceForErrors
    }

    /// Seconds since its server made it; nil if that cannot be told.
    private func age(of answer: CachedAnswer, at now: Int) -> Int? {
        // A clock that was set back must not make everything fresh for ever.
        guard answer.storedAt <= now + Self.day else { return nil }
        let stated = answer.headers.value(of: "age").flatMap { deltaSeconds($0) } ?? 0
        let apparent = max(0, answer.storedAt - sentAt(answer))
        return max(stated, apparent) + max(0, now - answer.storedAt)
    }

    private func statedLifetime(_ answer: CachedAnswer, _ control: CacheControl) -> Int? {
        if let lifetime = control.lifetime { return lifetime }
        guard let expires = answer.headers.value(of: "expires") else { return nil }
        // `Expires: 0` and other nonsense mean "already expired".
        return secondsSince1970(ofHTTPDate: expires).map { $0 - sentAt(answer) } ?? 0
    }

    /// A tenth of how long it had not changed when it was sent; a day if that is not known.
    private func guessedLifetime(_ answer: CachedAnswer) -> Int {
        let changed = answer.headers.value(of: "last-modified").flatMap(
            secondsSince1970(ofHTTPDate:))
        return changed.map { min(Self.day, max(0, sentAt(answer) - $0) / 10) } ?? Self.day
    }

    private func sentAt(_ answer: CachedAnswer) -> Int {
        answer.headers.value(of: "date").flatMap(secondsSince1970(ofHTTPDate:)) ?? answer.storedAt
    }
}

/// The directives of a `Cache-Control` header that matter to a private cache: RFC 9111, section 5.2.2, and RFC 5861 for `stale-if-error`.
///
/// `private` and `proxy-revalidate` are for others, `immutable` (RFC 8246) forbids what is never done: asking again for what is fresh.
struct CacheControl {
    /// Must not be kept: `no-store`.
    var forbidsStoring = false
    /// Must be asked for again every time: `no-cache`, with or without field names.
    var needsValidation = false
    /// Must not be shown once it is stale, whatever happened to the server: `must-revalidate`.
    var forbidsStale = false
    /// Seconds it stays fresh: `max-age`; 0 if that cannot be read, as section 4.2.1 advises.
    var lifetime: Int?
    /// Seconds for which it may stand in, once stale, for a server that fails: `stale-if-error`.
    var graceForErrors = 0

    init(_ headers: HeaderFields) {
        for header in headers where header.name == "cache-control" {
            for directive in header.value.lowercased().split(separator: ",") {
                let parts = directive.split(separator: "=", maxSplits: 1).map { part in
                    part.filter { $0 != " " && $0 != "\"" && $0 != "\t" }
                }
                let seconds = parts.count > 1 ? deltaSeconds(parts[1]) : nil
                switch parts.first {
                case "no-store": forbidsStoring = true
                case "no-cache": needsValidation = true
                case "must-revalidate": forbidsStale = true
                // Of several, the first counts.
                case "max-age": lifetime = lifetime ?? seconds ?? 0
                case "stale-if-error": graceForErrors = seconds ?? 0
                default: break
                }
            }
        }
    }
}

/// RFC 9111, section 1.2.2: digits, and whatever is too large is 2^31; nil for anything else.
func deltaSeconds(_ text: some StringProtocol) -> Int? {
    let isNumber =
        !text.isEmpty
        && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard isNumber else { return nil }
    return min(Int(bounded: text) ?? .max, 1 << 31)
}
