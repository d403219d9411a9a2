/// Reads numbers out of a file that may end anywhere; nothing here can trap.
struct ByteReader {
    private let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    /// `length` bytes from `offset` on; nil unless all of them are there.
    func slice(_ offset: Int, length: Int) -> ArraySlice<UInt8>? {
        guard offset >= 0, length >= 0, offset <= count, length <= count - offset else {
            return nil
        }
        let start = bytes.startIndex + offset
        return bytes[start..<start + length]
    }

    /// Everything from `offset` on.
    func rest(from offset: Int) -> ByteReader {
        part(offset, length: count)
    }

    /// Nil beyond the end.
    func byte(_ offset: Int) -> Int? {
        guard offset >= 0, offset < bytes.count else { return nil }
        return Int(bytes[bytes.startIndex + offset])
    }

    /// `length` bytes, the highest first; nil beyond the end.
    func bigEndian(_ offset: Int, length: Int) -> Int? {
        var value = 0
        for index in 0..<length {
            guard let byte = byte(offset + index) else { return nil }
            value = value << 8 | byte
        }
        return value
    }

    /// `length` bytes, the lowest first; nil beyond the end.
    func littleEndian(_ offset: Int, length: Int) -> Int? {
        var value = 0
        for index in 0..<length {
            guard let byte = byte(offset + index) else { return nil }
            value |= byte << (index * 8)
        }
        return value
    }

    /// Whether `text` stands at `offset`.
    func has(_ text: StaticString, at offset: Int) -> Bool {
        text.withUTF8Buffer { text in
            text.indices.allSatisfy { byte(offset + $0) == Int(text[$0]) }
        }
    }

    /// What lies in `range`, as far as there is anything.
    func part(_ offset: Int, length: Int) -> ByteReader {
        guard offset >= 0, length >= 0, offset < bytes.count else { return ByteReader([]) }
        let start = bytes.startIndex + offset
        return ByteReader(bytes[start..<start + min(length, bytes.count - offset)])
    }
}
