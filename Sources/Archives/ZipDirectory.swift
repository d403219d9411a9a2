import Basics
import Glibc

/// The directory at the end of a zip archive, by which its files are found without reading the rest.
///
/// PKWARE's APPNOTE.TXT 6.3.10, sections 4.3.12 to 4.3.16 and 4.5.3.
public struct ZipDirectory {
    /// The number of bytes at the end of an archive that have the directories of most: of some 500 files.
    public static let usualLength = 64 << 10
    private static let headerLength = 46
    private static let recordLength = 22
    /// The length of what large archives have before that record: another with larger numbers, and its place.
    private static let largeLength = 76
    /// The number that stands for a larger one.
    private static let unfit = 0xFFFF_FFFF

    /// The directory, and what follows it; the directory's beginning may be missing.
    public let bytes: [UInt8]
    /// The bytes of the archive with what is missing of the directory.
    public let missing: Range<Int>
    /// The number of bytes of the directory.
    private let count: Int

    /// Finds the directory in the last bytes of an archive; nil if they are not those of one.
    public init?(in tail: [UInt8]) {
        let record = tail.indices.dropLast(Self.recordLength - 1).last { start in
            tail[start...].starts(with: "PK\u{5}\u{6}".bytes)
                && start + Self.recordLength + tail[start + 20, 2] == tail.count
        }
        guard let record else { return nil }
        let large = record - Self.largeLength
        let isLarge = large >= 0 && tail[large...].starts(with: "PK\u{6}\u{6}".bytes)
        let end = isLarge ? large : record
        let length = isLarge ? tail[large + 40, 8] : tail[record + 12, 4]
        let start = isLarge ? tail[large + 48, 8] : tail[record + 16, 4]
        count = min(end, length)
        bytes = Array(tail[(end - count)...])
        missing = start..<start + length - count
    }

    /// The name of a file, its size in bytes, the seconds since 1970 when it was changed, and the bytes of the archive with it, from its own
    /// header on.
    typealias File = (name: [UInt8], count: Int, changed: Int, part: Range<Int>)

    /// The files in the order of their data.
    var files: [File] {
        var files: [File] = []
        var start = 0
        while start + Self.headerLength <= count, bytes[start...].starts(with: "PK\u{1}\u{2}".bytes)
        {
            let name = start + Self.headerLength
            let nameEnd = min(count, name + bytes[start + 28, 2])
            let next = nameEnd + bytes[start + 30, 2] + bytes[start + 32, 2]
            let size = bytes[start + 24, 4]
            var place = bytes[start + 42, 4]
            if place == Self.unfit {
                let larger = [size, bytes[start + 20, 4]].count { $0 == Self.unfit }
                place = largePlace(in: nameEnd..<min(count, next), after: larger)
            }
            files.append(
                (Array(bytes[name..<nameEnd]), size, timeOfDOS(at: start + 12), place..<Int.max))
            start = next
        }
        files.sort { $0.part.lowerBound < $1.part.lowerBound }
        // A file ends where the next begins, since its own header has any length.
        var end = missing.lowerBound
        for index in files.indices.reversed() {
            files[index].part = min(files[index].part.lowerBound, end)..<end
            end = files[index].part.lowerBound
        }
        return files.filter { $0.name.last != "/" && !$0.part.isEmpty }
    }

    /// Returns the local time at `start` in seconds since 1970: bits for hour, minute and half the second, then for year, month and day.
    private func timeOfDOS(at start: Int) -> Int {
        let (time, date) = (Int32(bytes[start, 2]), Int32(bytes[start + 2, 2]))
        var parts = tm()
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (time >> 11, time >> 5 & 63, time << 1 & 63)
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (
            date >> 9 + 80, (date >> 5 & 15) - 1, date & 31
        )
        parts.tm_isdst = -1
        return mktime(&parts)
    }

    /// Returns where a file beyond 4 GB begins, from the fields after its name, where so many other numbers precede it.
    private func largePlace(in fields: Range<Int>, after others: Int) -> Int {
        var start = fields.lowerBound
        while start + 12 + 8 * others <= fields.upperBound {
            if bytes[start, 2] == 1 { return bytes[start + 4 + 8 * others, 8] }
            start += 4 + bytes[start + 2, 2]
        }
        return .max
    }
}

extension [UInt8] {
    /// The number at `start` in so many bytes, the lowest first, up to 2⁴⁸.
    fileprivate subscript(start: Int, length: Int) -> Int {
        Swift.min(
            self[start..<start + length].reversed().reduce(0) { $0 << 8 | Int($1) } & .max, 1 << 48)
    }
}
