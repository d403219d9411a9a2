/// EXIF metadata as written by cameras: a little-endian TIFF of directories.
public enum ExifBlock {
    /// A tag, its type, the number of values, and their bytes.
    public typealias Entry = (tag: Int, type: Int, count: Int, bytes: [UInt8])

    /// Returns `value` in `count` bytes, little-endian.
    public static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// Returns a text entry.
    public static func text(_ tag: Int, _ text: String) -> Entry {
        (tag, 2, text.utf8.count + 1, Array(text.utf8) + [0])
    }

    /// Returns an entry of rationals.
    public static func fractions(_ tag: Int, _ numbers: [(Int, Int)]) -> Entry {
        (tag, 5, numbers.count, numbers.flatMap { little($0.0, 4) + little($0.1, 4) })
    }

    /// Returns an integer entry.
    public static func number(_ tag: Int, _ value: Int) -> Entry { (tag, 4, 1, little(value, 4)) }

    /// Returns a directory that starts at `start`, followed by the values that do not fit into it.
    public static func directory(_ entries: [Entry], at start: Int) -> [UInt8] {
        var head = little(entries.count, 2)
        var data: [UInt8] = []
        let dataStart = start + 2 + entries.count * 12 + 4
        for entry in entries {
            head += little(entry.tag, 2) + little(entry.type, 2) + little(entry.count, 4)
            if entry.bytes.count <= 4 {
                head += entry.bytes + Array(repeating: 0, count: 4 - entry.bytes.count)
            } else {
                head += little(dataStart + data.count, 4)
                data += entry.bytes
            }
        }
        return head + little(0, 4) + data
    }

    /// Returns a block with these three directories.
    public static func tiff(_ main: [Entry], _ details: [Entry], _ position: [Entry]) -> [UInt8] {
        let detailsAt = 4096
        let positionAt = 8192
        let links = [number(0x8769, detailsAt), number(0x8825, positionAt)]
        var bytes = Array("II*\0".utf8) + little(8, 4) + directory(main + links, at: 8)
        bytes += Array(repeating: 0, count: detailsAt - bytes.count)
        bytes += directory(details, at: detailsAt)
        bytes += Array(repeating: 0, count: positionAt - bytes.count)
        return bytes + directory(position, at: positionAt)
    }

    /// Returns a JPEG segment that contains the block.
    public static func segment(_ tiff: [UInt8]) -> [UInt8] {
        let exif = Array("Exif\0\0".utf8) + tiff
        let length = exif.count + 2
        return [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + exif
    }

    /// A block with every tag that is read, and an escape character in a name.
    public static let camera = tiff(
        [text(0x010F, "FUJIFILM"), text(0x0110, "X-T5")],
        [
            fractions(0x829A, [(1, 250)]), fractions(0x829D, [(28, 10)]),
            number(0x8827, 400), text(0x9003, "2024:06:01 10:11:12"),
            fractions(0x920A, [(35, 1)]), text(0xA434, "XF35\u{1B}[31m F1.4"),
        ],
        [
            text(1, "N"), fractions(2, [(60, 1), (30, 1), (0, 1)]),
            text(3, "W"), fractions(4, [(5, 1), (15, 1), (36, 1)]),
        ])
}
