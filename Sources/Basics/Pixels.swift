// Numbers that pages, files, servers and terminals tell, made such that what is computed of them cannot overflow.

/// A length in pixels as something from outside tells it: 1…2²⁴, so that products of two fit, and sums of thousands of those.
public struct Pixels: Hashable, Comparable, Sendable {
    private let number: Int32

    /// How many.
    public var count: Int { Int(number) }

    /// More than any picture has in a row.
    private static let most = 1 << 24

    /// Nil for anything that is not a length of a picture.
    public init?(_ count: Int) {
        guard (1...Self.most).contains(count) else { return nil }
        number = Int32(count)
    }

    /// Reads ASCII digits and nothing else; nil for anything that is not a length of a picture.
    public init?(_ text: some StringProtocol) {
        guard let count = Int(bounded: text) else { return nil }
        self.init(count)
    }

    /// Whether the first is shorter.
    public static func < (one: Pixels, other: Pixels) -> Bool { one.number < other.number }
}

extension Pixels: ExpressibleByIntegerLiteral, CustomStringConvertible {
    /// The nearest length there is.
    public init(integerLiteral count: Int) { number = Int32(min(max(1, count), Self.most)) }

    /// The digits.
    public var description: String { String(number) }
}

extension Int {
    /// The most that any other number from outside is believed to be: 280 TB, nine million years in seconds; sums and small
    /// multiples of such numbers fit.
    private static let bound = 1 << 48

    /// The whole number that `text` is in ASCII digits, a sign before them or none; nil for anything else, and for what lies beyond ±2⁴⁸.
    public init?(bounded text: some StringProtocol) {
        guard let number = Int(text), number.magnitude <= Self.bound else { return nil }
        self = number
    }

    /// The whole number nearest to `number`; nil beyond ±2⁴⁸, and for what is not a number.
    public init?(bounded number: Double) {
        guard number.magnitude <= Double(Self.bound) else { return nil }
        self = Int(number.rounded())
    }
}
