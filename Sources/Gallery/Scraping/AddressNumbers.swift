import Basics
import Markup
import Network

/// Numbers for the addresses of a page, from 0 in order of appearance, so that data about them fits in plain arrays.
///
/// The texts are stored one after another in one byte array, because the scraping limit allows no `Address` for each of the ten thousand
/// that a page names; they are only created for those that are kept.
struct AddressNumbers {
    fileprivate struct Entry {
        var end: Int
        var pathStart: Int32
        var hash: UInt64
    }

    private var bytes: [UInt8] = []
    private var entries: [Entry] = []
    private var hints: [AddressHints] = []
    /// A hash table of numbers, with -1 for free slots; the size is a power of two.
    private var slots: [Int32]
    /// Random for each table, so that no page can choose addresses whose hashes collide.
    private let key = UInt64.random(in: .min ... .max)

    var count: Int { entries.count }

    init(capacity: Int = 0) {
        var size = 16
        while size < 2 * capacity { size *= 2 }
        slots = Array(repeating: -1, count: size)
        entries.reserveCapacity(capacity)
        hints.reserveCapacity(capacity)
        // The usual length of addresses.
        bytes.reserveCapacity(capacity * 64)
    }

    mutating func insert(_ address: Address) -> Int {
        let start = bytes.count
        bytes.append(contentsOf: address.text.utf8)
        return number(ofTextFrom: start, pathStart: address.pathStart)
    }

    /// Returns the number of the address that a page's `reference` means; nil if it cannot or must not be fetched (`PageContext.resolve`).
    mutating func insert(_ reference: Bytes, in context: PageContext) -> Int? {
        let start = bytes.count
        guard let pathStart = context.resolve(reference, appendingTo: &bytes) else { return nil }
        return number(ofTextFrom: start, pathStart: pathStart)
    }

    subscript(number: Int) -> Address {
        withText(of: number) { text in
            Address(
                normal: String(utf8: text),
                pathStart: Int(entries[number].pathStart))
        }
    }

    func hints(of number: Int) -> AddressHints { hints[number] }

    func withTexts<Answer>(_ body: (Texts) -> Answer) -> Answer {
        bytes.withUnsafeBufferPointer { bytes in body(Texts(bytes: bytes, entries: entries)) }
    }

    struct Texts {
        fileprivate let bytes: Bytes
        fileprivate let entries: [Entry]

        subscript(number: Int) -> PictureWriter.AddressText {
            let start = number == 0 ? 0 : entries[number - 1].end
            return PictureWriter.AddressText(
                bytes: UnsafeBufferPointer(rebasing: bytes[start..<entries[number].end]),
                pathStart: Int(entries[number].pathStart))
        }
    }

    @inline(__always)
    func withText<Answer>(
        of number: Int, _ body: (Bytes) -> Answer
    ) -> Answer {
        withTexts { body($0[number].bytes) }
    }

    /// Numbers the text that ends the bytes and starts at `start`, and removes it again if it is already stored.
    private mutating func number(ofTextFrom start: Int, pathStart: Int) -> Int {
        let end = bytes.count
        let hash = bytes.withUnsafeBytes {
            UnsafeRawBufferPointer(rebasing: $0[start..<end]).hash(key)
        }
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] >= 0 {
            let number = Int(slots[slot])
            if entries[number].hash == hash, isSame(number, start, end) {
                bytes.removeLast(end - start)
                return number
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = Int32(entries.count)
        entries.append(Entry(end: end, pathStart: Int32(pathStart), hash: hash))
        hints.append(
            bytes.withUnsafeBufferPointer {
                AddressHints(UnsafeBufferPointer(rebasing: $0[start..<end]))
            })
        if 4 * entries.count > 3 * slots.count { grow() }
        return entries.count - 1
    }

    private func isSame(_ number: Int, _ start: Int, _ end: Int) -> Bool {
        withTexts { texts in
            texts[number].bytes.equals(UnsafeBufferPointer(rebasing: texts.bytes[start..<end]))
        }
    }

    private mutating func grow() {
        slots = Array(repeating: -1, count: 2 * slots.count)
        for (number, entry) in entries.enumerated() {
            var slot = Int(truncatingIfNeeded: entry.hash) & (slots.count - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(number)
        }
    }
}
