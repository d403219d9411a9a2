import Basics

/// A part of a resource; a server may answer a request for one with the whole.
public enum Part: Hashable, Sendable {
    /// The bytes in a range.
    case range(Range<Int>)
    /// The last bytes, so many.
    case end(Int)

    /// The range as in HTTP's `Range` (RFC 9110, section 14.1.2) and libcurl's.
    var text: String {
        switch self {
        case .range(let bytes): "\(bytes.lowerBound)-\(bytes.upperBound - 1)"
        case .end(let count): "-\(count)"
        }
    }

    /// The number of bytes, unless the resource is smaller.
    var count: Int {
        switch self {
        case .range(let bytes): bytes.count
        case .end(let count): count
        }
    }

    /// What tells the part from others in the key of the cache.
    ///
    /// The part of a picture or page that is looked at first is in the place of the whole, and answers what asks for a part only.
    var keySuffix: String {
        if case .range(let bytes) = self, bytes.lowerBound > 0 { " " + text } else { "" }
    }

    /// Whether the range that a server has sent is this part.
    func isAnswered(by range: ContentRange) -> Bool {
        switch self {
        case .range(let bytes):
            range.first == bytes.lowerBound && range.last == min(bytes.upperBound, range.total) - 1
        case .end(let count):
            range.last == range.total - 1 && range.first == max(0, range.total - count)
        }
    }
}

/// The range carried by a 206: `bytes 5-9/10` (RFC 9110, section 14.4).
struct ContentRange: Equatable {
    /// The first and last byte, counted from zero, both inclusive.
    let first: Int
    let last: Int
    /// The total length.
    let total: Int

    /// Parses a Content-Range; nil if it is malformed, contradicts itself, or does not state the total length.
    init?(_ value: String) {
        let numbers = value.dropFirst(6).split { $0 == "-" || $0 == "/" }.compactMap {
            Int(bounded: $0)
        }
        guard numbers.count == 3, numbers[0] <= numbers[1], numbers[1] < numbers[2],
            value.lowercased() == "bytes \(numbers[0])-\(numbers[1])/\(numbers[2])"
        else { return nil }
        first = numbers[0]
        last = numbers[1]
        total = numbers[2]
    }
}
