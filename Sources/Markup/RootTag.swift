import Basics

/// The first tag of an XML document, found without parsing the rest.
public struct RootTag {
    /// The name, with its prefix.
    public let name: String
    /// The attributes as written, by name.
    public let attributes: [String: String]

    /// The maximum number of bytes, including comments and declarations, searched for it.
    private static let maxBytes = 1 << 16

    /// Parses the tag of the document that begins with `bytes`; nil if anything else comes first.
    public init?(_ bytes: some Collection<UInt8>) {
        var scanner = XMLScanner(Array(bytes.prefix(Self.maxBytes)))
        guard scanner.skipProlog() else { return nil }
        name = scanner.tagName()
        attributes = scanner.attributes()
    }

    /// Whether it is `svg`, with any prefix.
    public var isDrawing: Bool {
        (name == "svg" || name.hasSuffix(":svg")) && name.count { $0 == ":" } < 2
    }
}

/// Finds the first tag of an XML document without parsing the rest; nothing here can trap.
private struct XMLScanner {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// Moves to the first tag, past whatever may precede it; returns false if anything else comes first.
    mutating func skipProlog() -> Bool {
        if has([0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        while true {
            skipSpace()
            if has("<?".utf8) {
                guard skip(past: "?>") else { return false }
            } else if has("<!--".utf8) {
                guard skip(past: "-->") else { return false }
            } else if has("<!DOCTYPE".utf8) {
                guard skipDoctype() else { return false }
            } else {
                return has("<".utf8)
            }
        }
    }

    /// Consumes the `<` and the name of a tag.
    mutating func tagName() -> String {
        rest = rest.dropFirst()
        return text { Self.isSpace($0) || "/>".utf8.contains($0) }
    }

    /// Returns the attributes of the tag whose name has been consumed.
    mutating func attributes() -> [String: String] {
        var found: [String: String] = [:]
        while true {
            skipSpace()
            let name = text { Self.isSpace($0) || "=>".utf8.contains($0) }
            guard !name.isEmpty else { return found }
            skipSpace()
            guard has("=".utf8) else { continue }
            rest = rest.dropFirst()
            skipSpace()
            guard let quote = rest.popFirst(), Self.isQuote(quote) else { return found }
            found[name] = text { $0 == quote }
            rest = rest.dropFirst()
        }
    }

    private func has(_ text: some Sequence<UInt8>) -> Bool { rest.starts(with: text) }

    /// Consumes the text up to the first byte for which `isEnd` returns true, or to the end.
    private mutating func text(to isEnd: (UInt8) -> Bool) -> String {
        let text = rest.prefix { !isEnd($0) }
        rest = rest[text.endIndex...]
        return String(utf8: text)
    }

    private mutating func skipSpace() { rest = rest.drop(while: Self.isSpace) }

    private mutating func skip(past text: String) -> Bool {
        while !rest.isEmpty, !has(text.utf8) { rest = rest.dropFirst() }
        defer { rest = rest.dropFirst(text.utf8.count) }
        return !rest.isEmpty
    }

    /// Consumes a declaration including any bracketed part; quoted strings may contain anything.
    private mutating func skipDoctype() -> Bool {
        var depth = 0
        while let byte = rest.popFirst() {
            if Self.isQuote(byte) { rest = rest.drop { $0 != byte }.dropFirst() }
            if byte == "[" { depth += 1 }
            if byte == "]" { depth -= 1 }
            if byte == ">", depth <= 0 { return true }
        }
        return false
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte <= 0x20 }
    private static func isQuote(_ byte: UInt8) -> Bool { byte == 0x22 || byte == 0x27 }
}
