extension ImageEncoder {
    /// Builds a file like a camera's: the JPEG `main` preceded by an EXIF thumbnail, and followed by larger previews as in a multi-picture
    /// file.
    ///
    /// Layout: EXIF 2.32, 4.5; CIPA DC-007, 5.2.
    public static func jpeg(
        _ main: [UInt8], thumbnail: [UInt8]? = nil, previews: [[UInt8]] = [], orientation: Int = 1
    ) -> [UInt8] {
        let start = main.prefix(2)
        let exif = segment(0xE1, Array("Exif\0\0".utf8) + tags(orientation, thumbnail))
        guard !previews.isEmpty else { return start + exif + main.dropFirst(2) }
        // The length of the index does not depend on its values.
        let index = { (size: Int) in
            segment(0xE2, Array("MPF\0".utf8) + list(of: previews, mainSize: size))
        }
        let size = main.count + exif.count + index(0).count
        // Its offsets are relative to the position after its name.
        let base = 2 + exif.count + 8
        let picture =
            start + exif
            + segment(
                0xE2, Array("MPF\0".utf8) + list(of: previews, mainSize: size, from: base))
            + main.dropFirst(2)
        return previews.reduce(Array(picture), +)
    }

    private static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [0xFF, marker] + number(payload.count + 2, 2) + payload
    }

    private static func number(_ value: Int, _ length: Int) -> [UInt8] {
        (0..<length).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    /// Returns a directory entry: a tag, a type, a count, and the value or its offset.
    private static func entry(_ tag: Int, _ type: Int, _ value: Int, count: Int = 1) -> [UInt8] {
        let isShort = type == 3
        let start = number(tag, 2) + number(type, 2) + number(count, 4)
        return start + (isShort ? number(value, 2) + [0, 0] : number(value, 4))
    }

    private static func tags(_ orientation: Int, _ thumbnail: [UInt8]?) -> [UInt8] {
        let short = 3
        let long = 4
        let header = Array("MM\0*".utf8) + number(8, 4)
        let first = number(1, 2) + entry(0x0112, short, orientation)
        guard let thumbnail else { return header + first + number(0, 4) }
        let second = header.count + first.count + 4
        let entries = [(0x0103, short, 6), (0x0201, long, 0), (0x0202, long, thumbnail.count)]
        let end = second + 2 + entries.count * 12 + 4
        var bytes = header + first + number(second, 4) + number(entries.count, 2)
        for (tag, type, value) in entries {
            bytes += entry(tag, type, tag == 0x0201 ? end : value)
        }
        return bytes + number(0, 4) + thumbnail
    }

    /// Returns the index of a multi-picture file: the picture itself, then the previews as large thumbnails.
    private static func list(of previews: [[UInt8]], mainSize: Int, from base: Int = 0) -> [UInt8] {
        let long = 4
        let undefined = 7
        let entryLength = 16
        let count = previews.count + 1
        let header = Array("MM\0*".utf8) + number(8, 4)
        let end = header.count + 2 + 3 * 12 + 4
        var directory = number(3, 2) + entry(0xB000, undefined, 0x3031_3030, count: 4)
        directory += entry(0xB001, long, count)
        directory += entry(0xB002, undefined, end, count: count * entryLength) + number(0, 4)
        var offset = mainSize - base
        var entries = number(0x2003_0000, 4) + number(mainSize, 4) + number(0, 8)
        for (index, preview) in previews.enumerated() {
            entries += number(index == 0 ? 0x01_0001 : 0x01_0002, 4) + number(preview.count, 4)
            entries += number(offset, 4) + number(0, 4)
            offset += preview.count
        }
        return header + directory + entries
    }
}
