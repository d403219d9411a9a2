import Basics

/// A part of a resource; a server may answer a request for one with the whole.
public struct Part: Hashable, Sendable {
    /// The index of the first byte; nil if these are the last bytes.
    var start: Int?
    /// The number of bytes, unless the resource has less.
    var count: Int

    /// All of a resource, where parts of it do not fit together.
    static let all = Part(from: 0, count: 1 << 48)

    /// Creates a part that begins at `start`, or with nil one that ends with the resource.
    public init(from start: Int? = nil, count: Int) {
        self.start = start
        self.count = count
    }

    /// Creates the part with the bytes in a range.
    init(_ range: Range<Int>) { self.init(from: range.lowerBound, count: range.count) }

    /// The range as in HTTP's `Range` (RFC 9110, section 14.1.2) and libcurl's.
    var text: String { start.map { "\($0)-\($0 + count - 1)" } ?? "-\(count)" }

    /// What tells the part from others in the key of the cache.
    ///
    /// The part of a picture or page that is looked at first is in the place of the whole, and answers what asks for such a part only.
    var keySuffix: String { start ?? 0 > 0 || self == .all ? " " + text : "" }

    /// Whether the range that a server has sent is this part.
    func isAnswered(by range: ContentRange) -> Bool {
        range.first == start ?? max(0, range.total - count)
            && range.last == min(range.first + count, range.total) - 1
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
