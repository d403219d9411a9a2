import Basics

/// A character-by-character selector parser (https://www.w3.org/TR/selectors-4/#grammar).
struct SelectorParser {
    private let text: [Character]
    private var at = 0
    private var depth = 0
    private(set) var hasConditions: [[Selector.Complex]] = []
    /// The number of compounds and conditions parsed so far.
    private var conditionCount = 0

    /// Maximum nesting depth; `:not(:not(…))` any deeper is a mistake or an attack.
    private static let maxDepth = 8
    /// Maximum number of tags, classes and other conditions in all alternatives: the cost of matching per node.
    private static let maxConditions = 200

    init(_ text: String) { self.text = Array(text) }

    mutating func parse() throws(SyntaxError) -> [Selector.Complex] {
        let list = try list(relative: false)
        if let next { throw error("unexpected ‘\(next)’") }
        return list
    }

    private mutating func list(relative: Bool) throws(SyntaxError) -> [Selector.Complex] {
        var list = [try complex(relative: relative)]
        while accept(",") { list.append(try complex(relative: relative)) }
        return list
    }

    private mutating func complex(relative: Bool) throws(SyntaxError) -> Selector.Complex {
        skipBlanks()
        var combinator = relative ? explicitCombinator() ?? .descendant : .descendant
        skipBlanks()
        var parts = [(combinator: combinator, compound: try compound())]
        while true {
            let hadBlank = skipBlanks()
            if let explicit = explicitCombinator() {
                combinator = explicit
                skipBlanks()
            } else if hadBlank, let next, next != ",", next != ")" {
                combinator = .descendant
            } else {
                break
            }
            parts.append((combinator, try compound()))
        }
        return parts
    }

    private mutating func explicitCombinator() -> Selector.Combinator? {
        accept(">") ? .child : accept("+") ? .adjacent : accept("~") ? .sibling : nil
    }

    private mutating func compound() throws(SyntaxError) -> Selector.Compound {
        let start = at
        var compound = Selector.Compound()
        if !accept("*"), let name = identifier() { compound.tag = name.lowercased() }
        while let condition = try condition() { compound.conditions.append(condition) }
        conditionCount += 1 + compound.conditions.count
        guard conditionCount <= SelectorParser.maxConditions else {
            throw error("more than \(SelectorParser.maxConditions) conditions")
        }
        guard at > start else {
            throw error(next.map { "unexpected ‘\($0)’" } ?? "a selector is missing")
        }
        return compound
    }

    private mutating func condition() throws(SyntaxError) -> Selector.Condition? {
        if accept("#") {
            return .attribute("id", .init(comparison: .equal, value: try name(of: "an id")))
        }
        if accept(".") {
            return .attribute("class", .init(comparison: .word, value: try name(of: "a class")))
        }
        if accept("[") { return try attribute() }
        return try accept(":") ? pseudoClass() : nil
    }

    private mutating func attribute() throws(SyntaxError) -> Selector.Condition {
        skipBlanks()
        let name = try name(of: "an attribute").lowercased()
        skipBlanks()
        var test: Selector.AttributeTest?
        if let next, next != "]" {
            let comparison = Selector.AttributeTest.Comparison(rawValue: next) ?? .equal
            if comparison != .equal { at += 1 }
            try expect("=")
            skipBlanks()
            let value = try value()
            skipBlanks()
            let ignoresCase = accept("i") || accept("I")
            test = Selector.AttributeTest(
                comparison: comparison, value: ignoresCase ? value.lowercased() : value,
                ignoresCase: ignoresCase)
        }
        skipBlanks()
        try expect("]")
        return .attribute(name, test)
    }

    private mutating func value() throws(SyntaxError) -> String {
        guard let quote = next, "\"'".contains(quote) else {
            return try name(of: "a value")
        }
        let start = at
        at += 1
        let value = characters { $0 != quote }
        guard accept(quote) else {
            at = start
            throw error("the quote is not closed")
        }
        return value
    }

    private mutating func pseudoClass() throws(SyntaxError) -> Selector.Condition {
        let start = at
        switch try name(of: "a pseudo-class").lowercased() {
        case "first-child": return .nthChild(step: 0, offset: 1)
        case "last-child": return .lastChild
        case "nth-child":
            try expect("(")
            let (step, offset) = try nth()
            try expect(")")
            return .nthChild(step: step, offset: offset)
        case "not":
            let list = try argument(relative: false)
            guard list.allSatisfy({ $0.count == 1 }) else {
                at = start
                throw error("‘:not()’ takes no combinators")
            }
            return .not(list.map { $0[0].compound })
        case "has":
            let list = try argument(relative: true)
            hasConditions.append(list)
            return .has(hasConditions.count - 1)
        case let other:
            at = start
            throw error("‘:\(other)’ is not supported")
        }
    }

    private mutating func argument(relative: Bool) throws(SyntaxError) -> [Selector.Complex] {
        try expect("(")
        depth += 1
        guard depth <= SelectorParser.maxDepth else { throw error("nested too deeply") }
        let list = try list(relative: relative)
        depth -= 1
        skipBlanks()
        try expect(")")
        return list
    }

    /// Parses `odd`, `even`, `3`, `2n`, `-n+3`, `2n + 1` (https://www.w3.org/TR/css-syntax-3/#anb-microsyntax).
    private mutating func nth() throws(SyntaxError) -> (step: Int, offset: Int) {
        let start = at
        var formula = ""
        while let sign = next, sign != ")" {
            if !sign.isWhitespace { formula.append(sign) }
            at += 1
        }
        formula = formula.lowercased()
        let known = ["odd": "2n+1", "even": "2n"][formula] ?? formula
        let (head, tail) = known.halves(at: "n")
        guard let step = tail == nil ? 0 : ["": 1, "+": 1, "-": -1][head] ?? Int(bounded: head),
            let offset = tail == "" ? 0 : Int(bounded: tail ?? head)
        else {
            at = start
            throw error("‘\(formula)’ is not a position")
        }
        return (step, offset)
    }

    @discardableResult
    private mutating func skipBlanks() -> Bool {
        let start = at
        while next?.isWhitespace ?? false { at += 1 }
        return at > start
    }

    private var next: Character? { at < text.count ? text[at] : nil }

    private mutating func accept(_ sign: Character) -> Bool {
        guard next == sign else { return false }
        at += 1
        return true
    }

    private mutating func expect(_ sign: Character) throws(SyntaxError) {
        guard accept(sign) else { throw error("‘\(sign)’ is missing") }
    }

    private mutating func name(of what: String) throws(SyntaxError) -> String {
        guard let name = identifier() else { throw error("the name of \(what) is missing") }
        return name
    }

    private mutating func identifier() -> String? {
        let name = characters {
            $0.isLetter || $0.isNumber || "-_".contains($0) || !$0.isASCII
        }
        return name.isEmpty ? nil : name
    }

    /// Reads on, as long as a character is wanted or has a backslash before it.
    private mutating func characters(while isWanted: (Character) -> Bool) -> String {
        var read = ""
        while let sign = next {
            if sign == "\\", at + 1 < text.count { at += 1 } else if !isWanted(sign) { break }
            read.append(text[at])
            at += 1
        }
        return read
    }

    private func error(_ reason: String) -> SyntaxError {
        SyntaxError(reason: reason, position: at + 1)
    }
}
