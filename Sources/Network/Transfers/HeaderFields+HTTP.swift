import Basics
import CCurl

extension HeaderFields {
    /// Whether the body of this response was compressed.
    var isEncoded: Bool { (self["content-encoding"] ?? "identity").lowercased() != "identity" }

    /// Whether the body has a coding that there is.
    var isCoded: Bool {
        let coding = self["content-encoding"]?.lowercased() ?? ""
        return ["gzip", "deflate", "br", "zstd"].contains(where: coding.contains)
    }

    /// Whether the body of this response is only the part that was asked for: no other keeps the field.
    var isPart: Bool { self["content-range"] != nil }

    /// The range of a 206; nil if it is missing or invalid.
    var contentRange: ContentRange? { self["content-range"].flatMap(ContentRange.init) }

    /// Returns the date in the first field of that name, in seconds since 1970; nil if it is missing or invalid.
    func date(_ name: String) -> Int? { self[name].flatMap(secondsSince1970(ofHTTPDate:)) }

    /// The fields that no line break makes another field, or a request.
    var safe: HeaderFields { filter { isSafeInHeader($0.name) && isSafeInHeader($0.value) } }

    /// Returns the fields with `own` ones in place of those of the same names, in whatever case.
    func replaced(by own: HeaderFields) -> HeaderFields {
        let names = Set(own.map { $0.name.lowercased() })
        return filter { !names.contains($0.name.lowercased()) } + own
    }

    /// Returns the fields with `newer` replacing those of the same names, except for some names, and without `obsolete` ones (RFC 9111,
    /// section 3.2).
    func updated(
        by newer: HeaderFields, except ignored: Set<String>, removing obsolete: Set<String>
    ) -> HeaderFields {
        let newer = newer.filter { !ignored.contains($0.name) }
        let replaced = obsolete.union(newer.map(\.name))
        return filter { !replaced.contains($0.name) } + newer
    }
}

/// Parses an HTTP date of any form (RFC 9110, section 5.6.7) into seconds since 1970; nil if it is invalid.
func secondsSince1970(ofHTTPDate text: String) -> Int? {
    let seconds = curl_getdate(text, nil)
    return seconds >= 0 ? Int(seconds) : nil
}

/// Returns the wall-clock time in seconds since 1970.
func currentSeconds() -> Int { time(nil) }
