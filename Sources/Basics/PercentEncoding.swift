/// Percent-encoding of single bytes: RFC 3986, section 2.1.
public enum PercentEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Decodes `%XX`; a percent sign without two hexadecimal digits after it stands for itself.
    public static func decode(_ text: some Sequence<UInt8>) -> [UInt8] {
        let bytes = Array(text)
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var at = 0
        while at < bytes.count {
            if bytes[at] == UInt8(ascii: "%"), at + 2 < bytes.count,
                let high = value(ofDigit: bytes[at + 1]), let low = value(ofDigit: bytes[at + 2])
            {
                decoded.append(UInt8(high << 4 | low))
                at += 3
            } else {
                decoded.append(bytes[at])
                at += 1
            }
        }
        return decoded
    }

    /// Encodes every byte of `text` but letters, digits, `-._~` and those of `others`.
    public static func encode(_ text: String, keeping others: String = "") -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) || others.utf8.contains(byte) {
                encoded.append(byte)
            } else {
                append(byte, to: &encoded)
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Appends `%XX`.
    public static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~": true
        default: false
        }
    }

    private static func value(ofDigit byte: UInt8) -> Int? {
        Character(Unicode.Scalar(byte)).hexDigitValue
    }
}
