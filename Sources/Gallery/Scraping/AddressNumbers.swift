import Basics
import Network

/// Numbers for the addresses of a page, from 0 in order of appearance, so that data about them fits in plain arrays.
///
/// The texts are stored one after another in one byte array, because the scraping limit allows no `Address` for each of the ten thousand
/// that a page names; they are only created for those that are kept.
struct AddressNumbers {
    private var bytes: [UInt8] = []
    private var entries: [(end: Int, pathStart: Int)] = []
    private(set) var hints: [AddressHints] = []
    /// The numbers by their texts' hashes.
    private var numbers: [UInt64: Int] = [:]
    /// Random for each table, so that no page can choose addresses whose hashes collide; by chance, a page with 100,000 addresses has a
    /// collision once in billions.
    private let key = UInt64.random(in: .min ... .max)

    var count: Int { entries.count }

    init(capacity: Int = 0) {
        numbers.reserveCapacity(capacity)
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
        return context.resolve(reference, appendingTo: &bytes).map {
            number(ofTextFrom: start, pathStart: $0)
        }
    }

    subscript(number: Int) -> Address {
        withText(of: number) { text in
            Address(normal: String(utf8: text), pathStart: entries[number].pathStart)
        }
    }

    @inline(__always)
    func withText<Answer>(of number: Int, _ body: (Bytes) -> Answer) -> Answer {
        let text = (number == 0 ? 0 : entries[number - 1].end)..<entries[number].end
        return bytes.withUnsafeBufferPointer { body(Bytes(rebasing: $0[text])) }
    }

    /// Numbers the text that ends the bytes and starts at `start`, and removes it again if it is already stored.
    private mutating func number(ofTextFrom start: Int, pathStart: Int) -> Int {
        let new = entries.count
        let hash = bytes.withUnsafeBytes { bytes in
            UnsafeRawBufferPointer(rebasing: bytes[start...]).hash(key)
        }
        if let known = numbers[hash] {
            bytes.removeSubrange(start...)
            return known
        }
        numbers[hash] = new
        entries.append((bytes.count, pathStart))
        hints.append(withText(of: new, AddressHints.init))
        return new
    }
}
