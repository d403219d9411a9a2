import Basics

/// The layout of a cache file.
///
/// | bytes | are |
/// | --- | --- |
/// | 8 | `HTcache2`: the last digit is the version of this layout |
/// | 8 | checksum of everything after it |
/// | 4 | length of the texts, little-endian |
/// | … | texts: the key, then the metadata's names and values in turn, each a length of 4 bytes and that many bytes of UTF-8 |
/// | … | body |
enum CacheFile {
    private static let magic = "HTcache2".bytes
    private static let checksumEnd = 16
    private static let headEnd = 20

    /// Returns everything before the body.
    static func head(for entry: DiskCache.Entry, key: String) -> [UInt8] {
        var texts: [UInt8] = []
        for text in [key] + entry.metadata.flatMap({ [$0.name, $0.value] }) {
            append(UInt32(clamping: text.utf8.count), to: &texts)
            texts += text.utf8
        }
        var rest: [UInt8] = []
        append(UInt32(clamping: texts.count), to: &rest)
        rest += texts
        var head = magic
        append(checksum(of: rest[...], entry.body[...]), to: &head)
        return head + rest
    }

    /// Parses a file; nil if it is truncated, altered or of another version.
    static func parse(_ file: consuming [UInt8]) -> (key: String, entry: DiskCache.Entry)? {
        guard file.count >= headEnd, file.starts(with: magic) else { return nil }
        let bodyStart = headEnd + Int(integer(UInt32.self, in: file, at: checksumEnd))
        guard bodyStart <= file.count else { return nil }
        guard
            checksum(of: file[checksumEnd..<bodyStart], file[bodyStart...])
                == integer(UInt64.self, in: file, at: magic.count),
            let texts = texts(in: file, headEnd..<bodyStart), !texts.count.isMultiple(of: 2)
        else { return nil }
        let metadata = stride(from: 1, to: texts.count, by: 2).map { (texts[$0], texts[$0 + 1]) }
        // In place, as the body may make up most of the program's memory.
        file.removeFirst(bodyStart)
        return (texts[0], DiskCache.Entry(metadata: metadata, body: file))
    }

    private static func texts(in file: [UInt8], _ range: Range<Int>) -> [String]? {
        var texts: [String] = []
        var at = range.lowerBound
        while at < range.upperBound {
            guard at + 4 <= range.upperBound else { return nil }
            let end = at + 4 + Int(integer(UInt32.self, in: file, at: at))
            guard end <= range.upperBound else { return nil }
            texts.append(String(utf8: file[at + 4..<end]))
            at = end
        }
        return texts
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

/// Returns what detects accidental damage, not attacks; it depends on how the data is split into parts.
///
/// FNV-1a's step on 8-byte words, so that a megabyte costs a fraction of a millisecond. After a system crash, a file may have the right
/// length but be full of zeros, so the length alone does not prove it complete.
func checksum(of parts: ArraySlice<UInt8>...) -> UInt64 {
    let prime: UInt64 = 0x0000_0100_0000_01b3
    var sum: UInt64 = 0xcbf2_9ce4_8422_2325
    for part in parts {
        part.withUnsafeBytes { buffer in
            let wholeWords = buffer.count & ~7
            for offset in stride(from: 0, to: wholeWords, by: 8) {
                let word = buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                // Without the rotation, high bits of a word would never reach the low bits of the sum.
                sum = (sum ^ UInt64(littleEndian: word)) &* prime
                sum = sum << 29 | sum >> 35
            }
            for byte in buffer[wholeWords...] { sum = (sum ^ UInt64(byte)) &* prime }
        }
    }
    return sum
}
