/// A fixed set of words, to be compared with the words of an attribute without making a `String` of each; ASCII case does not count.
///
/// Kept as 64-bit hashes: among some hundred words of ours and the classes of a page a collision is less likely than a broken disk.
public struct WordSet: Sendable {
    /// Open addressing; 0 is a free place.
    private let table: [UInt64]
    /// By the low bits of the first letter: a bit for each length of the words that start so, the last one for all longer ones.
    private let lengths: [UInt64]

    /// Makes a set; the words must not hold white space.
    public init(_ words: [String]) {
        var capacity = 16
        while capacity < words.count * 4 { capacity *= 2 }
        var table = [UInt64](repeating: 0, count: capacity)
        for word in words {
            let hash = WordSet.hash(word.utf8)
            var slot = WordSet.slot(of: hash, in: capacity)
            while table[slot] != 0, table[slot] != hash { slot = (slot + 1) & (capacity - 1) }
            table[slot] = hash
        }
        self.table = table
        var lengths = [UInt64](repeating: 0, count: 32)
        for word in words {
            lengths[Int((word.utf8.first ?? 0) & 31)] |= 1 << UInt64(min(word.utf8.count, 63))
        }
        self.lengths = lengths
    }

    /// Whether the word is in it.
    func contains(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
        // Most words of a page differ from all of ours in this.
        guard word.count > 0,
            lengths[Int(word[0] & 31)] >> UInt64(min(word.count, 63)) & 1 == 1
        else { return false }
        let hash = WordSet.hash(word)
        var slot = WordSet.slot(of: hash, in: table.count)
        while table[slot] != 0 {
            if table[slot] == hash { return true }
            slot = (slot + 1) & (table.count - 1)
        }
        return false
    }

    private static func slot(of hash: UInt64, in capacity: Int) -> Int {
        Int(truncatingIfNeeded: hash >> 40) & (capacity - 1)
    }

    /// FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/).
    private static func hash(_ word: some Sequence<UInt8>) -> UInt64 {
        word.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1.lowered)) &* 0x100_0000_01B3 }
    }

    /// Whether one of the words of a text is in it.
    public func containsWord(of text: UnsafeBufferPointer<UInt8>) -> Bool {
        Bytes.hasToken(in: text) { contains($0) }
    }
}

extension Node {
    /// Whether one of the classes is in `words`.
    public func hasClass(in words: WordSet) -> Bool {
        guard let attribute = tree.attribute(.class, of: index) else { return false }
        return words.containsWord(of: tree.value(of: attribute))
    }

    /// Whether the attribute's value has `part` in it; `part` must be in lower case, the value need not.
    public func attribute(_ name: Name, includes part: StaticString) -> Bool {
        guard let attribute = tree.attribute(name, of: index) else { return false }
        let value = tree.value(of: attribute)
        let (part, count) = (part.utf8Start, part.utf8CodeUnitCount)
        guard count > 0, value.count >= count else { return false }
        return (0...value.count - count).contains { start in
            var at = 0
            while at < count, value[start + at].lowered == part[at] { at += 1 }
            return at == count
        }
    }
}
