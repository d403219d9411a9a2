import Basics
import CCurl
import Glibc

/// Header fields in their order; of answers, names in lower case.
typealias HeaderFields = [(name: String, value: String)]

extension HeaderFields {
    /// The first value of a header field, named in lower case.
    func value(of name: String) -> String? { first { $0.name == name }?.value }

    /// Whether the body that they head was compressed.
    var isEncoded: Bool { (value(of: "content-encoding") ?? "identity").lowercased() != "identity" }

    /// With `newer` in place of those of the same names, and without `obsolete` ones: RFC 9111, section 3.2.
    func updated(by newer: HeaderFields, removing obsolete: Set<String> = []) -> HeaderFields {
        let replaced = obsolete.union(newer.map(\.name))
        return filter { !replaced.contains($0.name) } + newer
    }
}

/// Parses a `Name: value` line: the name in lower case, the value without surrounding blanks and control characters.
///
/// Nil for the empty line at the end of a head, and for what is none. Bytes that are not UTF-8 are replaced.
func headerField(_ line: UnsafeRawBufferPointer) -> (name: String, value: String)? {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let name = line[..<colon].map { byte in
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
    var value = line[(colon + 1)...].drop { $0 <= 0x20 }
    while let last = value.last, last <= 0x20 { value.removeLast() }
    return (
        String(decoding: name, as: UTF8.self).withoutControls,
        String(decoding: value, as: UTF8.self).withoutControls
    )
}

/// The time that an HTTP date of any form (RFC 9110, section 5.6.7) names, in seconds since 1970; nil if it is none.
func secondsSince1970(ofHTTPDate text: String) -> Int? {
    let seconds = curl_getdate(text, nil)
    return seconds >= 0 ? Int(seconds) : nil
}

/// Now, in seconds since 1970, by the clock that people set.
func currentSeconds() -> Int { time(nil) }

/// A `Content-Type` header: RFC 9110, section 8.3.
struct ContentType {
    /// `type/subtype` in lower case.
    var mediaType: String?
    /// The `charset` parameter, without quotes.
    var charset: String?

    init(_ value: String?) {
        let parts = (value ?? "").split(separator: ";").map(trimmed)
        guard let first = parts.first, first.contains("/") else { return }
        mediaType = first.lowercased()
        for parameter in parts.dropFirst() where charset == nil {
            let pair = parameter.split(separator: "=", maxSplits: 1).map(trimmed)
            guard pair.count == 2, pair[0].lowercased() == "charset" else { continue }
            let name = pair[1].filter { $0 != "\"" && $0 != "'" }
            charset = name.isEmpty ? nil : name
        }
    }
}

private func trimmed(_ text: Substring) -> Substring {
    var text = text.drop { $0 == " " || $0 == "\t" }
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return text
}
