/// Base64 as defined in RFC 4648, section 4.
enum Base64 {
    private static let digits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func bytes(_ bytes: [UInt8]) -> [UInt8] {
        let length = (bytes.count + 2) / 3 * 4
        return [UInt8](unsafeUninitializedCapacity: length) { output, count in
            digits.withUnsafeBufferPointer { digits in
                for start in stride(from: 0, to: bytes.count, by: 3) {
                    let rest = bytes.count - start
                    let word =
                        Int(bytes[start]) << 16 | (rest > 1 ? Int(bytes[start + 1]) << 8 : 0)
                        | (rest > 2 ? Int(bytes[start + 2]) : 0)
                    output[count] = digits[word >> 18]
                    output[count + 1] = digits[word >> 12 & 63]
                    output[count + 2] = rest > 1 ? digits[word >> 6 & 63] : UInt8(ascii: "=")
                    output[count + 3] = rest > 2 ? digits[word & 63] : UInt8(ascii: "=")
                    count += 4
                }
            }
        }
    }
}
