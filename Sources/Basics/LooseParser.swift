/// A lenient parser for JSON and JavaScript object literals: accepts single quotes, bare keys, comments and extra commas.
///
/// Nothing is ever executed: an expression that is not a literal is parsed as `other` where a value may stand, and ends parsing elsewhere.
public struct LooseParser {
    private let bytes: ArraySlice<UInt8>
    /// The index of the next byte to read.
    public private(set) var at: Int
    private var count = 0

    /// Maximum nesting depth; the state embedded in pages has about ten levels.
    private static let maxDepth = 100
    /// Maximum number of values in one text; the largest page states have some ten thousand.
    private static let maxValues = 2_000_000

    /// Creates a parser at the start of `bytes`.
    public init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        at = bytes.withoutMark.startIndex
    }

    /// Parses the value at the start of `bytes`, ignoring whatever follows it.
    public static func value(of bytes: [UInt8]) -> LooseValue? {
        var parser = LooseParser(bytes[...])
        return parser.value()
    }

    /// Parses the value at the start of `bytes`, or the array of all of them where another object or array follows, as in lines of JSON.
    public static func lines(of bytes: [UInt8]) -> LooseValue? {
        var parser = LooseParser(bytes[...])
        guard let first = parser.value() else { return nil }
        var values = [first]
        while let next = parser.value(), next.isContainer { values.append(next) }
        return values.count > 1 ? .array(values) : first
    }

    /// Parses a whole file that holds one value, with nothing but white space and comments around it.
    public static func document(_ bytes: [UInt8]) throws(LooseSyntaxError) -> LooseValue {
        var parser = LooseParser(bytes[...])
        if let value = parser.value() {
            parser.skipBlanks()
            if parser.peek == nil { return value }
        }
        throw LooseSyntaxError(line: bytes[..<parser.at].count { $0 == 0x0A } + 1)
    }

    /// Parses the value at the current position; nil if there is none, or if it is malformed.
    public mutating func value() -> LooseValue? { value(depth: 0) }

    private mutating func value(depth: Int) -> LooseValue? {
        count += 1
        guard depth < LooseParser.maxDepth, count < LooseParser.maxValues else { return nil }
        skipBlanks()
        guard let byte = peek else { return nil }
        return switch byte {
        case "{": object(depth: depth)
        case "[": array(depth: depth)
        case "\"", "'", "`": string().map(LooseValue.text)
        default: word()
        }
    }

    private mutating func object(depth: Int) -> LooseValue? {
        at += 1
        var members: [LooseValue.Member] = []
        while true {
            skipBlanks()
            if skip("}") { return .object(members) }
            let start = at
            guard let key = key() else { return nil }
            skipBlanks()
            guard skip(":"), let value = value(depth: depth + 1) else { return nil }
            members.append(LooseValue.Member(key: key, value: value, at: start))
            skipBlanks()
            guard skip(",") || peek == "}" else { return nil }
        }
    }

    private mutating func array(depth: Int) -> LooseValue? {
        at += 1
        var elements: [LooseValue] = []
        while true {
            skipBlanks()
            if skip("]") { return .array(elements) }
            guard let element = value(depth: depth + 1) else { return nil }
            elements.append(element)
            skipBlanks()
            guard skip(",") || peek == "]" else { return nil }
        }
    }

    private mutating func key() -> String? {
        if peek == "\"" || peek == "'" { return string() }
        let name = bareWord()
        return name.isEmpty ? nil : name
    }

    /// Parses a number, `true`, `null`, or a name, whose value is unknown.
    private mutating func word() -> LooseValue? {
        switch bareWord(with: "-+.!") {
        case "": nil
        case "true": .flag(true)
        case "false": .flag(false)
        case "null": .null
        // An identifier keeps the digits that a number has no room for.
        case let word
        where word.utf8.count > 15 && word.first != "0" && word.allSatisfy(\.isNumber):
            .text(word)
        case let word: Double(word).map(LooseValue.number) ?? .other
        }
    }

    private mutating func skipBlanks() {
        while let byte = peek {
            if byte <= 0x20 {
                at += 1
            } else if byte == "/", skipComment() {
                continue
            } else {
                return
            }
        }
    }

    private mutating func skipComment() -> Bool {
        guard at + 1 < bytes.endIndex else { return false }
        switch bytes[at + 1] {
        case "/": while let byte = peek, byte != 0x0A { at += 1 }
        case "*":
            at += 2
            while at + 1 < bytes.endIndex,
                bytes[at] != "*" || bytes[at + 1] != "/"
            {
                at += 1
            }
            at = min(at + 2, bytes.endIndex)
        default: return false
        }
        return true
    }

    private var peek: UInt8? { at < bytes.endIndex ? bytes[at] : nil }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        at += 1
        return true
    }

    /// Reads letters, digits, `_`, `$`, what is not ASCII, and `others`.
    private mutating func bareWord(with others: String = "") -> String {
        let word = bytes[at...].prefix { byte in
            switch byte {
            case "0"..."9", "A"..."Z", "a"..."z", "_", "$", 0x80...: true
            default: others.utf8.contains(byte)
            }
        }
        at = word.endIndex
        return String(utf8: word)
    }
}

/// Text that even the lenient parser rejects.
public struct LooseSyntaxError: Error, Hashable {
    /// The line on which parsing stopped, counted from 1.
    public let line: Int
}

extension LooseParser {
    /// Parses a quoted string; placeholders in template literals are kept as written.
    private mutating func string() -> String? {
        let quote = bytes[at]
        at += 1
        var text: [UInt8] = []
        while let byte = peek {
            at += 1
            if byte == quote { return String(utf8: text) }
            if byte == "\\" {
                guard appendEscape(to: &text) else { return nil }
            } else if byte == 0x0A, quote != "`" {
                return nil
            } else {
                text.append(byte)
            }
        }
        return nil
    }

    private mutating func appendEscape(to text: inout [UInt8]) -> Bool {
        guard let byte = peek else { return false }
        at += 1
        switch byte {
        case "n", "r", "t": text.append(0x20)
        case "b", "f", "v", "0", "\n": break
        case "u", "x":
            text += Character(scalar(digits: byte == "u" ? 4 : 2) ?? "\u{FFFD}").utf8
        default: text.append(byte)
        }
        return true
    }

    /// Decodes `\uD83D\uDE00` to one scalar; nil for an unpaired surrogate.
    private mutating func scalar(digits: Int) -> Unicode.Scalar? {
        guard let high = hex(digits) else { return nil }
        let start = at
        if (0xD800...0xDBFF).contains(high), skip("\\"), skip("u"), let low = hex(4),
            (0xDC00...0xDFFF).contains(low)
        {
            return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
        }
        at = start
        return Unicode.Scalar(high)
    }

    private mutating func hex(_ digits: Int) -> UInt32? {
        guard at + digits <= bytes.endIndex,
            let value = UInt32(String(utf8: bytes[at..<at + digits]), radix: 16)
        else { return nil }
        at += digits
        return value
    }
}

extension Collection<UInt8> {
    /// What follows a byte order mark of UTF-8, if there is one.
    public var withoutMark: SubSequence { trimmingPrefix([0xEF, 0xBB, 0xBF]) }
}
