/// Percent-encoding of single bytes (RFC 3986, section 2.1).
public enum PercentEncoding {
    private static let digits = "0123456789ABCDEF".bytes

    /// Decodes `%XX`; a percent sign not followed by two hexadecimal digits is kept.
    public static func decode(_ text: some Sequence<UInt8>) -> [UInt8] {
        let bytes = Array(text)
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var at = 0
        while at < bytes.count {
            let byte = bytes[at] == "%" ? byte(ofDigitsAt: at + 1, in: bytes) : nil
            decoded.append(byte ?? bytes[at])
            at += byte == nil ? 1 : 3
        }
        return decoded
    }

    /// Encodes every byte except for letters, digits, `-._~` and the characters in `others`.
    public static func encode(
        _ bytes: some Sequence<UInt8>, keeping others: String = ""
    ) -> String {
        var encoded: [UInt8] = []
        for byte in bytes {
            switch byte {
            case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~",
                _ where others.utf8.contains(byte):
                encoded.append(byte)
            default: append(byte, to: &encoded)
            }
        }
        return String(utf8: encoded)
    }

    /// Appends `byte` as `%XX`.
    public static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
        bytes += ["%", digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    /// Returns the byte encoded by the two hexadecimal digits at `place`; nil if there are none.
    public static func byte(ofDigitsAt place: Int, in bytes: [UInt8]) -> UInt8? {
        guard place + 1 < bytes.count, let high = value(ofDigit: bytes[place]),
            let low = value(ofDigit: bytes[place + 1])
        else { return nil }
        return UInt8(high << 4 | low)
    }

    private static func value(ofDigit byte: UInt8) -> Int? {
        Character(Unicode.Scalar(byte)).hexDigitValue
    }
}
