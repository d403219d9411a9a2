/// The name of a cache file: 32 hexadecimal digits, the 128-bit FNV-1a hash of its key.
///
/// FNV is no cryptographic hash; the file holds its key, so a collision costs a miss, never a wrong answer.
/// See http://www.isthe.com/chongo/tech/comp/fnv/.
struct CacheFileName: Hashable, Sendable {
    let text: String

    init(key: String) {
        let digits = String(Self.hash(key.utf8), radix: 16)
        text = String(repeating: "0", count: 32 - digits.count) + digits
    }

    /// The name of a file found in the folder; nil if no cache file is called so.
    init?(found name: String) {
        let isOurs =
            name.utf8.count == 32
            && name.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            }
        guard isOurs else { return nil }
        text = name
    }

    private static func hash(_ bytes: some Sequence<UInt8>) -> UInt128 {
        let offsetBasis: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
        let prime: UInt128 = 0x0000_0000_0100_0000_0000_0000_0000_013b
        return bytes.reduce(offsetBasis) { ($0 ^ UInt128($1)) &* prime }
    }
}
