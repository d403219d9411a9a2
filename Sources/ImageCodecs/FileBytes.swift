/// The bytes of a file where they lie: in an array, or in memory that is lent and must outlive this.
///
/// Every access is checked, as an array's is.
public struct FileBytes: RandomAccessCollection {
    private enum Storage {
        case array([UInt8])
        case memory(UnsafeBufferPointer<UInt8>)
    }

    private let storage: Storage
    /// How many there are.
    public let endIndex: Int
    /// Zero.
    public var startIndex: Int { 0 }

    /// Holds an array.
    public init(_ bytes: [UInt8]) { (storage, endIndex) = (.array(bytes), bytes.count) }

    /// Borrows memory.
    public init(lent memory: UnsafeBufferPointer<UInt8>) {
        (storage, endIndex) = (.memory(memory), memory.count)
    }

    /// The byte at a place.
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

    /// Calls `body` with what C reads; nothing if there are no bytes.
    func withPointer<Result>(_ body: (UnsafePointer<UInt8>?, Int) -> Result) -> Result {
        switch storage {
        case .array(let bytes): bytes.withUnsafeBufferPointer { body($0.baseAddress, $0.count) }
        case .memory(let bytes): body(bytes.baseAddress, bytes.count)
        }
    }
}
