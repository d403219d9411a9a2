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

    /// Where the query of an address starts, or its end if it has none.
    var endOfPath: Int {
        guard let base = baseAddress, let mark = memchr(base, 0x3F, count) else { return count }
        return UnsafeRawPointer(mark) - UnsafeRawPointer(base)
    }

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
    private let texts: [[UInt8]]
    private let ignoresCase: Bool
    /// A bit for each possible hash of three bytes, set for the beginnings of the texts.
    private let beginnings: [UInt64]

    /// Makes a set; each text has three bytes or more, and is in lower case if the case is ignored.
    init(_ texts: [String], ignoringCase: Bool = false) {
        self.texts = texts.map { Array($0.utf8) }
        ignoresCase = ignoringCase
        var beginnings = [UInt64](repeating: 0, count: 64)
        for text in self.texts {
            let hash = Substrings.hash(UInt32(text[0]), UInt32(text[1]), UInt32(text[2]))
            beginnings[hash >> 6] |= 1 << UInt64(hash & 63)
        }
        self.beginnings = beginnings
    }

    /// Whether one of them occurs.
    func occur(in text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count >= 3 else { return false }
        return beginnings.withUnsafeBufferPointer { beginnings in
            for at in 0...(text.count - 3) {
                let hash = Substrings.hash(
                    UInt32(text[at]), UInt32(text[at + 1]), UInt32(text[at + 2]))
                if beginnings[hash >> 6] >> UInt64(hash & 63) & 1 == 1, stands(at, in: text) {
                    return true
                }
            }
            return false
        }
    }

    private func stands(_ at: Int, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        let rest = UnsafeBufferPointer(rebasing: text[at...])
        return texts.contains { part in
            part.count <= rest.count
                && rest.starts(with: part) { $1 == (ignoresCase ? $0.loweredLetter : $0) }
        }
    }

    private static func hash(_ first: UInt32, _ second: UInt32, _ third: UInt32) -> Int {
        // Without the bit that tells capitals from small letters.
        Int((((first << 16 | second << 8 | third) | 0x20_2020) &* 0x9E37_79B1) >> 20)
    }
}
