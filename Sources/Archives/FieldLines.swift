import Basics

/// The `Name: value` lines of a mail, HTTP or WARC header, up to the empty line; folded lines are joined.
struct FieldLines {
    /// The fields, with names in lower case.
    private(set) var fields: [(name: String, value: String)] = []
    /// The length of the header in bytes, including the empty line; nil if that was not found.
    private(set) var count: Int?

    /// Maximum length in bytes; anything longer is not taken for a header.
    static let maxBytes = 64 << 10
    private static let maxFields = 200

    /// Parses from the start of `bytes`.
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
            fields[fields.count - 1].value += " " + line.withUnsafeBytes(fieldText)
        } else if fields.count < Self.maxFields, let field = line.withUnsafeBytes(headerField) {
            fields.append(field)
        }
    }

    /// The first field with that name.
    subscript(name: String) -> String? { fields.first { $0.name == name }?.value }
}
