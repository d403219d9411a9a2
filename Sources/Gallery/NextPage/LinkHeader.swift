/// The `Link` header field (RFC 8288, section 3).
enum LinkHeader {
    /// The target of the first link with that relation.
    static func target(of relation: String, in field: String) -> String? {
        var rest = Substring(field.prefix(20_000))
        while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
            let target = rest[rest.index(after: open)..<close]
            rest = rest[rest.index(after: close)...]
            let parameters = rest.prefix { $0 != "<" }
            if relations(in: parameters).contains(relation) { return String(target) }
            rest = rest[parameters.endIndex...]
        }
        return nil
    }

    private static func relations(in parameters: Substring) -> [String] {
        for parameter in parameters.split(separator: ";") {
            let pair = parameter.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].filter({ !$0.isWhitespace }).lowercased() == "rel" else {
                continue
            }
            return pair[1].lowercased().split { $0.isWhitespace || $0 == "\"" || $0 == "," }.map(
                String.init)
        }
        return []
    }
}
