import Basics

/// The root tag of an XML document, if it is SVG's.
struct SVGRoot {
    /// The attributes as written, by name; width, height and viewBox are used.
    private let attributes: [String: String]

    /// The valid lengths, such that no ratio or product of two overflows.
    private static let lengths = 0x1p-24...0x1p24
    /// The maximum number of bytes, including comments and declarations, searched for the root tag.
    private static let maxBytes = 1 << 16

    /// Parses the root tag; nil unless it is `svg`, with any prefix.
    init?(_ bytes: some Collection<UInt8>) {
        var scanner = XMLScanner(Array(bytes.prefix(Self.maxBytes)))
        guard scanner.skipProlog() else { return nil }
        let name = scanner.tagName()
        guard name == "svg" || name.hasSuffix(":svg"), name.count(where: { $0 == ":" }) < 2 else {
            return nil
        }
        attributes = scanner.attributes()
    }

    /// The header: a drawing has no pixels, so its longer side gets at least 2048, to be shown at any size, and at most 4096.
    var header: StoredHeader {
        let (width, height) = size
        let longer = max(width, height)
        let scale = min(max(longer, 2048), 4096) / longer
        return StoredHeader(
            width: max(1, Int((width * scale).rounded())),
            height: max(1, Int((height * scale).rounded())), isHeldWhole: true)
    }

    /// The document's size in CSS pixels; the browsers' default of 300 × 150 if unspecified.
    private var size: (width: Double, height: Double) {
        let box = viewBox
        let width = attributes["width"].flatMap(Self.pixels)
        let height = attributes["height"].flatMap(Self.pixels)
        switch (width, height, box) {
        case (let width?, let height?, _): return (width, height)
        case (let width?, nil, let box?): return (width, width * box.height / box.width)
        case (nil, let height?, let box?): return (height * box.width / box.height, height)
        case (nil, nil, let box?): return box
        default: return (width ?? 300, height ?? 150)
        }
    }

    private var viewBox: (width: Double, height: Double)? {
        let numbers = (attributes["viewBox"] ?? "")
            .split { $0 == "," || $0.isWhitespace }.compactMap { Double($0) }
        guard numbers.count == 4, numbers[2...].allSatisfy(Self.lengths.contains) else {
            return nil
        }
        return (numbers[2], numbers[3])
    }

    /// Parses a CSS length with a unit; nil for percentages.
    private static func pixels(_ text: String) -> Double? {
        let factors = [
            "": 1, "px": 1, "pt": 4.0 / 3, "pc": 16, "in": 96, "cm": 96 / 2.54, "mm": 9.6 / 2.54,
            "em": 16, "ex": 8,
        ]
        let text = text.filter { !$0.isWhitespace }
        let end = text.lastIndex { $0.isNumber || $0 == "." }.map(text.index(after:))
        guard let end, let factor = factors[String(text[end...])],
            let number = Double(text[..<end]), lengths.contains(number)
        else { return nil }
        return number * factor
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
