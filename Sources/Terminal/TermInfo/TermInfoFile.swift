import Glibc

/// Where compiled entries lie: the directories of terminfo(5), in ncurses' order.
struct TermInfoDatabase {
    var directories: [String]

    /// The largest entry that is read; ncurses itself refuses any larger.
    private static let largestEntry = 32_768

    init(environment: [String: String]) {
        var directories: [String] = []
        if let own = environment["TERMINFO"], own.hasPrefix("/") {
            directories.append(own)
        }
        if let home = environment["HOME"], !home.isEmpty {
            directories.append(home + "/.terminfo")
        }
        if let list = environment["TERMINFO_DIRS"] {
            directories += list.split(separator: ":").map(String.init)
        }
        // Debian's, then where others install ncurses.
        directories += [
            "/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo", "/usr/lib/terminfo",
            "/usr/local/share/terminfo",
        ]
        self.directories = directories
    }

    /// The entry called `name`, or nil if there is none that can be read.
    func entry(named name: String) -> TermInfo? {
        guard let first = name.utf8.first, !name.contains("/"), !name.hasPrefix(".") else {
            return nil
        }
        let hexadecimal = String(first, radix: 16)
        for directory in directories {
            // By first letter, or by its code where the file system ignores case.
            for folder in [String(UnicodeScalar(first)), hexadecimal] {
                if let bytes = Self.contents(of: "\(directory)/\(folder)/\(name)"),
                    let entry = try? TermInfo(compiled: bytes)
                {
                    return entry
                }
            }
        }
        return nil
    }

    private static func contents(of path: String) -> [UInt8]? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: largestEntry)
        let count = fread(&bytes, 1, bytes.count, file)
        return count > 0 ? Array(bytes[..<count]) : nil
    }
}

extension TermInfo {
    /// Reads a compiled entry, in either number size.
    ///
    /// A hostile file throws; it never traps.
    init(compiled bytes: [UInt8]) throws(Malformed) {
        var reader = TermInfoReader(bytes: bytes)
        let numberSize = try reader.magic()
        let counts = try reader.counts(5)
        names = try reader.take(counts[0]).filter { $0 != 0 }
        booleans = try reader.take(counts[1])
        reader.align()
        numbers = try reader.numbers(counts[2], size: numberSize)
        let offsets = try reader.offsets(counts[3])
        let table = try reader.take(counts[4])
        strings = try offsets.map { offset throws(Malformed) in
            try TermInfoReader.string(at: offset, in: table)
        }
        reader.align()
        if !reader.isAtEnd {
            try readExtended(&reader, numberSize: numberSize)
        }
    }

    private mutating func readExtended(
        _ reader: inout TermInfoReader, numberSize: Int
    ) throws(Malformed) {
        let counts = try reader.counts(5)
        let flags = try reader.take(counts[0])
        reader.align()
        let values = try reader.numbers(counts[1], size: numberSize)
        let stringOffsets = try reader.offsets(counts[2])
        let nameOffsets = try reader.offsets(counts[0] + counts[1] + counts[2])
        let table = try reader.take(counts[4])
        let texts = try stringOffsets.map { offset throws(Malformed) in
            try TermInfoReader.string(at: offset, in: table)
        }
        // The offsets of the names count from the end of the last value.
        let base = texts.reduce(0) { $0 + ($1.map { $0.count + 1 } ?? 0) }
        let names = try nameOffsets.map { offset throws(Malformed) in
            try TermInfoReader.string(at: offset < 0 ? -1 : offset + base, in: table) ?? []
        }
        extendedBooleans = zip(names, flags).map { Named(name: $0, value: $1) }
        extendedNumbers = zip(names.dropFirst(flags.count), values).map {
            Named(name: $0, value: $1)
        }
        extendedStrings = zip(names.dropFirst(flags.count + values.count), texts).map {
            Named(name: $0, value: $1)
        }
    }
}

private struct TermInfoReader {
    let bytes: [UInt8]
    private var position = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether too little is left for another header.
    var isAtEnd: Bool { position + 10 > bytes.count }

