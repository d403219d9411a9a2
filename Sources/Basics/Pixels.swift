// Numbers from pages, files, servers and terminals, bounded such that arithmetic on them cannot overflow.

/// A length in pixels from an untrusted source: 1…2²⁴, so that products of two, and sums of thousands of these, cannot overflow.
public struct Pixels: Hashable, Comparable, Sendable {
    private let number: Int32

    /// The number of pixels.
    public var count: Int { Int(number) }

    /// More than the width or height of any picture.
    private static let most = 1 << 24

    /// Creates a length; nil if `count` is not within 1…2²⁴.
    public init?(_ count: Int) {
        guard (1...Self.most).contains(count) else { return nil }
        number = Int32(count)
    }

    /// Parses ASCII digits with an optional sign; nil for anything but a number within 1…2²⁴.
    public init?(_ text: some StringProtocol) {
        guard let count = Int(bounded: text) else { return nil }
        self.init(count)
    }

    /// Whether the first length is shorter.
    public static func < (one: Pixels, other: Pixels) -> Bool { one.number < other.number }
}

extension Pixels: ExpressibleByIntegerLiteral, CustomStringConvertible {
    /// Creates the nearest valid length.
    public init(integerLiteral count: Int) { number = Int32(min(max(1, count), Self.most)) }

    /// The number in decimal digits.
    public var description: String { String(number) }
}

extension Int {
    /// The maximum magnitude of any other untrusted number: 280 TB, or nine million years in seconds; sums and small multiples of such
    /// numbers fit.
    private static let bound = 1 << 48

    /// Parses an integer in ASCII digits with an optional sign; nil for anything else, and beyond ±2⁴⁸.
    public init?(bounded text: some StringProtocol) {
        guard let number = Int(text), number.magnitude <= Self.bound else { return nil }
        self = number
    }

    /// Parses a number of bytes, `1234`, `1.2K`, `3M` or `1G` in units of 1024; nil for anything else, and beyond 2⁴⁸.
    public init?(bytes text: some StringProtocol) {
        if let count = Int(bounded: text), count >= 0 {
            self = count
            return
        }
        let units: [Character: Double] = ["k": 1024, "m": 1_048_576, "g": 1_073_741_824]
        guard let unit = text.lowercased().last.flatMap({ units[$0] }),
            let number = Double(text.dropLast()), number >= 0
        else { return nil }
        self.init(bounded: number * unit)
    }

    /// Rounds `number` to the nearest integer; nil beyond ±2⁴⁸ and for NaN.
    public init?(bounded number: Double) {
        guard number.magnitude <= Double(Self.bound) else { return nil }
        self = Int(number.rounded())
    }
}
