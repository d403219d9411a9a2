public import Basics

/// The bytes of a file, which may end anywhere: in an array, in borrowed memory that must outlive this value, or read as they are needed.
///
/// Every access is bounds-checked, as in an array; none of the methods can trap.
public struct FileBytes: RandomAccessCollection {
    private enum Storage {
        case array([UInt8])
        case memory(Bytes)
        case file(FilePieces)
    }

    private let storage: Storage
    /// The file of which these bytes are the beginning; negative if they are all.
    private let file: Int32
    /// The place of the first byte in the file, of which this may be a part.
    let start: Int
    /// The number of bytes.
    public let endIndex: Int
    /// Always zero.
    public var startIndex: Int { 0 }

    private init(_ storage: Storage, start: Int = 0, count: Int, file: Int32 = -1) {
        self.storage = storage
        self.start = start
        endIndex = count
        self.file = file
    }

    /// Wraps an array, which may be the beginning of an open file.
    public init(_ bytes: [UInt8], of file: Int32 = -1) {
        self.init(.array(bytes), count: bytes.count, file: file)
    }

    /// Borrows memory, which may hold the beginning of an open file.
    public init(lent memory: Bytes, of file: Int32 = -1) {
        self.init(.memory(memory), count: memory.count, file: file)
    }

    /// The first pieces of `file` that are asked for, in any order; what cannot be read or is too much reads as zeros.
    public init(piecesOf file: OpenFile) {
        self.init(.file(FilePieces(file)), count: Int(clamping: file.identity.size))
    }

    /// The byte at `position`.
    public subscript(position: Int) -> UInt8 {
        precondition(indices.contains(position))
        return UInt8(byte(position) ?? 0)
    }

    /// Always calls `body`, unless the bytes are read as they are needed.
    public func withContiguousStorageIfAvailable<Result>(
        _ body: (Bytes) throws -> Result
    ) rethrows -> Result? {
        func own(_ bytes: Bytes) throws -> Result {
            try body(Bytes(rebasing: bytes[start..<start + endIndex]))
        }
        switch storage {
        case .array(let bytes): return try bytes.withUnsafeBufferPointer(own)
        case .memory(let bytes): return try own(bytes)
        case .file: return nil
        }
    }

    /// Calls `body` with a pointer, a count and the file for C; the pointer may be nil if there are no bytes.
    func withPointer<Result>(_ body: (UnsafePointer<UInt8>?, Int, Int32) -> Result) -> Result {
        withContiguousStorageIfAvailable { body($0.baseAddress, $0.count, file) }
            ?? body(nil, 0, file)
    }

    /// Returns up to `length` bytes from `offset` on, truncated to those present.
    func part(_ offset: Int, length: Int = .max) -> FileBytes {
        guard indices.contains(offset), length >= 0 else { return FileBytes([]) }
        return FileBytes(storage, start: start + offset, count: Swift.min(length, count - offset))
    }

    /// Returns the byte at `offset`; nil beyond the end, and if it cannot be read.
    func byte(_ offset: Int) -> Int? {
        guard indices.contains(offset) else { return nil }
        return switch storage {
        case .array(let bytes): Int(bytes[start + offset])
        case .memory(let bytes): Int(bytes[start + offset])
        case .file(let pieces): pieces.byte(start + offset).map { Int($0) }
        }
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

/// The pieces of a file that a header's parser has asked for, up to a limit.
private final class FilePieces {
    private static let length = 4096
    private static let maxCount = 64

    private let file: OpenFile
    private var pieces: [Int: [UInt8]] = [:]

    init(_ file: OpenFile) { self.file = file }

    /// The byte at `position`; nil beyond the end and the limit.
    func byte(_ position: Int) -> UInt8? {
        let (number, offset) = position.quotientAndRemainder(dividingBy: Self.length)
        if pieces[number] == nil {
            guard pieces.count < Self.maxCount else { return nil }
            pieces[number] = file.piece(at: position - offset)
        }
        return pieces[number].flatMap { $0.indices.contains(offset) ? $0[offset] : nil }
    }
}
