public import Basics
import Glibc

/// The bytes of a file in an array, or in borrowed memory that must outlive this value, or read as they are needed.
///
/// Every access is bounds-checked, as in an array.
public struct FileBytes: RandomAccessCollection {
    private enum Storage {
        case array([UInt8])
        case memory(Bytes)
        case file(FilePieces)
    }

    private let storage: Storage
    /// The number of bytes.
    public let endIndex: Int
    /// Always zero.
    public var startIndex: Int { 0 }

    /// Wraps an array.
    public init(_ bytes: [UInt8]) { (storage, endIndex) = (.array(bytes), bytes.count) }

    /// Borrows memory.
    public init(lent memory: Bytes) {
        (storage, endIndex) = (.memory(memory), memory.count)
    }

    /// The first pieces of `file` that are asked for, in any order; what cannot be read or is too much reads as zeros.
    public init(piecesOf file: OpenFile) {
        let pieces = FilePieces(file)
        (storage, endIndex) = (.file(pieces), pieces.fileLength)
    }

    /// The byte at `position`.
    public subscript(position: Int) -> UInt8 {
        precondition(position >= 0 && position < endIndex)
        return byte(at: position) ?? 0
    }

    /// The byte at a position within the file; nil if it cannot be read.
    func byte(at position: Int) -> UInt8? {
        switch storage {
        case .array(let bytes): bytes[position]
        case .memory(let bytes): bytes[position]
        case .file(let pieces): pieces.byte(position)
        }
    }

    /// Always calls `body`.
    public func withContiguousStorageIfAvailable<Result>(
        _ body: (Bytes) throws -> Result
    ) rethrows -> Result? {
        switch storage {
        case .array(let bytes): try bytes.withUnsafeBufferPointer(body)
        case .memory(let bytes): try body(bytes)
        case .file: nil
        }
    }

    /// Calls `body` with a pointer and count for C; the pointer may be nil if there are no bytes.
    func withPointer<Result>(_ body: (UnsafePointer<UInt8>?, Int) -> Result) -> Result {
        switch storage {
        case .array(let bytes): bytes.withUnsafeBufferPointer { body($0.baseAddress, $0.count) }
        case .memory(let bytes): body(bytes.baseAddress, bytes.count)
        case .file: body(nil, 0)
        }
    }
}

/// The pieces of a file that a header's parser has asked for, up to a limit.
private final class FilePieces {
    private static let length = 4096
    private static let maxCount = 64

    let fileLength: Int
    private let file: OpenFile
    private var pieces: [Int: [UInt8]] = [:]

    init(_ file: OpenFile) {
        self.file = file
        fileLength = Int(clamping: file.identity.size)
    }

    /// The byte at `position`; nil beyond the end and the limit.
    func byte(_ position: Int) -> UInt8? {
        let (number, offset) = position.quotientAndRemainder(dividingBy: Self.length)
        if pieces[number] == nil {
            guard pieces.count < Self.maxCount else { return nil }
            pieces[number] = [UInt8](unsafeUninitializedCapacity: Self.length) { buffer, count in
                count = max(
                    0,
                    pread(
                        file.descriptor, buffer.baseAddress, Self.length, off_t(position - offset)))
            }
        }
        return pieces[number].flatMap { $0.indices.contains(offset) ? $0[offset] : nil }
    }
}
