import Basics

/// A character-by-character selector parser (https://www.w3.org/TR/selectors-4/#grammar).
struct SelectorParser {
    private let text: [Character]
    private var at = 0
    private var depth = 0
    private(set) var hasConditions: [[Selector.Complex]] = []
    /// The number of compounds and conditions parsed so far.
    private(set) var conditionCount = 0

    /// Maximum nesting depth; `:not(:not(…))` any deeper is a mistake or an attack.
    private static let maxDepth = 8
    /// Maximum number of parts, each of which takes a bit in the matcher.
    private static let maxParts = 32
    /// Maximum number of tags, classes and other conditions in all alternatives: the cost of matching per node.
    private static let maxConditions = 200

    init(_ text: String) { self.text = Array(text) }

    mutating func parse() throws(SyntaxError) -> [Selector.Complex] {
        let list = try list(relative: false)
        if at < text.count { throw error("unexpected ‘\(text[at])’") }
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
            } else if hadBlank, at < text.count, text[at] != ",", text[at] != ")" {
                combinator = .descendant
            } else {
                break
            }
            parts.append((combinator, try compound()))
            guard parts.count <= SelectorParser.maxParts else {
                throw error("more than \(SelectorParser.maxParts) parts")
            }
        }
        return Selector.Complex(parts: parts)
    }

    private mutating func explicitCombinator() -> Selector.Complex.Combinator? {
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
            throw error(at < text.count ? "unexpected ‘\(text[at])’" : "a selector is missing")
        }
        return compound
    }

    private mutating func condition() throws(SyntaxError) -> Selector.Condition? {
        if accept("#") { return .id(Array(try name(of: "an id").utf8)) }
        if accept(".") { return .class(Array(try name(of: "a class").utf8)) }
        if accept("[") { return try attribute() }
        if accept(":") { return try pseudoClass() }
        return nil
    }
}

extension SelectorParser {
    private mutating func attribute() throws(SyntaxError) -> Selector.Condition {
        skipBlanks()
        let name = try name(of: "an attribute").lowercased()
        skipBlanks()
        var test = Selector.AttributeTest.exists
        if at < text.count, text[at] != "]" {
            let comparison = try comparison()
            skipBlanks()
            let value = try value()
            skipBlanks()
            let ignoresCase = accept("i") || accept("I")
            let bytes = Array((ignoresCase ? value.lowercased() : value).utf8)
            test = .compare(comparison, value: bytes, ignoringCase: ignoresCase)
        }
        skipBlanks()
        try expect("]")
        return .attribute(name: name, test: test)
    }

    private mutating func comparison() throws(SyntaxError) -> Selector.Operator {
        let operators: [(Character, Selector.Operator)] = [
            ("~", .word), ("|", .dash), ("^", .prefix), ("$", .suffix), ("*", .substring),
        ]
        for (sign, comparison) in operators where accept(sign) {
            try expect("=")
            return comparison
        }
        try expect("=")
        return .equal
    }

    private mutating func value() throws(SyntaxError) -> String {
        guard at < text.count, text[at] == "\"" || text[at] == "'" else {
            return try name(of: "a value")
        }
        let quote = text[at]
        let start = at
        at += 1
        var value = ""
        while at < text.count, text[at] != quote {
            if text[at] == "\\", at + 1 < text.count { at += 1 }
            value.append(text[at])
            at += 1
        }
        guard accept(quote) else {
            at = start
            throw error("the quote is not closed")
        }
        return value
    }
}

extension SelectorParser {
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
            guard list.allSatisfy({ $0.parts.count == 1 }) else {
                at = start
                throw error("‘:not()’ takes no combinators")
            }
            return .not(list.map { $0.parts[0].compound })
        case "has":
            let list = try argument(relative: true)
            hasConditions.append(list)
            return .has(list, index: hasConditions.count - 1)
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
        while at < text.count, text[at] != ")" {
            if !text[at].isWhitespace { formula.append(text[at]) }
            at += 1
        }
        formula = formula.lowercased()
        if formula == "odd" { return (2, 1) }
        if formula == "even" { return (2, 0) }
        guard let n = formula.firstIndex(of: "n") else {
            if let offset = Int(bounded: formula) { return (0, offset) }
            at = start
            throw error("‘\(formula)’ is not a position")
        }
        let step = formula[..<n]
        let offset = formula[formula.index(after: n)...]
        let steps = step.isEmpty || step == "+" ? 1 : step == "-" ? -1 : Int(bounded: step)
        guard let steps, let offset = offset.isEmpty ? 0 : Int(bounded: offset) else {
            at = start
            throw error("‘\(formula)’ is not a position")
        }
        return (steps, offset)
    }
}

extension SelectorParser {
    @discardableResult
    private mutating func skipBlanks() -> Bool {
        let start = at
        while at < text.count, text[at].isWhitespace { at += 1 }
        return at > start
    }

    private mutating func accept(_ sign: Character) -> Bool {
        guard at < text.count, text[at] == sign else { return false }
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
        var name = ""
        while at < text.count {
            if text[at] == "\\", at + 1 < text.count {
                at += 1
            } else if !SelectorParser.isOfName(text[at]) {
                break
            }
            name.append(text[at])
            at += 1
        }
        return name.isEmpty ? nil : name
    }

    private static func isOfName(_ sign: Character) -> Bool {
        sign.isLetter || sign.isNumber || sign == "-" || sign == "_" || !sign.isASCII
    }

    private func error(_ reason: String) -> SyntaxError {
        SyntaxError(reason: reason, position: at + 1)
    }
}
