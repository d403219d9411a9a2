import Basics

/// Sanitizes an SVG document for a library that cannot be interrupted: removes embedded pictures, whose size could not be checked, entities
/// that multiply, and excessive numbers of effects.
///
/// librsvg itself limits elements (a million, half a million by reference) and XML's depth; and without a base address, a document opens no
/// files or addresses.
struct SVGScreen {
    /// The document, with the names of elements that must not be drawn replaced by meaningless ones.
    let bytes: [UInt8]
    /// Whether anything was removed.
    let isPartial: Bool

    private static let maxBytes = 8 << 20
    private static let maxTags = 250_000
    /// The maximum total expansion of entities, in bytes.
    private static let maxExpanded = 16 << 20
    /// The limits for effects, each of which processes every pixel, and for copies of elements in documents with effects.
    private static let maxEffects = 100
    private static let maxCopies = 100

    /// Checks and sanitizes a document.
    /// - Throws: `DecodeError.broken`.
    init(_ bytes: [UInt8]) throws(DecodeError) {
        guard bytes.count <= Self.maxBytes else { throw .broken(.svg, "it is too long") }
        guard !bytes.contains(0), Self.hasPlainEncoding(bytes) else {
            throw .broken(.svg, "its characters are in an unusual encoding")
        }
        let tags = Self.tags(in: bytes)
        guard tags.count <= Self.maxTags else { throw .broken(.svg, "it has too many elements") }
        guard Self.hasPlainEntities(bytes) else {
            throw .broken(.svg, "it defines entities that hold more than a few words")
        }
        let names = tags.map { bytes[$0] }
        var left: Set = ["image", "feImage", "include"]
        let effects = names.count { $0.starts(with: "fe".utf8) }
        let copies = names.count { $0.elementsEqual("use".utf8) }
        if effects > Self.maxEffects || effects > 0 && copies > Self.maxCopies {
            left.insert("filter")
        }
        var changed = bytes
        var isPartial = false
        for tag in tags where left.contains(where: { bytes[tag].elementsEqual($0.utf8) }) {
            changed.replaceSubrange(tag, with: repeatElement("x", count: tag.count))
            isPartial = true
        }
        // The only number that librsvg does not limit; octaves beyond the ninth change no colour of 8 bits.
        for tag in tags where bytes[tag].elementsEqual("feTurbulence".utf8) {
            let attributes = bytes[tag.upperBound...].prefix { $0 != "<" }
            for name in attributes.ranges(of: Array("numOctaves".utf8)) {
                let value = attributes[name.upperBound...].drop {
                    $0 <= 0x20 || $0 == "="
                }
                let number = value.dropFirst().prefix { $0 != value.first }
                guard number.count > 1 else { continue }
                changed.replaceSubrange(
                    number.indices, with: repeatElement("0", count: number.count))
                changed[number.endIndex - 1] = "9"
            }
        }
        self.bytes = changed
        self.isPartial = isPartial
    }

    /// Returns the ranges of tag names, without prefixes, including apparent tags in comments.
    private static func tags(in bytes: [UInt8]) -> [Range<Int>] {
        let ends = Set(" \t\r\n/>".utf8)
        var tags: [Range<Int>] = []
        var index = 0
        while index < bytes.count {
            defer { index += 1 }
            guard bytes[index] == "<" else { continue }
            var start = index + 1
            if start < bytes.count, bytes[start] == "/" { start += 1 }
            var end = start
            while end < bytes.count, !ends.contains(bytes[end]), bytes[end] != "<" {
                if bytes[end] == ":" { start = end + 1 }
                end += 1
            }
            tags.append(start..<end)
        }
        return tags
    }

    /// Returns whether markup is encoded as in ASCII.
    private static func hasPlainEncoding(_ bytes: [UInt8]) -> Bool {
        let head = String(utf8: bytes.prefix(200)).lowercased()
        guard head.drop(while: { $0 != "<" }).hasPrefix("<?xml"),
            let declaration = head.split(separator: ">").first,
            let place = declaration.firstRange(of: "encoding")
        else { return true }
        let name = declaration[place.upperBound...].drop { "= \t\r\n\"'".contains($0) }
        return ["utf-8", "us-ascii", "ascii", "iso-8859-", "windows-125"].contains {
            name.hasPrefix($0)
        }
    }

    /// Returns whether no entity contains markup or other entities, and their total expansion is small.
    private static func hasPlainEntities(_ bytes: [UInt8]) -> Bool {
        var longest = 0
        var rest = bytes[...]
        while let start = rest.firstIndex(of: "<") {
            rest = rest[(start + 1)...]
            guard rest.starts(with: "!ENTITY".utf8) else { continue }
            let after = rest.dropFirst("!ENTITY".utf8.count)
            guard let quote = after.firstIndex(where: { $0 == 0x22 || $0 == 0x27 }),
                let end = after[(quote + 1)...].firstIndex(of: after[quote])
            else { return false }
            // Only the name may precede the value: no `%`, no SYSTEM, no PUBLIC.
            let words = after[..<quote].split { $0 <= 0x20 }
            let value = after[(quote + 1)..<end]
            guard words.count == 1, !value.contains(where: { [0x3C, 0x26, 0x25].contains($0) })
            else { return false }
            longest = max(longest, value.count)
            rest = after[end...]
        }
        guard longest > 0 else { return true }
        return bytes.count { $0 == "&" } * longest <= maxExpanded
    }
}