    /// The size of a number in bytes: 2 by the old magic, 4 by that of ncurses 6.1.
    mutating func magic() throws(TermInfo.Malformed) -> Int {
        switch try short() {
        case 0o432: return 2
        case 0o1036: return 4
        default: throw .magic
        }
    }

    mutating func counts(_ count: Int) throws(TermInfo.Malformed) -> [Int] {
        var result: [Int] = []
        for _ in 0..<count {
            let value = try short()
            guard value >= 0 else { throw .structure }
            result.append(value)
        }
        return result
    }

    mutating func take(_ count: Int) throws(TermInfo.Malformed) -> [UInt8] {
        guard position + count <= bytes.count else { throw .structure }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    mutating func align() {
        position += position % 2
    }

    mutating func numbers(_ count: Int, size: Int) throws(TermInfo.Malformed) -> [Int32] {
        let raw = try take(count * size)
        return (0..<count).map { index in
            if size == 2 {
                return Int32(Self.short(in: raw, at: index * 2))
            }
            let word = (0..<4).reduce(UInt32(0)) { $0 | UInt32(raw[index * 4 + $1]) << (8 * $1) }
            return Int32(bitPattern: word)
        }
    }

    mutating func offsets(_ count: Int) throws(TermInfo.Malformed) -> [Int] {
        let raw = try take(count * 2)
        return (0..<count).map { Int(Self.short(in: raw, at: $0 * 2)) }
    }

    /// The text at `offset`, up to its NUL; nil for the negative offsets that mean absent.
    static func string(at offset: Int, in table: [UInt8]) throws(TermInfo.Malformed) -> [UInt8]? {
        guard offset >= 0 else { return nil }
        guard offset < table.count, let end = table[offset...].firstIndex(of: 0) else {
            throw .structure
        }
        return Array(table[offset..<end])
    }

    private mutating func short() throws(TermInfo.Malformed) -> Int {
        Int(Self.short(in: try take(2), at: 0))
    }

    private static func short(in raw: [UInt8], at index: Int) -> Int16 {
        Int16(bitPattern: UInt16(raw[index]) | UInt16(raw[index + 1]) << 8)
    }
}

extension TermInfo {
    /// The entry in the format of ncurses 6.1 and later, whose numbers have 32 bits.
    func compiled() -> [UInt8] {
        var writer = TermInfoWriter()
        let table = TermInfoWriter.table(of: strings)
        writer.shorts([
            0o1036, names.count + 1, booleans.count, numbers.count, strings.count,
            table.bytes.count,
        ])
        writer.bytes += names + [0] + booleans
        writer.align()
        writer.numbers(numbers)
        writer.shorts(table.offsets)
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
        writer.shorts([
            extendedBooleans.count, extendedNumbers.count, extendedStrings.count,
            extendedStrings.count + names.count, values.bytes.count + labels.bytes.count,
        ])
        writer.bytes += extendedBooleans.map(\.value)
        writer.align()
        writer.numbers(extendedNumbers.map(\.value))
        writer.shorts(values.offsets + labels.offsets)
        writer.bytes += values.bytes + labels.bytes
    }

    /// The entry as a value of `$TERMINFO`, which ncurses then takes instead of a file ("quick-dump", terminfo(5)).
    func quickDump() -> String {
        "b64:" + Base64.encode(compiled(), alphabet: .url)
    }
}

private struct TermInfoWriter {
    var bytes: [UInt8] = []

    mutating func shorts(_ values: [Int]) {
        for value in values {
            let word = UInt16(bitPattern: Int16(clamping: value))
            bytes += [UInt8(word & 0xFF), UInt8(word >> 8)]
        }
    }

    mutating func numbers(_ values: [Int32]) {
        for value in values {
            let word = UInt32(bitPattern: value)
            bytes += (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
        }
    }

    /// Numbers and the extended header begin at even offsets.
    mutating func align() {
        if bytes.count % 2 == 1 {
            bytes.append(0)
        }
    }

    /// Texts laid out one after the other, each with its NUL, and where each begins.
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
