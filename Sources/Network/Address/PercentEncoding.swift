/// Percent-encoding of single bytes, RFC 3986 section 2.1.
let hexDigits = Array("0123456789ABCDEF".utf8)

/// Decodes `%XX`; a percent sign without two hexadecimal digits after it stands for itself.
func percentDecoded(_ text: some Sequence<UInt8>) -> [UInt8] {
    let bytes = Array(text)
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var at = 0
    while at < bytes.count {
        if bytes[at] == UInt8(ascii: "%"), at + 2 < bytes.count,
            let high = hexValue(bytes[at + 1]), let low = hexValue(bytes[at + 2])
        {
            decoded.append(high << 4 | low)
            at += 3
        } else {
            decoded.append(bytes[at])
            at += 1
        }
    }
    return decoded
}

/// Encodes every byte of a file's path but letters, digits, `-._~` and the slash.
func percentEncodedPath(_ path: String) -> String {
    var encoded: [UInt8] = []
    for byte in path.utf8 {
        if isUnreserved(byte) || byte == UInt8(ascii: "/") {
            encoded.append(byte)
        } else {
            encoded += [UInt8(ascii: "%"), hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
        }
    }
    return String(decoding: encoded, as: UTF8.self)
}

/// Letters, digits and `-._~`.
func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        true
    default: false
    }
}

private func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}
