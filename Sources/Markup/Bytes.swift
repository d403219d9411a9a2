/// Comparisons of text as bytes, for the places where a page has hundred thousands of values.
enum Bytes {
    /// Whether `token` is one of the words of `text`.
    static func hasToken(_ token: [UInt8], in text: ArraySlice<UInt8>, ignoringCase: Bool = false)
        -> Bool
    {
        guard !token.isEmpty else { return false }
        var at = text.startIndex
        while at < text.endIndex {
            while at < text.endIndex, text[at].isBlank { at += 1 }
            let start = at
            while at < text.endIndex, !text[at].isBlank { at += 1 }
            if equal(token, text[start..<at], ignoringCase: ignoringCase) {
                return true
            }
        }
        return false
    }

    /// Whether both are the same; `left` must be in lower case if the case is ignored.
    static func equal(_ left: [UInt8], _ right: ArraySlice<UInt8>, ignoringCase: Bool) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left, right).allSatisfy { $0 == (ignoringCase ? $1.lowered : $1) }
    }

    /// Whether `part` occurs in `text`; `part` must be in lower case if the case is ignored.
    static func contains(_ part: [UInt8], in text: ArraySlice<UInt8>, ignoringCase: Bool) -> Bool {
        guard let first = part.first, text.count >= part.count else { return false }
        for start in text.startIndex...(text.endIndex - part.count) {
            let head = ignoringCase ? text[start].lowered : text[start]
            if head == first,
                equal(part, text[start..<start + part.count], ignoringCase: ignoringCase)
            {
                return true
            }
        }
        return false
    }
}
