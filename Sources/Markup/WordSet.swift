/// A fixed set of words, to be compared with the words of an attribute without making a `String` of each; ASCII case does not count.
///
/// Kept as 64-bit hashes: among some hundred words of ours and the classes of a page a collision is less likely than a broken disk.
public struct WordSet: Sendable {
    private let hashes: Set<UInt64>

    /// Makes a set; the words must not hold white space.
    public init(_ words: [String]) {
        hashes = Set(words.map { WordSet.hash($0.utf8) })
    }

    /// Whether the word is in it.
    func contains(_ word: some Sequence<UInt8>) -> Bool {
        hashes.contains(WordSet.hash(word))
    }

    /// FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/).
    private static func hash(_ word: some Sequence<UInt8>) -> UInt64 {
        word.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1.lowered)) &* 0x100_0000_01B3 }
    }
}

extension Node {
    /// Whether one of the classes is in `words`.
    public func hasClass(in words: WordSet) -> Bool {
        guard let attribute = tree.attribute(.class, of: index) else { return false }
        return tree.value(of: attribute).split(whereSeparator: \.isBlank).contains {
            words.contains($0)
        }
    }

    /// Whether the attribute's value has `part` in it; `part` must be in lower case, the value need not.
    public func attribute(_ name: Name, includes part: StaticString) -> Bool {
        guard let attribute = tree.attribute(name, of: index) else { return false }
        let part = UnsafeBufferPointer(start: part.utf8Start, count: part.utf8CodeUnitCount)
        return Bytes.contains(Array(part), in: tree.value(of: attribute), ignoringCase: true)
    }
}
