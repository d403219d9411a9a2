import Glibc

/// Comparisons of text as bytes, for the places where a page has hundred thousands of values.
enum Bytes {
    /// Whether a byte is zero.
    static func hasZero(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { bytes in
            bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
        }
    }

    /// Whether `token` is one of the words of `text`.
    static func hasToken(
        _ token: [UInt8], in text: UnsafeBufferPointer<UInt8>, ignoringCase: Bool = false
    )
        -> Bool
    {
        guard !token.isEmpty else { return false }
        return hasToken(in: text) { equal(token, $0, ignoringCase: ignoringCase) }
    }

    /// Whether one of the words of `text` passes.
    static func hasToken(
        in text: UnsafeBufferPointer<UInt8>, where passes: (UnsafeBufferPointer<UInt8>) -> Bool
    ) -> Bool {
        var at = 0
        while at < text.count {
            while at < text.count, text[at].isBlank { at += 1 }
            let start = at
            while at < text.count, !text[at].isBlank { at += 1 }
            if at > start, passes(text.part(start, at - start)) {
                return true
            }
        }
        return false
    }

    /// Whether both are the same; `left` must be in lower case if the case is ignored.
    static func equal(
        _ left: [UInt8], _ right: UnsafeBufferPointer<UInt8>, ignoringCase: Bool
    ) -> Bool {
        guard left.count == right.count else { return false }
        for at in left.indices where left[at] != (ignoringCase ? right[at].lowered : right[at]) {
            return false
        }
        return true
    }

    /// Whether `part` occurs in `text`; `part` must be in lower case if the case is ignored.
    static func contains(_ part: [UInt8], in text: UnsafeBufferPointer<UInt8>, ignoringCase: Bool)
        -> Bool
    {
        guard let first = part.first, text.count >= part.count else { return false }
        for start in 0...(text.count - part.count) {
            let head = ignoringCase ? text[start].lowered : text[start]
            if head == first,
                equal(part, text.part(start, part.count), ignoringCase: ignoringCase)
            {
                return true
            }
        }
        return false
    }
}
