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

/// The time that an HTTP date of any form (RFC 9110, section 5.6.7) names, in seconds since 1970; nil if it is not one.
func secondsSince1970(ofHTTPDate text: String) -> Int? {
    let seconds = curl_getdate(text, nil)
    return seconds >= 0 ? Int(seconds) : nil
}

/// Now, in seconds since 1970, by the clock that people set.
func currentSeconds() -> Int { time(nil) }
