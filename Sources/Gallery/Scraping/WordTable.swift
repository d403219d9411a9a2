import Basics
import Markup

/// Splits a list at spaces and line breaks.
func wordList(_ list: String) -> [String] {
    // As bytes: determining characters would cost more than all lists together.
    list.utf8.split { $0 <= 0x20 }.map { String(Substring($0)) }
}

extension Document {
    /// Parses markup in a page's data.
    init(markup: String) { self.init(html: markup.bytes, charset: "utf-8") }

    /// Returns the names in a list of words that the document has.
    func names(in list: String) -> [Name] { wordList(list).compactMap(name) }

    /// Returns the elements with the names in a list of words, in the order of the list.
    func elements(called list: String) -> [Node] { names(in: list).flatMap(elements) }
}

func wordSet(_ list: String) -> Set<String> { Set(wordList(list)) }

/// Splits a list at commas.
func phraseList(_ list: String) -> [String] { list.split(separator: ",").map(Text.line) }

extension Sequence where Element: Hashable {
    /// How many times each element occurs.
    var counts: [Element: Int] { Dictionary(map { ($0, 1) }, uniquingKeysWith: +) }
}

extension Character {
    /// Whether it is a letter or a digit of any script.
    var isAlphanumeric: Bool { isLetter || isNumber }
}

extension Sequence {
    /// Returns the elements except those whose key is that of an earlier one.
    func unique<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
        var seen: Set<Key> = []
        return filter { seen.insert(key($0)).inserted }
    }
}

/// Inverts lists into the meaning of each word; no word may be in two lists.
func meanings<Meaning>(_ lists: KeyValuePairs<Meaning, String>) -> [String: Meaning] {
    Dictionary(
        uniqueKeysWithValues: lists.flatMap { meaning, list in
            wordList(list).map { ($0, meaning) }
        })
}

/// The incremental hash of a word: FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/), ignoring the bit of ASCII case.
///
/// It has no collisions among our few hundred words; a chance one with a word of a page would cost a picture some points.
private struct WordHash {
    var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte | 0x20)) &* 0x100_0000_01B3 }
}

/// A set of what words may mean, each a power of two.
protocol Meanings: OptionSet, ExpressibleByIntegerLiteral, Sendable where RawValue == UInt16 {}

extension Meanings {
    init(integerLiteral bits: UInt16) { self.init(rawValue: bits) }
}

/// The meanings of words, looked up by hash: the scraping limit allows no `String` for each word of a page.
struct WordTable<Meaning: Meanings> {
    /// Open addressing; 0 is a free slot.
    private var hashes: [UInt64]
    private var meanings: [Meaning]
    /// A bit for each value of the low five bits of a first letter.
    private var beginnings: UInt32 = 0

    /// Creates a table from lists of words separated by spaces; a word may be in several lists.
    init(_ lists: KeyValuePairs<Meaning, String>) {
        let words = lists.flatMap { meaning, list in wordList(list).map { (meaning, $0) } }
        var capacity = 16
        while capacity < 4 * words.count { capacity *= 2 }
        hashes = Array(repeating: 0, count: capacity)
        meanings = Array(repeating: [], count: capacity)
        for (meaning, word) in words {
            var hash = WordHash()
            for byte in word.utf8 { hash.add(byte) }
            let slot = slot(of: hash)
            hashes[slot] = hash.value
            meanings[slot].formUnion(meaning)
            beginnings |= 1 << UInt32((word.utf8.first ?? 0) & 31)
        }
    }

    /// Returns the union of the meanings of a text's words; `ends` recognises the bytes between words.
    @inline(__always)
    func meaning(
        ofWordsIn text: Slice<Bytes>, endedBy ends: (UInt8) -> Bool
    ) -> Meaning {
        var found: Meaning = []
        var at = text.startIndex
        while at < text.endIndex {
            let mayBeKnown = beginnings >> UInt32(text[at] & 31) & 1 == 1
            var word = WordHash()
            while at < text.endIndex, !ends(text[at]) {
                if mayBeKnown { word.add(text[at]) }
                at += 1
            }
            if mayBeKnown { found.formUnion(meanings[slot(of: word)]) }
            at += 1
        }
        return found
    }

    /// Returns the slot of the word, or the free one where it would be.
    private func slot(of hash: WordHash) -> Int {
        // The low bits of an FNV product depend mostly on the last byte, the high ones on all bytes.
        var slot = Int(truncatingIfNeeded: hash.value >> 40) & (hashes.count - 1)
        while hashes[slot] != 0, hashes[slot] != hash.value {
            slot = (slot + 1) & (hashes.count - 1)
        }
        return slot
    }
}

