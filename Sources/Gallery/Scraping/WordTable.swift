/// A word's hash while its bytes come: FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/), capitals as small letters.
///
/// Over some hundred words of ours it has no collision, and a chance one with a word of a page would cost a picture some points.
struct WordHash {
    private(set) var value: UInt64 = 0

    /// Whether no byte has come yet.
    var isEmpty: Bool { value == 0 }

    /// The next byte.
    mutating func add(_ byte: UInt8) {
        let lowered = byte &- 0x41 < 26 ? byte | 0x20 : byte
        value = ((value == 0 ? 0xCBF2_9CE4_8422_2325 : value) ^ UInt64(lowered)) &* 0x100_0000_01B3
    }
}

/// What words mean, looked up by their hash: open addressing, since a page asks a hundred thousand times.
struct WordTable<Meaning: OptionSet & Sendable>: Sendable {
    private var hashes: [UInt64]
    private var meanings: [Meaning]
    /// A bit for each value of the low bits of a first letter.
    private var beginnings: UInt32 = 0

    /// Makes an empty table; `capacity` is a power of two, at least twice the number of words.
    init(capacity: Int) {
        hashes = Array(repeating: 0, count: capacity)
        meanings = Array(repeating: [], count: capacity)
    }

    /// Adds a meaning to a word.
    mutating func add(_ word: String, _ change: (inout Meaning) -> Void) {
        var hash = WordHash()
        for byte in word.utf8 { hash.add(byte) }
        let slot = slot(of: hash)
        hashes[slot] = hash.value
        change(&meanings[slot])
        beginnings |= 1 << UInt32((word.utf8.first ?? 0) & 31)
    }

    /// Whether a word of the table may start with a byte: if not, there is no need to look it up.
    func mayHold(wordsWith first: UInt8) -> Bool { beginnings >> UInt32(first & 31) & 1 == 1 }

    /// What a word means; nil for no word and for an unknown one.
    subscript(hash: WordHash) -> Meaning? {
        guard !hash.isEmpty else { return nil }
        let slot = slot(of: hash)
        return hashes[slot] == 0 ? nil : meanings[slot]
    }

    /// Where the word is, or would be.
    private func slot(of hash: WordHash) -> Int {
        // The low bits of an FNV product depend on the last byte most; the high ones on all.
        var slot = Int(truncatingIfNeeded: hash.value >> 40) & (hashes.count - 1)
        while hashes[slot] != 0, hashes[slot] != hash.value {
            slot = (slot + 1) & (hashes.count - 1)
        }
        return slot
    }
}
