/// A value of JSON (RFC 8259), or of the JavaScript literals that pages write in its stead.
enum LooseValue: Equatable {
    case object([Member])
    case array([LooseValue])
    case text(String)
    case number(Double)
    /// `true`, `false`, `null`, and whatever a script says that is no literal.
    case other

    /// A key with its value, in the order of the page; a key may occur twice.
    struct Member: Equatable {
        var key: String
        var value: LooseValue
    }

    /// The value of the first member called `key`; nil for anything but an object that has one.
    subscript(key: String) -> LooseValue? {
        members.first { $0.key == key }?.value
    }

    /// The members of an object; none of anything else.
    var members: [Member] {
        if case .object(let members) = self { members } else { [] }
    }

    /// The elements of an array; none of anything else.
    var elements: [LooseValue] {
        if case .array(let elements) = self { elements } else { [] }
    }

    /// The text, if it is one.
    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// A whole number, also one written as text.
    var integer: Int? {
        switch self {
        case .number(let number): Int(exactly: number.rounded())
        case .text(let text): Int(text)
        default: nil
        }
    }
}
