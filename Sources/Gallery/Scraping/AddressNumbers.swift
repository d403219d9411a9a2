import Network

/// Numbers for addresses, from 0 in the order in which they come, so that what is known of each stands in plain arrays.
///
/// The hash is one wide multiplication for eight bytes; its key is drawn anew for each table, so that no page can choose
/// addresses that meet.
struct AddressNumbers {
    private var addresses: [Address] = []
    private var hashes: [UInt64] = []
    /// Numbers by their hashes, -1 where there is none; the size is a power of two.
    private var slots: [Int32]
    private let key = UInt64.random(in: .min ... .max)

    /// How many addresses have a number.
    var count: Int { addresses.count }

    /// Makes room for about `capacity` addresses.
    init(capacity: Int = 0) {
        var size = 16
        while size < 2 * capacity { size *= 2 }
        slots = Array(repeating: -1, count: size)
        addresses.reserveCapacity(capacity)
        hashes.reserveCapacity(capacity)
    }

    /// The number of an address, and whether it is new.
    mutating func insert(_ address: Address) -> (number: Int, isNew: Bool) {
        let hash = hash(of: address)
        var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[slot] >= 0 {
            let number = Int(slots[slot])
            if hashes[number] == hash, addresses[number].text == address.text {
                return (number, false)
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = Int32(addresses.count)
        addresses.append(address)
        hashes.append(hash)
        if 4 * addresses.count > 3 * slots.count { grow() }
        return (addresses.count - 1, true)
    }

    /// The address with that number.
    subscript(number: Int) -> Address { addresses[number] }

    private mutating func grow() {
        slots = Array(repeating: -1, count: 2 * slots.count)
        for (number, hash) in hashes.enumerated() {
            var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(number)
        }
    }

    private func hash(of address: Address) -> UInt64 {
        var text = address.text
        return text.withUTF8 { text in
            let bytes = UnsafeRawBufferPointer(text)
            var hash = AddressNumbers.mixed(key ^ UInt64(bytes.count))
            var at = 0
            while at + 8 <= bytes.count {
                let word = bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)
                hash = AddressNumbers.mixed(hash ^ word)
                at += 8
            }
            var rest: UInt64 = 0
            while at < bytes.count {
                rest = rest << 8 | UInt64(bytes[at])
                at += 1
            }
            return AddressNumbers.mixed(hash ^ rest)
        }
    }

    /// Both halves of a product with an odd number whose bits look random (the golden ratio's).
    private static func mixed(_ word: UInt64) -> UInt64 {
        let product = word.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }
}
