/// A `Content-Type` header: RFC 9110, section 8.3.
struct ContentType {
    /// `type/subtype` in lower case.
    var mediaType: String?
    /// The `charset` parameter, without quotes.
    var charset: String?

    init(_ value: String?) {
        guard let value else { return }
        let parts = value.split(separator: ";").map(trimmed)
        guard let first = parts.first, first.contains("/") else { return }
        mediaType = first.lowercased()
        for parameter in parts.dropFirst() {
            let pair = parameter.split(separator: "=", maxSplits: 1).map(trimmed)
            if pair.count == 2, pair[0].lowercased() == "charset", charset == nil {
                let name = pair[1].filter { $0 != "\"" && $0 != "'" }
                charset = name.isEmpty ? nil : name
            }
        }
    }
}

private func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0 == " " || $0 == "\t" }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return text
}