/// A fixed set of words to compare with the words of an attribute, ignoring ASCII case.
struct WordSet {
    private struct Membership: Meanings {
        let rawValue: UInt16
    }

    private let table: WordTable<Membership>

    init(_ words: String) { table = WordTable([1: words]) }

    func containsWord(of text: Bytes) -> Bool {
        !table.meaning(ofWordsIn: text[...]) { $0 <= 0x20 }.isEmpty
    }
}

/// A direct-mapped cache of answers about attribute values: pages repeat their classes, and the scraping limit requires that each is
/// analysed about once.
struct ValueCache<Answer> {
    /// The bytes belong to the page.
    private var known = [(value: Bytes, answer: Answer)?](repeating: nil, count: 1024)

    /// Returns the answer of `make` for a value, whose bytes must outlive the cache.
    mutating func answer(
        for value: Bytes, _ make: (Bytes) -> Answer
    ) -> Answer {
        let slot =
            Int(truncatingIfNeeded: UnsafeRawBufferPointer(value).hash(0)) & (known.count - 1)
        if let known = known[slot], known.value.equals(value) { return known.answer }
        let answer = make(value)
        known[slot] = (value, answer)
        return answer
    }
}

/// Several texts to search for at once, ignoring ASCII case: the scraping limit allows one pass over each address, not one per text.
struct Substrings {
    private let texts: [[UInt8]]
    /// A bit for each possible hash of four bytes, set for the beginnings of the texts.
    private let beginnings: [UInt64]

    /// Creates a set; each text must have at least four bytes, and be in lower case.
    init(_ texts: [String]) {
        self.texts = texts.map { $0.bytes }
        var beginnings = [UInt64](repeating: 0, count: 64)
        for text in self.texts {
            let hash = text.withUnsafeBytes { Substrings.hash($0, at: 0) }
            beginnings[hash >> 6] |= 1 << UInt64(hash & 63)
        }
        self.beginnings = beginnings
    }

    func occur(in text: Bytes) -> Bool {
        guard text.count >= 4 else { return false }
        let raw = UnsafeRawBufferPointer(text)
        return beginnings.withUnsafeBufferPointer { beginnings in
            for at in 0...(text.count - 4) {
                let hash = Substrings.hash(raw, at: at)
                if beginnings[hash >> 6] >> UInt64(hash & 63) & 1 == 1,
                    texts.contains(where: { text[at...].starts(with: $0) { $0.lowered == $1 } })
                {
                    return true
                }
            }
            return false
        }
    }

    /// Hashes four bytes, ignoring the bit that distinguishes upper and lower case.
    private static func hash(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Int {
        let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self) | 0x2020_2020
        return Int(word &* 0x9E37_79B1) >> 20
    }
}

extension StringProtocol {
    /// Whether the text contains the ASCII text `part`, case-sensitively.
    ///
    /// The standard library's search builds tables on each call, which took half the time of a large page.
    func includes(_ part: StaticString) -> Bool {
        utf8.withContiguousStorageIfAvailable { $0.includes(part) }
            ?? Array(utf8).withUnsafeBufferPointer { $0.includes(part) }
    }
}

extension Bytes {
    /// The offset of an address's query, or the end if it has none.
    var endOfPath: Int { firstIndex(of: "?", from: 0) ?? count }
}

extension UnsafeRawBufferPointer {
    /// Hashes with one wide multiplication per eight bytes: the scraping limit leaves no time for the standard library's hash.
    func hash(_ key: UInt64) -> UInt64 {
        func mixed(_ word: UInt64) -> UInt64 {
            // Combine both halves of the product with an odd number of random-looking bits (the golden ratio's).
            let product = word.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
            return product.high ^ product.low
        }
        func word(at place: Int) -> UInt64 { loadUnaligned(fromByteOffset: place, as: UInt64.self) }
        var hash = mixed(key ^ UInt64(count))
        guard count >= 8 else { return mixed(hash ^ reduce(0) { $0 << 8 | UInt64($1) }) }
        for place in stride(from: 0, to: count - 8, by: 8) { hash = mixed(hash ^ word(at: place)) }
        // The last word may overlap the previous one.
        return mixed(hash ^ word(at: count - 8))
    }
}
