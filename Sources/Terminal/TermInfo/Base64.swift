/// Base 64 (RFC 4648).
enum Base64 {
    /// What the 64 values are written as.
    enum Alphabet: String {
        /// Of section 4.
        case standard = "+/"
        /// Of section 5: safe in addresses and file names.
        case url = "-_"

        fileprivate var characters: [UInt8] {
            Array(
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\(rawValue)".utf8)
        }
    }

    /// `bytes` as text, padded.
    static func encode(_ bytes: [UInt8], alphabet: Alphabet = .standard) -> String {
        let characters = alphabet.characters
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var word = 0
            for index in 0..<3 {
                word = word << 8 | (index < group.count ? Int(group[start + index]) : 0)
            }
            for index in 0..<4 {
                text.append(
                    index <= group.count
                        ? characters[word >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
