/// Answers about the values of a page's attributes, each worked out about once: pages repeat their classes.
///
/// A direct-mapped cache.
struct ValueCache<Answer> {
    /// A value seen before; its bytes are the page's.
    private struct Known {
        var bytes: UnsafeBufferPointer<UInt8>
        var answer: Answer
    }

    private var known: [Known]
    /// A power of two.
    private static var slots: Int { 1024 }

    /// - Parameter none: the answer for an empty value.
    init(none: Answer) {
        let empty = Known(bytes: UnsafeBufferPointer(start: nil, count: 0), answer: none)
        known = Array(repeating: empty, count: ValueCache.slots)
    }

    /// What `make` answers for a value; its bytes must live as long as this.
    mutating func answer(
        for value: UnsafeBufferPointer<UInt8>, _ make: (UnsafeBufferPointer<UInt8>) -> Answer
    ) -> Answer {
        let slot = ValueCache.slot(of: value)
        if known[slot].bytes.equals(value) { return known[slot].answer }
        let answer = make(value)
        known[slot] = Known(bytes: value, answer: answer)
        return answer
    }

    /// Length and both ends tell most values apart.
    private static func slot(of value: UnsafeBufferPointer<UInt8>) -> Int {
        let bytes = UnsafeRawBufferPointer(value)
        let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
        var hash = UInt64(bytes.count)
        if bytes.count >= 8 {
            hash = (hash ^ bytes.loadUnaligned(as: UInt64.self)) &* factor
            hash ^= bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
        } else {
            for byte in bytes { hash = hash << 8 | UInt64(byte) }
        }
        let mixed = hash &* factor
        return Int((mixed ^ mixed >> 29) >> 32) & (slots - 1)
    }
}
