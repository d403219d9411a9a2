public import Network

/// Addresses that have been seen, eight bytes each.
///
/// Keeps their hashes only: 64 bits under a key drawn anew in every process, so that no page can make two agree, and of
/// a million addresses any two agree by chance once in 30 million runs (the picture would then be left out).
public struct AddressSet: Sendable {
    private var hashes: Set<Int> = []

    /// Makes an empty set.
    public init() {}

    /// Adds an address; whether it is new.
    public mutating func insert(_ address: Address) -> Bool {
        var text = address.text
        return text.withUTF8 { insert($0) }
    }

    /// Adds the address with this text.
    mutating func insert(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(text))
        return hashes.insert(hasher.finalize()).inserted
    }
}
