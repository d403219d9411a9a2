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

    init(_ headers: [(name: String, value: String)]) {
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
    return min(Int(text) ?? .max, 1 << 31)
}
