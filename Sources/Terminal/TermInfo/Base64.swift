enum Base64 {
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

/// Asks the terminal to take a text into the clipboard: OSC 52, as xterm's control sequences define it.
///
/// Works over SSH; a terminal that does not know or allow it ignores it.
enum ClipboardSequence {
    static func bytes(_ text: String) -> [UInt8] {
        Array("\u{1B}]52;c;\(Base64.encode(Array(text.utf8)))\u{7}".utf8)
    }
}
