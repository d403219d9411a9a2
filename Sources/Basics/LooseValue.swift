/// A value of JSON (RFC 8259), or of the JavaScript literals that pages write in its stead.
public enum LooseValue: Equatable {
    /// Keys and values in the order of the text.
    case object([Member])
    /// A list.
    case array([LooseValue])
    /// A string, its escapes undone.
    case text(String)
    /// A number.
    case number(Double)
    /// True or false.
    case flag(Bool)
    /// Null, or undefined.
    case null
    /// What a script says that is not a literal.
    case other

    /// A key with its value, in the order of the page; a key may occur twice.
    public struct Member: Equatable {
        /// As written, quotes and escapes undone.
        public var key: String
        /// What stands after the colon.
        public var value: LooseValue

        /// A member of an object.
        public init(key: String, value: LooseValue) {
            self.key = key
            self.value = value
        }
    }

    /// The value of the first member called `key`; nil for anything but an object that has one.
    public subscript(key: String) -> LooseValue? { members.first { $0.key == key }?.value }

    /// The members of an object; none of anything else.
    public var members: [Member] {
        if case .object(let members) = self { members } else { [] }
    }

    /// The elements of an array; none of anything else.
    public var elements: [LooseValue] {
        if case .array(let elements) = self { elements } else { [] }
    }

    /// The text, if it is one.
    public var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// A length in pixels.
    public var pixels: Pixels? { integer.flatMap { Pixels($0) } }

    /// A whole number up to 2⁴⁸, also one written as text.
    public var integer: Int? {
        switch self {
        case .number(let number): Int(bounded: number)
        case .text(let text): Int(bounded: text)
        default: nil
        }
    }
}
