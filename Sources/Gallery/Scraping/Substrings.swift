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
