/// The layout of a cache file.
///
/// | bytes | are |
/// | --- | --- |
/// | 8 | `HTcache1`: the last digit is the version of this layout |
/// | 8 | checksum of everything after it |
/// | 4, 4, 8 | lengths of key, metadata and body, little-endian |
/// | … | key, metadata, body |
///
/// Metadata is names and values in turn, each a length of 4 bytes and that many bytes of UTF-8.
enum CacheFile {
    enum Parsed {
        case entry(DiskCache.Entry)
        case otherKey
        case broken
    }

    private static let magic = Array("HTcache1".utf8)
    private static let checksumEnd = 16
    private static let headEnd = 32

    /// Everything before the body.
    static func head(for entry: DiskCache.Entry, key: String) -> [UInt8] {
        let key = Array(key.utf8)
        let metadata = encode(entry.metadata)
        var rest: [UInt8] = []
        append(UInt32(clamping: key.count), to: &rest)
        append(UInt32(clamping: metadata.count), to: &rest)
        append(UInt64(entry.body.count), to: &rest)
        rest += key
        rest += metadata
        var checksum = Checksum()
        checksum.add(rest[...])
        checksum.add(entry.body[...])
        var head = magic
        append(checksum.value, to: &head)
        return head + rest
    }

    static func parse(_ file: consuming [UInt8], key: String) -> Parsed {
        guard file.count >= headEnd, file.starts(with: magic) else { return .broken }
        let keyEnd = headEnd + Int(integer(UInt32.self, in: file, at: 16))
        let metadataEnd = keyEnd + Int(integer(UInt32.self, in: file, at: 20))
        // Compared before it is added: the length may be anything.
        let bodyCount = integer(UInt64.self, in: file, at: 24)
        guard metadataEnd <= file.count, bodyCount == UInt64(file.count - metadataEnd) else {
            return .broken
        }
        var checksum = Checksum()
        checksum.add(file[checksumEnd..<metadataEnd])
        checksum.add(file[metadataEnd...])
        guard checksum.value == integer(UInt64.self, in: file, at: 8),
            let metadata = decode(file[keyEnd..<metadataEnd])
        else { return .broken }
        guard file[headEnd..<keyEnd].elementsEqual(key.utf8) else { return .otherKey }
        // In place: a body may be the larger part of what the program holds.
        file.removeFirst(metadataEnd)
        return .entry(DiskCache.Entry(metadata: metadata, body: file))
    }

    // MARK: - Parts

    private static func encode(_ metadata: [(name: String, value: String)]) -> [UInt8] {
        var bytes: [UInt8] = []
        for text in metadata.lazy.flatMap({ [$0.name, $0.value] }) {
            let text = Array(text.utf8)
            append(UInt32(clamping: text.count), to: &bytes)
            bytes += text
        }
        return bytes
    }

    private static func decode(_ bytes: ArraySlice<UInt8>) -> [(name: String, value: String)]? {
        var texts: [String] = []
        var rest = bytes
        while !rest.isEmpty {
            guard rest.count >= 4 else { return nil }
            let length = Int(integer(UInt32.self, in: Array(rest.prefix(4)), at: 0))
            rest = rest.dropFirst(4)
            guard length <= rest.count else { return nil }
            texts.append(String(decoding: rest.prefix(length), as: UTF8.self))
            rest = rest.dropFirst(length)
        }
        guard texts.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: texts.count, by: 2).map { (texts[$0], texts[$0 + 1]) }
    }

    private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
    }

    private static func integer<Value: FixedWidthInteger>(
        _ type: Value.Type, in bytes: [UInt8], at offset: Int
    ) -> Value {
        bytes.withUnsafeBytes { buffer in
            Value(littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: type))
        }
    }
}

/// Tells accidents apart, not attacks: FNV-1a's step on words of 8 bytes, so that a megabyte costs a fraction of a millisecond.
///
/// A crash of the machine may leave a file of the right length full of zeros, so lengths alone do not prove it whole.
private struct Checksum {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    /// Each call is a part of its own: parts cut elsewhere give another value.
    mutating func add(_ bytes: ArraySlice<UInt8>) {
        let prime: UInt64 = 0x0000_0100_0000_01b3
        var sum = value
        bytes.withUnsafeBytes { buffer in
            let wholeWords = buffer.count & ~7
            for offset in stride(from: 0, to: wholeWords, by: 8) {
                let word = buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                // Rotated, or high bits of a word would never reach the low bits of the sum.
                sum = (sum ^ UInt64(littleEndian: word)) &* prime
                sum = sum << 29 | sum >> 35
            }
            for byte in buffer[wholeWords...] {
                sum = (sum ^ UInt64(byte)) &* prime
            }
        }
        value = sum
    }
}

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
