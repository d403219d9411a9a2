import Basics

/// The directory at the end of a zip archive, by which its files are found without reading the rest.
///
/// PKWARE's APPNOTE.TXT 6.3.10, sections 4.3.12 to 4.3.16 and 4.5.3.
public struct ZipDirectory {
    /// A file in the archive.
    struct File {
        var name: [UInt8]
        /// The size in bytes, unpacked.
        var count: Int
        var isEncrypted: Bool
        /// The bytes of the archive with the file, from its own header on.
        var part: Range<Int>
    }

    /// The number of bytes at the end of an archive that have the directories of most: of some 500 files.
    public static let usualLength = 64 << 10
    private static let headerLength = 46
    private static let recordLength = 22
    /// The length of what large archives have before that record: another with larger numbers, and its place.
    private static let largeLength = 76
    /// The number that stands for a larger one.
    private static let unfit = 0xFFFF_FFFF

    /// The directory, and the record after it; the directory's beginning may be missing.
    public let bytes: [UInt8]
    /// The bytes of the archive with what is missing of the directory.
    public let missing: Range<Int>
    /// The index in `bytes` of the record that follows the directory.
    private let end: Int

    /// Finds the directory in the last bytes of an archive; nil if they are not those of one.
    public init?(in tail: [UInt8]) {
        let record = tail.indices.dropLast(Self.recordLength - 1).last { start in
            tail[start...].starts(with: "PK\u{5}\u{6}".bytes)
                && start + Self.recordLength + number(2, at: start + 20, in: tail) == tail.count
        }
        guard let record else { return nil }
        let large = record - Self.largeLength
        let isLarge = large >= 0 && tail[large...].starts(with: "PK\u{6}\u{6}".bytes)
        let count =
            isLarge ? number(8, at: large + 40, in: tail) : number(4, at: record + 12, in: tail)
        let start =
            isLarge ? number(8, at: large + 48, in: tail) : number(4, at: record + 16, in: tail)
        let after = isLarge ? large : record
        guard isLarge || max(start, count) < Self.unfit else { return nil }
        bytes = Array(tail[max(0, after - count)...])
        missing = start..<start + max(0, count - after)
        end = min(after, count)
    }

    /// The files, in the order of their data.
    var files: [File] {
        var files: [File] = []
        var start = 0
        while start + Self.headerLength <= end, bytes[start...].starts(with: "PK\u{1}\u{2}".bytes) {
            let name = start + Self.headerLength
            let nameEnd = min(end, name + number(2, at: start + 28, in: bytes))
            let lengths = [20, 24].map { number(4, at: start + $0, in: bytes) }
            let next =
                nameEnd + number(2, at: start + 30, in: bytes)
                + number(2, at: start + 32, in: bytes)
            var offset = number(4, at: start + 42, in: bytes)
            if offset == Self.unfit {
                offset = largeOffset(
                    in: nameEnd..<min(end, next), after: lengths.count { $0 == Self.unfit })
            }
            files.append(
                File(
                    name: Array(bytes[name..<nameEnd]), count: lengths[1],
                    isEncrypted: bytes[start + 8] & 1 > 0, part: offset..<Int.max))
            start = next
        }
        files.sort { $0.part.lowerBound < $1.part.lowerBound }
        // A file ends where the next begins, since its own header has any length.
        var end = missing.lowerBound
        for index in files.indices.reversed() {
            let start = files[index].part.lowerBound
            files[index].part = min(start, end)..<end
            end = min(start, end)
        }
        return files.filter { $0.name.last != "/" && !$0.part.isEmpty }
    }

    /// Returns where a file begins that does so beyond 4 GB, from the fields after its name, in which so many lengths precede it.
    private func largeOffset(in fields: Range<Int>, after lengths: Int) -> Int {
        var start = fields.lowerBound
        while start + 4 <= fields.upperBound {
            let place = start + 4 + 8 * lengths
            if number(2, at: start, in: bytes) == 1, place + 8 <= fields.upperBound {
                return number(8, at: place, in: bytes)
            }
            start += 4 + number(2, at: start + 2, in: bytes)
        }
        return 1 << 48
    }
}

/// Returns the number in so many bytes, the lowest first, up to 2⁴⁸.
private func number(_ length: Int, at start: Int, in bytes: [UInt8]) -> Int {
    min(bytes[start..<start + length].reversed().reduce(0) { $0 << 8 | Int($1) } & .max, 1 << 48)
}
