/// The directives of a `Cache-Control` header that matter to a private cache: RFC 9111, section 5.2.2.
struct CacheControl {
    /// Must not be kept.
    var forbidsStoring = false
    /// Must be asked for again every time.
    var needsValidation = false
    /// Seconds it stays fresh.
    var lifetime: Int?

    init(_ headers: [(name: String, value: String)]) {
        for header in headers where header.name == "cache-control" {
            for directive in header.value.lowercased().split(separator: ",") {
                let parts = directive.split(separator: "=", maxSplits: 1).map { part in
                    part.filter { $0 != " " && $0 != "\"" && $0 != "\t" }
                }
                switch parts.first {
                case "no-store": forbidsStoring = true
                case "no-cache": needsValidation = true
                case "max-age": lifetime = parts.count > 1 ? Int(parts[1]) : nil
                default: break
                }
            }
        }
    }
}
