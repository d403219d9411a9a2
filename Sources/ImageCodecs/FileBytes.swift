/// The bytes of a file in an array, or in borrowed memory that must outlive this value.
///
/// Every access is bounds-checked, as in an array.
public struct FileBytes: RandomAccessCollection {
    private enum Storage {
        case array([UInt8])
        case memory(UnsafeBufferPointer<UInt8>)
    }

    private let storage: Storage
    /// The number of bytes.
    public let endIndex: Int
    /// Always zero.
    public var startIndex: Int { 0 }

    /// Wraps an array.
    public init(_ bytes: [UInt8]) { (storage, endIndex) = (.array(bytes), bytes.count) }

    /// Borrows memory.
    public init(lent memory: UnsafeBufferPointer<UInt8>) {
        (storage, endIndex) = (.memory(memory), memory.count)
    }

    /// The byte at `position`.
    public subscript(position: Int) -> UInt8 {
        precondition(position >= 0 && position < endIndex)
        return switch storage {
        case .array(let bytes): bytes[position]
        case .memory(let bytes): bytes[position]
        }
    }

    /// Always calls `body`.
    public func withContiguousStorageIfAvailable<Result>(
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result? {
        switch storage {
        case .array(let bytes): try bytes.withUnsafeBufferPointer(body)
        case .memory(let bytes): try body(bytes)
        }
    }

    /// Calls `body` with a pointer and count for C; the pointer may be nil if there are no bytes.
    func withPointer<Result>(_ body: (UnsafePointer<UInt8>?, Int) -> Result) -> Result {
        switch storage {
        case .array(let bytes): bytes.withUnsafeBufferPointer { body($0.baseAddress, $0.count) }
        case .memory(let bytes): body(bytes.baseAddress, bytes.count)
        }
    }
}
