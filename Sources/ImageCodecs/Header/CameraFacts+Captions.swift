import Basics
import Markup

extension CameraFacts {
    /// The longest XMP packet that is read, in bytes; Lightroom's with a long editing history have some ten thousand.
    private static let longestPacket = 128 << 10

    /// Reads an XMP packet (ISO 16684-1, 8.3 and 8.4).
    mutating func read(xmp block: FileBytes) {
        let packet = Document(xml: Array(block.prefix(Self.longestPacket)))
        // The first element alone: those of a hostile packet may be nested.
        func texts(_ property: String) -> [String] {
            let element = packet.name(property).flatMap { packet.elements($0).first }
            return element?.descendants.filter(\.isText).map(\.textContent).nonEmpty
                ?? []
        }
        // Titles and descriptions come in several languages, the default one first.
        about = Self.about(
            ["dc:title", "dc:description"].compactMap { texts($0).first }, texts("dc:subject"))
        // A simple property is an attribute or an element.
        func text(_ property: String) -> String? {
            packet.root.descendants.lazy.compactMap { $0.attribute(property) }.first
                ?? texts(property).first
        }
        rating = text("xmp:Rating").flatMap { Int($0) } ?? rating
        date =
            date
            ?? ["exif:DateTimeOriginal", "photoshop:DateCreated", "xmp:CreateDate"].lazy
            .compactMap { text($0).flatMap(Self.date) }.first
    }

    /// Reads a JPEG's Photoshop block, whose resource 0404 holds IPTC records (IIM 4.2, chapters 3 and 6).
    static func about(iptc block: FileBytes) -> String? {
        var offset = 0
        while block.has("8BIM", at: offset), let kind = block.bigEndian(offset + 4, length: 2),
            let name = block.byte(offset + 6)
        {
            // The name and its length take an even number of bytes, and so do the data.
            let data = offset + 6 + (name + 2) & ~1 + 4
            guard let length = block.bigEndian(data - 4, length: 4) else { return nil }
            if kind == 0x0404 { return about(records: block.part(data, length: length)) }
            offset = data + (length + 1) & ~1
        }
        return nil
    }

    private static func about(records: FileBytes) -> String? {
        var texts: [Int: [String]] = [:]
        var offset = 0
        while records.byte(offset) == 0x1C, let kind = records.bigEndian(offset + 1, length: 2),
            let length = records.bigEndian(offset + 3, length: 2)
        {
            texts[kind, default: []].append(String(utf8: records.part(offset + 5, length: length)))
            offset += 5 + length
        }
        // Object name, caption and keywords of the second record.
        return about((texts[0x0205] ?? []) + (texts[0x0278] ?? []), texts[0x0219] ?? [])
    }

    private static func about(_ sentences: [String], _ keywords: [String]) -> String? {
        let line = (sentences + [keywords.joined(separator: ", ")]).nonEmpty
            .joined(separator: " · ").oneLine(limit: 500)
        return line.isEmpty ? nil : line
    }
}
