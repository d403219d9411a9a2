/// Reads numbers from a file that may be truncated anywhere; nothing here can trap.
struct ByteReader {
    private let bytes: Slice<FileBytes>

    init(_ bytes: Slice<FileBytes>) { self.bytes = bytes }

    init(_ bytes: [UInt8]) { self.init(FileBytes(bytes)[...]) }

    var count: Int { bytes.count }

    /// Returns the place in the file of the byte at `offset`.
    func position(of offset: Int) -> Int { bytes.startIndex + offset }

    /// Returns `length` bytes from `offset` on; nil unless all of them are present.
    func slice(_ offset: Int, length: Int) -> Slice<FileBytes>? {
        guard offset >= 0, length >= 0, offset <= count, length <= count - offset else {
            return nil
        }
        let start = bytes.startIndex + offset
        return bytes[start..<start + length]
    }

    /// Returns a reader for up to `length` bytes from `offset` on, truncated to those present.
    func part(_ offset: Int, length: Int = .max) -> ByteReader {
        guard offset >= 0, length >= 0, offset < bytes.count else {
            return ByteReader(bytes.prefix(0))
        }
        let start = bytes.startIndex + offset
        return ByteReader(bytes[start..<start + min(length, bytes.count - offset)])
    }

    /// Returns the byte at `offset`; nil beyond the end.
    func byte(_ offset: Int) -> Int? {
        guard offset >= 0, offset < bytes.count else { return nil }
        return bytes.base.byte(at: bytes.startIndex + offset).map { Int($0) }
    }

    /// Returns a big-endian number of `length` bytes; nil beyond the end.
    func bigEndian(_ offset: Int, length: Int) -> Int? {
        var value = 0
        for index in 0..<length {
            guard let byte = byte(offset + index) else { return nil }
            value = value << 8 | byte
        }
        return value
    }

    /// Returns a little-endian number of `length` bytes; nil beyond the end.
    func littleEndian(_ offset: Int, length: Int) -> Int? {
        bigEndian(offset, length: length).map { Int(UInt64($0).byteSwapped >> (64 - length * 8)) }
    }

    func number(_ offset: Int, length: Int, isLittleEndian: Bool) -> Int? {
        isLittleEndian ? littleEndian(offset, length: length) : bigEndian(offset, length: length)
    }

    /// Returns whether `text` is at `offset`.
    func has(_ text: StaticString, at offset: Int) -> Bool {
        text.withUTF8Buffer { text in
            text.indices.allSatisfy { byte(offset + $0) == Int(text[$0]) }
        }
    }
}
