import Basics

/// The directories of compiled entries, in ncurses' order (terminfo(5)).
struct TermInfoDatabase {
    private let directories: [String]

    /// The largest entry that is read; ncurses rejects larger ones.
    private static let maxEntry = 32_768

    init(environment: EnvironmentVariables) {
        let own = [environment["TERMINFO"], environment["HOME"].map { $0 + "/.terminfo" }]
        let others = environment["TERMINFO_DIRS"]?.split(separator: ":").map(String.init) ?? []
        // Debian's directories first, then those of other distributions and local installations.
        let common = [
            "/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo", "/usr/lib/terminfo",
            "/usr/local/share/terminfo",
        ]
        directories = own.compactMap(\.self) + others + common
    }

    func entry(named name: String) -> TermInfo? {
        guard let first = name.utf8.first, !name.contains("/"), !name.hasPrefix(".") else {
            return nil
        }
        // By first letter, or by its code on case-insensitive file systems.
        let folders = [String(UnicodeScalar(first)), String(first, radix: 16)]
        let paths = directories.flatMap { folder in folders.map { "\(folder)/\($0)/\(name)" } }
        for path in paths {
            if let bytes = smallFile(path, limit: Self.maxEntry),
                let entry = try? TermInfo(compiled: bytes)
            {
                return entry
            }
        }
        return nil
    }
}

extension TermInfo {
    /// A file is not a compiled entry: wrong magic number, truncated, a negative count, or an offset out of range.
    struct Malformed: Error {}

    /// Creates the entry from a compiled file with 16-bit or 32-bit numbers.
    ///
    /// A malicious file throws; it never traps.
    init(compiled bytes: [UInt8]) throws {
        var reader = TermInfoReader(bytes: bytes)
        // The size of a number: by the old magic number, or by the one of ncurses 6.1.
        guard let size = [0o432: 2, 0o1036: 4][try reader.numbers(1)[0]] else { throw Malformed() }
        let counts = try reader.counts()
        names = try reader.take(counts[0]).filter { $0 != 0 }
        booleans = try reader.take(counts[1])
        reader.align()
        numbers = try reader.numbers(counts[2], size: size).map(Int32.init)
        let offsets = try reader.numbers(counts[3])
        let table = try reader.take(counts[4])
        strings = try offsets.map { try TermInfoReader.string(at: $0, in: table) }
        reader.align()
        if reader.hasHeader { try readExtended(&reader, numberSize: size) }
    }

    private mutating func readExtended(_ reader: inout TermInfoReader, numberSize: Int) throws {
        let counts = try reader.counts()
        let flags = try reader.take(counts[0])
        reader.align()
        let values = try reader.numbers(counts[1], size: numberSize).map(Int32.init)
        let stringOffsets = try reader.numbers(counts[2])
        let nameOffsets = try reader.numbers(counts[0] + counts[1] + counts[2])
        let table = try reader.take(counts[4])
        let texts = try stringOffsets.map { try TermInfoReader.string(at: $0, in: table) }
        // Name offsets are relative to the end of the last string value.
        let base = texts.reduce(0) { $0 + ($1.map { $0.count + 1 } ?? 0) }
        let names = try nameOffsets.map {
            try TermInfoReader.string(at: $0 < 0 ? -1 : $0 + base, in: table) ?? []
        }
        extendedBooleans = zip(names, flags).map(Named.init)
        extendedNumbers = zip(names.dropFirst(flags.count), values).map(Named.init)
        extendedStrings = zip(names.dropFirst(flags.count + values.count), texts).map(Named.init)
    }
}

private struct TermInfoReader {
    let bytes: [UInt8]
    var position = 0

    /// Whether enough bytes are left for another header.
    var hasHeader: Bool { position + 10 <= bytes.count }

    mutating func counts() throws -> [Int] {
        let counts = try numbers(5)
        guard counts.allSatisfy({ $0 >= 0 }) else { throw TermInfo.Malformed() }
        return counts
    }

    mutating func take(_ count: Int) throws -> [UInt8] {
        guard position + count <= bytes.count else { throw TermInfo.Malformed() }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    mutating func align() { position += position % 2 }

    /// Reads little-endian numbers of `size` bytes, 2 or 4.
    mutating func numbers(_ count: Int, size: Int = 2) throws -> [Int] {
        try take(count * size).withUnsafeBytes { raw in
            stride(from: 0, to: raw.count, by: size).map { at in
                size == 2
                    ? Int(
                        Int16(littleEndian: raw.loadUnaligned(fromByteOffset: at, as: Int16.self)))
                    : Int(
                        Int32(littleEndian: raw.loadUnaligned(fromByteOffset: at, as: Int32.self)))
            }
        }
    }

    /// Returns the NUL-terminated text at `offset`; nil for negative offsets, which mean absent.
    static func string(at offset: Int, in table: [UInt8]) throws -> [UInt8]? {
        guard offset >= 0 else { return nil }
        guard offset < table.count, let end = table[offset...].firstIndex(of: 0) else {
            throw TermInfo.Malformed()
        }
        return Array(table[offset..<end])
    }
}

extension TermInfo {
    /// Returns the entry in the format of ncurses 6.1 and later, with 32-bit numbers.
    func compiled() -> [UInt8] {
        var writer = TermInfoWriter()
        let table = TermInfoWriter.table(of: strings)
        writer.append(shorts: [
            0o1036, names.count + 1, booleans.count, numbers.count, strings.count,
            table.bytes.count,
        ])
        writer.bytes += names + [0] + booleans
        writer.align()
        writer.append(numbers)
        writer.append(shorts: table.offsets)
        writer.bytes += table.bytes
        writer.align()
        writeExtended(to: &writer)
        return writer.bytes
    }

    private func writeExtended(to writer: inout TermInfoWriter) {
        let names =
            extendedBooleans.map(\.name) + extendedNumbers.map(\.name) + extendedStrings.map(\.name)
        guard !names.isEmpty else { return }
        let values = TermInfoWriter.table(of: extendedStrings.map(\.value))
        let labels = TermInfoWriter.table(of: names)
        writer.append(shorts: [
            extendedBooleans.count, extendedNumbers.count, extendedStrings.count,
            extendedStrings.count + names.count, values.bytes.count + labels.bytes.count,
        ])
        writer.bytes += extendedBooleans.map(\.value)
        writer.align()
        writer.append(extendedNumbers.map(\.value))
        writer.append(shorts: values.offsets + labels.offsets)
        writer.bytes += values.bytes + labels.bytes
    }

    /// Returns the entry as a value of `$TERMINFO`, which ncurses uses instead of a file ("quick-dump", terminfo(5)).
    func quickDump() -> String {
        "hex:" + compiled().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

private struct TermInfoWriter {
    var bytes: [UInt8] = []

    mutating func append(shorts values: [Int]) { append(values.map { Int16(clamping: $0) }) }

    mutating func append(_ values: [some FixedWidthInteger]) {
        for value in values { withUnsafeBytes(of: value.littleEndian) { bytes += $0 } }
    }

    /// Pads to an even offset, where numbers and the extended header begin.
    mutating func align() { bytes += bytes.count % 2 == 1 ? [0] : [] }

    /// Returns the concatenated NUL-terminated texts and their offsets, -1 for nil.
    static func table(of strings: [[UInt8]?]) -> (bytes: [UInt8], offsets: [Int]) {
        var bytes: [UInt8] = []
        let offsets = strings.map { string in
            guard let string else { return -1 }
            defer { bytes += string + [0] }
            return bytes.count
        }
        return (bytes, offsets)
    }
}
