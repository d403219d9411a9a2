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

/// Takes a compiled entry apart from front to back.
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

    /// Numbers begin at an even offset.
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
