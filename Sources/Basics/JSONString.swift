/// Encodes text as JSON strings.
public enum JSONString {
    /// Returns `text` quoted and escaped, cut after `limit` of its scalars.
    ///
    /// All control characters are escaped, including those that JSON allows, as a terminal would act on them.
    public static func quoted(_ text: String, limit: Int = .max) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars.prefix(limit) {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\u{0}"..<"\u{20}", "\u{7f}"..<"\u{a0}":
                // The fifth digit keeps the zeros that begin the other four.
                quoted += "\\u\(String(0x10000 + scalar.value, radix: 16).dropFirst())"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
