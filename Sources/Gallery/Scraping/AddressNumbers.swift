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
    }

    private var bytes: [UInt8] = []
    private var entries: [Entry] = []
    private var hints: [AddressHints] = []
    /// The numbers by their texts' hashes, each in the next free slot; -1 is a free one.
    ///
    /// A dictionary would hash the hashes again.
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

    /// Returns the number of the address that a page's `reference` means, or that of the picture that it shows as a script; nil if it cannot
    /// or must not be fetched (`PageContext.resolve`).
    mutating func insert(_ reference: Bytes, in context: borrowing PageContext) -> Int? {
        if reference.isScript {
            return context.resolve(ScriptedMarkup.name(inHandler: reference)).map { insert($0) }
        }
        let start = bytes.count
        guard let pathStart = context.resolve(reference, appendingTo: &bytes) else { return nil }
        return number(ofTextFrom: start, pathStart: pathStart)
    }

    subscript(number: Int) -> Address {
        withTexts { texts in
            let (text, pathStart) = texts[number]
            return Address(normal: String(utf8: text), pathStart: pathStart)
        }
    }

    func hints(of number: Int) -> AddressHints { hints[number] }

    func withTexts<Answer>(_ body: (Texts) -> Answer) -> Answer {
        bytes.withUnsafeBufferPointer { bytes in body(Texts(bytes: bytes, entries: entries)) }
    }

    struct Texts {
        fileprivate let bytes: Bytes
        fileprivate let entries: [Entry]

        /// The text of an address and the offset of its path.
        subscript(number: Int) -> (text: Bytes, pathStart: Int) {
            let start = number == 0 ? 0 : entries[number - 1].end
            return (
                Bytes(rebasing: bytes[start..<entries[number].end]),
                Int(entries[number].pathStart)
            )
        }
    }

    @inline(__always)
    func withText<Answer>(of number: Int, _ body: (Bytes) -> Answer) -> Answer {
        withTexts { body($0[number].text) }
    }

    /// Numbers the text that ends the bytes and starts at `start`, and removes it again if it is already stored.
    private mutating func number(ofTextFrom start: Int, pathStart: Int) -> Int {
        let text = start..<bytes.count
        let slot = slot(of: text)
        if slots[slot] >= 0 {
            bytes.removeLast(text.count)
            return Int(slots[slot])
        }
        slots[slot] = Int32(entries.count)
        entries.append(Entry(end: text.upperBound, pathStart: Int32(pathStart)))
        hints.append(
            bytes.withUnsafeBufferPointer { AddressHints(UnsafeBufferPointer(rebasing: $0[text])) })
        if 2 * entries.count > slots.count { grow() }
        return entries.count - 1
    }

    /// Returns the slot of the number of the same text, or the free one where it would be.
    private func slot(of text: Range<Int>) -> Int {
        withTexts { texts in
            let text = Bytes(rebasing: texts.bytes[text])
            var slot = Int(truncatingIfNeeded: UnsafeRawBufferPointer(text).hash(key))
            while true {
                slot &= slots.count - 1
                guard slots[slot] >= 0, !texts[Int(slots[slot])].text.equals(text) else {
                    return slot
                }
                slot += 1
            }
        }
    }

    private mutating func grow() {
        slots = Array(repeating: -1, count: 2 * slots.count)
        var start = 0
        for (number, entry) in entries.enumerated() {
            slots[slot(of: start..<entry.end)] = Int32(number)
            start = entry.end
        }
    }
}
