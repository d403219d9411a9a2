import Basics

/// Determines whether a cached response may be used without asking its server (RFC 9111, section 4.2).
///
/// How HTTP caching is implemented, and where:
///
/// | RFC 9111 | here |
/// | --- | --- |
/// | 3 storing | responses of status 200 to GET without `no-store` or `Vary: *` (`HTTPCache.isStorable`); a private cache, so `private` and `Authorization` do not matter |
/// | 4.1 `Vary` | a stored response serves only requests whose nominated fields are the same; their hashes are stored with it (`VaryingFields`). Encodings are removed before storing, so `Accept-Encoding` does not count. If cookies are in use, `Vary: Cookie` never matches. A response stored for other fields is still revalidated by its `ETag`, never by its date |
/// | 4.2.1 lifetime | `max-age`, else `Expires` minus `Date`; malformed values mean stale |
/// | 4.2.2 heuristic | a tenth of the time since `Last-Modified`, at most a day; a day without it; pages: this run of the program |
/// | 4.2.2 redirects | a response behind a permanent redirect is fresh for its own lifetime, behind a temporary one for no longer than the heuristic allows |
/// | 4.2.3 age | the larger of `Age` and the time of receipt minus `Date`, plus the time since receipt |
/// | 4.2.4 stale responses | `--offline` uses them, as the user asked for it; `stale-if-error` (RFC 5861) allows them if the server fails, unless `must-revalidate` or `no-cache` |
/// | 4.3 validation | `If-None-Match`, `If-Modified-Since`; a 304 updates the stored header fields (3.2); after one with another `ETag` the request is repeated without conditions |
/// | 4.4 invalidation | only GET is sent; a 404 or 410 removes the stored response |
/// | 5.2 `Cache-Control` | `CacheControl` |
struct Freshness {
    /// The maximum freshness lifetime, in seconds, of a response whose server does not specify one.
    ///
    /// Galleries give new pictures new names rather than replace the contents of old ones.
    static let day = 86_400

    /// The start of this run in seconds since 1970: pages of earlier runs are fetched again, or a gallery would never show anything new.
    var sessionStart: Int

    /// Returns whether `answer` can be assumed to be current.
    func isFresh(_ answer: CachedAnswer, for purpose: Request.Purpose, at now: Int) -> Bool {
        let control = CacheControl(answer.headers)
        guard !control.needsValidation, let age = age(of: answer, at: now) else { return false }
        if let lifetime = statedLifetime(answer, control),
            !answer.wasRedirectedTemporarily || age >= lifetime
        {
            return age < lifetime
        }
        switch purpose {
        case .picture
        where answer.address.isOnWeb || !answer.conditions(isSameVariant: true).isEmpty:
            return age < guessedLifetime(answer)
        default: return answer.storedAt >= sessionStart
        }
    }

    /// Returns whether the stale `answer` may be used because its server failed to revalidate it with `error`.
    func allowsStale(_ answer: CachedAnswer, after error: FetchError, at now: Int) -> Bool {
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

    /// Returns the age in seconds; nil if it cannot be determined.
    private func age(of answer: CachedAnswer, at now: Int) -> Int? {
        // A clock that was set back must not make everything fresh forever.
        guard answer.storedAt <= now + Self.day else { return nil }
        let stated = answer.headers["age"].flatMap(deltaSeconds) ?? 0
        let apparent = max(0, answer.storedAt - sentAt(answer))
        return max(stated, apparent) + max(0, now - answer.storedAt)
    }

    private func statedLifetime(_ answer: CachedAnswer, _ control: CacheControl) -> Int? {
        if let lifetime = control.lifetime { return lifetime }
        guard let expires = answer.headers["expires"] else { return nil }
        // `Expires: 0` and other invalid dates mean "already expired".
        return secondsSince1970(ofHTTPDate: expires).map { $0 - sentAt(answer) } ?? 0
    }

    /// Returns a tenth of the time between the last modification and the response; a day if that is unknown.
    private func guessedLifetime(_ answer: CachedAnswer) -> Int {
        answer.headers.date("last-modified").map {
            min(Self.day, max(0, sentAt(answer) - $0) / 10)
        } ?? Self.day
    }

    private func sentAt(_ answer: CachedAnswer) -> Int {
        answer.headers.date("date") ?? answer.storedAt
    }
}

/// The `Cache-Control` directives that matter to a private cache (RFC 9111, section 5.2.2; `stale-if-error`: RFC 5861).
///
/// `private` and `proxy-revalidate` concern shared caches; `immutable` (RFC 8246) forbids refetching fresh responses, which is never done.
struct CacheControl {
    /// Must not be stored: `no-store`.
    var forbidsStoring = false
    /// Must be revalidated before each use: `no-cache`, with or without field names.
    var needsValidation = false
    /// Must not be used once stale, even if the server fails: `must-revalidate`.
    var forbidsStale = false
    /// The freshness lifetime in seconds: `max-age`; 0 if it is malformed, as section 4.2.1 advises.
    var lifetime: Int?
    /// Seconds after becoming stale for which the response may replace that of a failing server: `stale-if-error`.
    var graceForErrors = 0

    init(_ headers: HeaderFields) {
        for header in headers where header.name == "cache-control" {
            for directive in header.value.lowercased().split(separator: ",") {
                let (name, value) = directive.filter { !" \"\t".contains($0) }.halves(at: "=")
                let seconds = value.flatMap(deltaSeconds)
                switch name {
                case "no-store": forbidsStoring = true
                case "no-cache": needsValidation = true
                case "must-revalidate": forbidsStale = true
                // The first of several counts.
                case "max-age": lifetime = lifetime ?? seconds ?? 0
                case "stale-if-error": graceForErrors = seconds ?? 0
                default: break
                }
            }
        }
    }
}

/// Parses delta-seconds (RFC 9111, section 1.2.2): digits, capped at 2^31; nil for anything else.
func deltaSeconds(_ text: some StringProtocol) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
    return min(Int(bounded: text) ?? .max, 1 << 31)
}
