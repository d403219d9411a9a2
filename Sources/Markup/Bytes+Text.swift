public import Basics
public import Glibc

// Texts as the bytes of a page, for rules that examine every value: comparing them creates no `String`.

extension UInt8 {
    /// Whether the byte is white space in HTML: space, tab, line feed, form feed or carriage return.
    var isBlank: Bool {
        self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0C || self == 0x0D
    }

    /// Whether the byte is an ASCII letter.
    package var isLetter: Bool { lowered >= 0x61 && lowered <= 0x7A }

    @inlinable package var isDigit: Bool { self &- 0x30 < 10 }

    /// The byte with ASCII capitals in lower case.
    @inlinable package var lowered: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}

extension Bytes {
    @inlinable package func equals(_ other: Bytes) -> Bool {
        count == other.count && begins(with: other)
    }

    @inlinable package func equals(_ text: StaticString) -> Bool {
        count == text.utf8CodeUnitCount && begins(with: text)
    }

    @inlinable package func begins(with head: Bytes) -> Bool {
        guard let base = baseAddress, let start = head.baseAddress else { return head.isEmpty }
        return count >= head.count && memcmp(base, start, head.count) == 0
    }

    @inlinable package func begins(with head: StaticString) -> Bool {
        begins(with: UnsafeBufferPointer(start: head.utf8Start, count: head.utf8CodeUnitCount))
    }

    @inlinable package func includes(_ part: StaticString) -> Bool { includes(part, as: { $0 }) }

    /// Whether `part`, which must be in lower case, occurs, ignoring ASCII case.
    @inlinable package func includes(ignoringCase part: StaticString) -> Bool {
        includes(part, as: { $0.lowered })
    }

    @inlinable @inline(__always)
    func includes(_ part: StaticString, as folded: (UInt8) -> UInt8) -> Bool {
        let part = UnsafeBufferPointer(start: part.utf8Start, count: part.utf8CodeUnitCount)
        guard let first = part.first, count >= part.count else { return false }
        for start in 0...(count - part.count) where folded(self[start]) == first {
            var matched = 1
            while matched < part.count, folded(self[start + matched]) == part[matched] {
                matched += 1
            }
            if matched == part.count { return true }
        }
        return false
    }

    /// Returns the index of the first `byte` from `start` on; nil if there is none.
    @inlinable package func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        guard let base = baseAddress, start < count,
            let found = memchr(base + start, Int32(byte), count - start)
        else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// The decimal number, if the bytes are one to eight digits and nothing else; nil otherwise.
    @inlinable package var plainNumber: Int? {
        guard count > 0, count <= 8, allSatisfy(\.isDigit) else { return nil }
        return reduce(0) { $0 * 10 + Int($1 &- 0x30) }
    }

    /// The same number as a length; nil if it is not a valid one.
    package var pixels: Pixels? { plainNumber.flatMap(Pixels.init) }
}
