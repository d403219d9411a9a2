/// Which part of a whole a 206 carries: `bytes 5-9/10`, RFC 9110, section 14.4.
struct ContentRange: Equatable {
    /// The first byte, counted from zero.
    var first: Int
    /// The last byte.
    var last: Int
    /// The length of the whole.
    var total: Int

    /// Nil for what is none, contradicts itself, or does not tell the length of the whole.
    init?(_ value: String) {
        guard value.lowercased().hasPrefix("bytes ") else { return nil }
        let numbers = value.dropFirst(6).split(
            omittingEmptySubsequences: false, whereSeparator: { $0 == "-" || $0 == "/" })
        let order = value.filter { $0 == "-" || $0 == "/" }
        guard numbers.count == 3, order == "-/", let first = decimal(numbers[0]),
            let last = decimal(numbers[1]), let total = decimal(numbers[2]), first <= last,
            last < total
        else { return nil }
        self.first = first
        self.last = last
        self.total = total
    }
}

/// Digits only: `Int` would take a sign.
private func decimal(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
}
