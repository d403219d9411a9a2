/// Names and values in order, such as an HTTP header's, whose names are in lower case.
public typealias HeaderFields = [(name: String, value: String)]

extension HeaderFields {
    /// The first value of that name.
    public subscript(name: String) -> String? { first { $0.name == name }?.value }
}

/// Parses a `Name: value` line of HTTP, mail or WARC into the name in lower case and the value as `fieldText`.
///
/// Returns nil for the empty line at the end of a header, and for anything that is not a field.
public func headerField(_ line: UnsafeRawBufferPointer) -> HeaderFields.Element? {
    guard let colon = line.firstIndex(of: ":") else { return nil }
    let name = line[..<colon].map { ("A"..."Z").contains($0) ? $0 | 0x20 : $0 }
    return (
        String(utf8: name).withoutControls,
        fieldText(UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]))
    )
}

/// Returns the text without surrounding blanks and control characters; invalid UTF-8 is replaced.
public func fieldText(_ bytes: UnsafeRawBufferPointer) -> String {
    String(utf8: bytes.trimming { $0 <= 0x20 }).withoutControls
}

/// A header field's value with parameters: `text/html; charset="utf-8"` (RFC 9110, section 5.6.6).
public struct FieldValue {
    /// The part before the first semicolon, in lower case.
    public let word: String
    private let parameters: HeaderFields

    /// Parses a value; nil is treated as an empty string.
    public init(_ value: String?) {
        let parts = (value ?? "").split(separator: ";", omittingEmptySubsequences: false)
        word = parts[0].trimming(while: isBlank).lowercased()
        parameters = parts.dropFirst().compactMap { part in
            let sides = part.split(separator: "=", maxSplits: 1).map { $0.trimming(while: isBlank) }
            return sides.count == 2
                ? (sides[0].lowercased(), sides[1].filter { $0 != "\"" }) : nil
        }
    }

    /// The first parameter with that name, without quotation marks.
    public subscript(name: String) -> String? { parameters[name] }

    /// The `type/subtype`; nil if the value is not a media type.
    public var mediaType: String? { word.contains("/") ? word : nil }

    /// The `charset` parameter of a media type; single quotation marks, which some servers use, are removed.
    public var charset: String? {
        guard mediaType != nil, let name = self["charset"]?.filter({ $0 != "'" }), !name.isEmpty
        else { return nil }
        return name
    }
}

private func isBlank(_ character: Character) -> Bool { " \t".contains(character) }
