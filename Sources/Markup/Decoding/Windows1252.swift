/// windows-1252, what pages without a word about their encoding are mostly written in.
enum Windows1252 {
    /// The characters 0x80 to 0x9F; the five free places stand for themselves, as the Encoding standard has it.
    private static let special: [UInt16] = [
        0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
        0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D, 0x017D, 0x008F,
        0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
        0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
    ]

    /// What the author of `&#150;` meant: a dash of windows-1252, not the control character (HTML's numeric character references).
    static func meant(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard (0x80...0x9F).contains(scalar.value) else { return scalar }
        return Unicode.Scalar(special[Int(scalar.value) - 0x80]) ?? scalar
    }

    /// The same text in UTF-8.
    static func decode(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + bytes.count / 16)
        for byte in bytes {
            if byte < 0x80 {
                text.append(byte)
            } else {
                append(byte < 0xA0 ? special[Int(byte) - 0x80] : UInt16(byte), to: &text)
            }
        }
        return text
    }

    private static func append(_ unit: UInt16, to text: inout [UInt8]) {
        if unit < 0x800 {
            text.append(0xC0 | UInt8(unit >> 6))
        } else {
            text.append(0xE0 | UInt8(unit >> 12))
            text.append(0x80 | UInt8((unit >> 6) & 0x3F))
        }
        text.append(0x80 | UInt8(unit & 0x3F))
    }
}
