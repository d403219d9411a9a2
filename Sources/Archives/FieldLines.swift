import Basics

/// Lines `Name: value` up to an empty one, as mail, HTTP and WARC have them; folded lines are joined.
struct FieldLines {
    /// Names in lower case.
    private(set) var fields: [(name: String, value: String)] = []
    /// Bytes up to what follows the empty line; nil if it was not found.
    private(set) var count: Int?

    /// A head is small; what is longer is none.
    static let maxBytes = 64 << 10
    private static let maxFields = 200

    /// Reads from the start of `bytes`.
    init(_ bytes: ArraySlice<UInt8>) {
        var at = bytes.startIndex
        let end = min(bytes.endIndex, at + Self.maxBytes)
        while at < end, let feed = bytes[at..<end].firstIndex(of: 0x0A) {
            var line = bytes[at..<feed]
            if line.last == 0x0D { line.removeLast() }
            at = feed + 1
            if line.isEmpty {
                count = at - bytes.startIndex
                return
            }
            take(line)
        }
    }

    private mutating func take(_ line: ArraySlice<UInt8>) {
        let isFolded = line.first == 0x20 || line.first == 0x09
        if isFolded, !fields.isEmpty {
            fields[fields.count - 1].value += " " + Self.text(line)
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")), fields.count < Self.maxFields
        {
            fields.append((Self.text(line[..<colon]).lowercased(), Self.text(line[(colon + 1)...])))
        }
    }

    /// The first field of that name.
    subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// `charset=utf-8`, `boundary="…"` behind the first semicolon of a value.
    static func parameter(_ name: String, of value: String?) -> String? {
        guard let value else { return nil }
        for part in value.split(separator: ";").dropFirst() {
            let sides = part.split(separator: "=", maxSplits: 1).map { trimmed($0[...]) }
            if sides.count == 2, sides[0].lowercased() == name {
                return String(sides[1].filter { $0 != "\"" })
            }
        }
        return nil
    }

    /// The first word of a value, in lower case: `text/html` of `text/html; charset=utf-8`.
    static func word(_ value: String?) -> String? {
        value.map { trimmed($0.prefix { $0 != ";" }).lowercased() }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        trimmed(String(decoding: bytes, as: UTF8.self)[...])
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text).withoutControls
    }
}
