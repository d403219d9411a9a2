import Glibc

extension StringProtocol {
    /// Whether the ASCII text `part` occurs, case included.
    ///
    /// The standard library's own search builds tables for each call: it took half the time of a large page.
    func includes(_ part: StaticString) -> Bool {
        utf8.withContiguousStorageIfAvailable { $0.includes(part) } ?? Array(utf8).includes(part)
    }
}

extension RandomAccessCollection<UInt8> where Index == Int {
    /// Whether `part` occurs.
    func includes(_ part: StaticString) -> Bool {
        let length = part.utf8CodeUnitCount
        guard length > 0, count >= length else { return false }
        let first = part.utf8Start[0]
        for start in startIndex...(endIndex - length) where self[start] == first {
            var matched = 1
            while matched < length, self[start + matched] == part.utf8Start[matched] {
                matched += 1
            }
            if matched == length { return true }
        }
        return false
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether both hold the same bytes.
    func equals(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count, let base = baseAddress, let otherBase = other.baseAddress else {
            return count == other.count
        }
        return memcmp(base, otherBase, count) == 0
    }

    /// Whether the bytes are those of `text`.
    func equals(_ text: StaticString) -> Bool {
        count == text.utf8CodeUnitCount && begins(with: text)
    }

    /// Whether the bytes start with `head`.
    func begins(with head: StaticString) -> Bool {
        let length = head.utf8CodeUnitCount
        guard let base = baseAddress, count >= length else { return false }
        return memcmp(base, head.utf8Start, length) == 0
    }

    /// Whether `part` occurs; `part` must be in lower case, the bytes need not.
    func includes(ignoringCase part: StaticString) -> Bool {
        let length = part.utf8CodeUnitCount
        guard length > 0, count >= length else { return false }
        let first = part.utf8Start[0]
        for start in 0...(count - length) where self[start] | 0x20 == first {
            var matched = 1
            while matched < length, self[start + matched].loweredLetter == part.utf8Start[matched] {
                matched += 1
            }
            if matched == length { return true }
        }
        return false
    }

    /// The first place of a byte from `start` on; nil without one.
    func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        guard let base = baseAddress, start < count,
            let found = memchr(base + start, Int32(byte), count - start)
        else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// Where the query of an address starts, or its end if it has none.
    var endOfPath: Int { firstIndex(of: UInt8(ascii: "?"), from: 0) ?? count }

    /// The number that the bytes are, if they are one to six digits and nothing else.
    var plainNumber: Int? {
        guard count > 0, count <= 6 else { return nil }
        var number = 0
        for byte in self {
            guard byte &- 0x30 <= 9 else { return nil }
            number = number * 10 + Int(byte &- 0x30)
        }
        return number
    }
}

extension UInt8 {
    /// An ASCII capital as its small letter, anything else as it is.
    var loweredLetter: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}

/// Several texts that are looked for at once.
struct Substrings {
    /// Where each text stands in `bytes`.
    private let texts: [Range<Int>]
    private let bytes: [UInt8]
    private let ignoresCase: Bool
    /// A bit for each possible hash of four bytes, set for the beginnings of the texts.
    private let beginnings: [UInt64]

    /// Makes a set; each text has four bytes or more, and is in lower case if the case is ignored.
    init(_ texts: [String], ignoringCase: Bool = false) {
        var bytes: [UInt8] = []
        var beginnings = [UInt64](repeating: 0, count: 64)
        self.texts = texts.map { text in
            let start = bytes.count
            bytes += text.utf8
            let hash = bytes.withUnsafeBytes { Substrings.hash($0, at: start) }
            beginnings[hash >> 6] |= 1 << UInt64(hash & 63)
            return start..<bytes.count
        }
        self.bytes = bytes
        self.beginnings = beginnings
        ignoresCase = ignoringCase
    }

    /// Whether one of them occurs.
    func occur(in text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count >= 4 else { return false }
        let raw = UnsafeRawBufferPointer(text)
        return beginnings.withUnsafeBufferPointer { beginnings in
            for at in 0...(text.count - 4) {
                let hash = Substrings.hash(raw, at: at)
                if beginnings[hash >> 6] >> UInt64(hash & 63) & 1 == 1, stands(at, in: text) {
                    return true
                }
            }
            return false
        }
    }

    private func stands(_ at: Int, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        texts.contains { part in
            guard part.count <= text.count - at else { return false }
            for (offset, place) in part.enumerated() {
                let own = text[at + offset]
                if bytes[place] != (ignoresCase ? own.loweredLetter : own) { return false }
            }
            return true
        }
    }

    /// Of four bytes, without the bit that tells capitals from small letters.
    private static func hash(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Int {
        let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self) | 0x2020_2020
        return Int(word &* 0x9E37_79B1) >> 20
    }
}
