/// Text as a JSON string.
public enum JSONString {
    /// Appends `text` to `output`, quoted and escaped, with at most `limit` of its scalars.
    ///
    /// Every control character is escaped, also those that JSON allows: printed on a terminal, they would act.
    public static func append(_ text: String, to output: inout [UInt8], limit: Int = .max) {
        output.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars.prefix(limit) {
            switch scalar {
            case "\"", "\\":
                output += [UInt8(ascii: "\\"), UInt8(ascii: scalar)]
            case "\u{0}"..<"\u{20}", "\u{7f}"..<"\u{a0}":
                let digits = String(scalar.value, radix: 16)
                output += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8
            default:
                output += Character(scalar).utf8
            }
        }
        output.append(UInt8(ascii: "\""))
    }

    /// `text`, quoted and escaped.
    public static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
