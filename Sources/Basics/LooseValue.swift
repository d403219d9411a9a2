/// A JSON value (RFC 8259), or a JavaScript literal that a page uses instead.
public enum LooseValue: Equatable, Sendable {
    /// Keys and values in source order.
    case object([Member])
    /// An array.
    case array([LooseValue])
    /// A string with its escapes decoded.
    case text(String)
    /// A number.
    case number(Double)
    /// True or false.
    case flag(Bool)
    /// Null.
    case null
    /// A script expression that is not a literal.
    case other

    /// A key and its value; a key may occur more than once in an object.
    public struct Member: Equatable, Sendable {
        /// The key as written, without quotes and escapes.
        public var key: String
        /// The value after the colon.
        public var value: LooseValue
        /// Where the key begins in the bytes that were parsed.
        public var at: Int

        /// Creates a member of an object.
        public init(key: String, value: LooseValue, at: Int = 0) {
            self.key = key
            self.value = value
            self.at = at
        }
    }

    /// The value of the first member called `key`; nil if there is none, or if this is not an object.
    public subscript(key: String) -> LooseValue? { members.first { $0.key == key }?.value }

    /// Whether it is an object or an array.
    public var isContainer: Bool {
        switch self {
        case .object, .array: true
        default: false
        }
    }

    /// The members of an object; empty for any other value.
    public var members: [Member] {
        if case .object(let members) = self { members } else { [] }
    }

    /// The elements of an array; empty for any other value.
    public var elements: [LooseValue] {
        if case .array(let elements) = self { elements } else { [] }
    }

    /// The string; nil for any other value.
    public var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The value as a length in pixels; nil if it is not a valid one.
    public var pixels: Pixels? { integer.flatMap { Pixels($0) } }

    /// The value as an integer within ±2⁴⁸, also when written as a string.
    public var integer: Int? {
        switch self {
        case .number(let number): Int(bounded: number)
        case .text(let text): Int(bounded: text)
        default: nil
        }
    }
}

extension LooseValue: ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a string.
    public init(stringLiteral text: String) { self = .text(text) }
    /// Creates true or false.
    public init(booleanLiteral flag: Bool) { self = .flag(flag) }
    /// Creates a number.
    public init(integerLiteral number: Int) { self = .number(Double(number)) }
    /// Creates an array.
    public init(arrayLiteral elements: LooseValue...) { self = .array(elements) }
    /// Creates an object.
    public init(dictionaryLiteral members: (String, LooseValue)...) {
        self = .object(members.map { Member(key: $0, value: $1) })
    }

    /// The value in JSON.
    public var json: String {
        switch self {
        case .object(let members):
            "{"
                + members.map { "\(JSONString.quoted($0.key)):\($0.value.json)" }
                .joined(separator: ",") + "}"
        case .array(let elements): "[" + elements.map(\.json).joined(separator: ",") + "]"
        case .text(let text): JSONString.quoted(text)
        case .number(let number): Int(exactly: number).map(String.init) ?? "\(number)"
        case .flag(let flag): "\(flag)"
        case .null, .other: "null"
        }
    }
}
