/// Finds its way through the markup of an XML document, without understanding any; nothing here can trap.
struct XMLScanner {
    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Goes to the first tag, past whatever may stand before it; false if something else stands there.
    mutating func skipProlog() -> Bool {
        if has([0xEF, 0xBB, 0xBF]) { position += 3 }
        while true {
            skipSpace()
            if has("<?") {
                guard skip(past: "?>") else { return false }
            } else if has("<!--") {
                guard skip(past: "-->") else { return false }
            } else if has("<!DOCTYPE") {
                guard skipDoctype() else { return false }
            } else {
                return has("<")
            }
        }
    }

    /// Goes past the `<` and the name of a tag.
    mutating func tagName() -> (prefix: String, local: String)? {
        guard has("<") else { return nil }
        position += 1
        let start = position
        while let byte, !Self.isSpace(byte), byte != slash, byte != greater { position += 1 }
        let parts = String(decoding: bytes[start..<position], as: UTF8.self)
            .split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2
            ? (String(parts[0]), String(parts[1])) : ("", String(parts.first ?? ""))
    }

    /// The attributes of the tag whose name was passed.
    mutating func attributes() -> [String: String] {
        var found: [String: String] = [:]
        while true {
            skipSpace()
            let start = position
            while let byte, !Self.isSpace(byte), byte != equals, byte != greater { position += 1 }
            guard position > start else { return found }
            let name = String(decoding: bytes[start..<position], as: UTF8.self)
            skipSpace()
            guard byte == equals else { continue }
            position += 1
            skipSpace()
            guard let quote = byte, Self.isQuote(quote) else { return found }
            position += 1
            let value = position
            while let byte, byte != quote { position += 1 }
            found[name] = String(decoding: bytes[value..<position], as: UTF8.self)
            position += 1
        }
    }

    private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }
    private var slash: UInt8 { UInt8(ascii: "/") }
    private var greater: UInt8 { UInt8(ascii: ">") }
    private var equals: UInt8 { UInt8(ascii: "=") }

    private func has(_ text: some Sequence<UInt8>) -> Bool {
        bytes[min(position, bytes.count)...].starts(with: text)
    }

    private func has(_ text: String) -> Bool { has(text.utf8) }

    private mutating func skipSpace() {
        while let byte, Self.isSpace(byte) { position += 1 }
    }

    private mutating func skip(past text: String) -> Bool {
        while position < bytes.count {
            if has(text) {
                position += text.utf8.count
                return true
            }
            position += 1
        }
        return false
    }

    /// Past a declaration with what it may have between brackets; quotes may hold anything.
    private mutating func skipDoctype() -> Bool {
        var depth = 0
        while let byte {
            if Self.isQuote(byte) {
                position += 1
                while let inner = self.byte, inner != byte { position += 1 }
            }
            if byte == UInt8(ascii: "[") { depth += 1 }
            if byte == UInt8(ascii: "]") { depth -= 1 }
            position += 1
            if byte == greater, depth <= 0 { return true }
        }
        return false
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte <= 0x20 }
    private static func isQuote(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
    }
}
