/// A CSS selector: types, classes, ids, attribute operators, the four combinators, `:first-child :last-child :nth-child() :not() :has()`
/// and lists.
///
/// Matching costs nodes times conditions, of which there are few hundred at most, however deep the page and hostile the selector.
public struct Selector: Sendable {
    struct Complex: Sendable {
        enum Combinator: Sendable {
            case descendant, child, adjacent, sibling
        }
        /// The parts from left to right, each with what stands before it.
        ///
        /// The first one's matters inside `:has()` only.
        var parts: [(combinator: Combinator, compound: Compound)]
    }

    struct Compound: Sendable {
        var tag: String?
        var conditions: [Condition] = []
    }

    indirect enum Condition: Sendable {
        case id([UInt8])
        case `class`([UInt8])
        case attribute(name: String, test: AttributeTest)
        case nthChild(step: Int, offset: Int)
        case lastChild
        case not([Compound])
        /// `index` numbers the `:has()` of a selector.
        case has([Complex], index: Int)
    }

    enum AttributeTest: Sendable {
        case exists
        case compare(Operator, value: [UInt8], ignoringCase: Bool)
    }

    /// `=`, `~=`, `|=`, `^=`, `$=`, `*=`.
    enum Operator: Sendable {
        case equal, word, dash, prefix, suffix, substring
    }

    let alternatives: [Complex]
    let hasConditions: [[Complex]]
    /// What matching it costs for each node: the number of its compounds and conditions.
    public let conditionCount: Int

    /// Parses `text`; throws with the reason and where.
    public init(_ text: String) throws(SyntaxError) {
        var parser = SelectorParser(text)
        alternatives = try parser.parse()
        hasConditions = parser.hasConditions
        conditionCount = parser.conditionCount
    }
}

/// What is wrong with a selector, or another of a recipe's expressions.
public struct SyntaxError: Error, Hashable, CustomStringConvertible {
    /// In plain words.
    public var reason: String
    /// The character it is about, from 1.
    public var position: Int

    /// Makes one.
    public init(reason: String, position: Int) {
        self.reason = reason
        self.position = position
    }

    /// Reason and place.
    public var description: String { "\(reason) at character \(position)" }
}

extension Node {
    /// The elements in it that `selector` matches, in document order.
    ///
    /// The node itself may match parts left of the last: `li img` finds the pictures of a `li` it is asked for. Nothing above it counts.
    public func select(_ selector: Selector) -> [Node] {
        var query = Query(tree: tree, scope: index, selector: selector)
        return query.run().map { Node(tree: tree, index: $0) }
    }
}

/// A selector of a recipe: CSS, with `@attribute` at its end where a value and not the text is wanted.
///
/// `img@src` is the `src` of the first `img`, `h2` the text of the first `h2`, `@data-title` an attribute of the element itself.
public struct Extractor: Sendable {
    private let selector: Selector?
    private let attribute: String?

    /// Parses `text`; throws with the reason and where.
    public init(_ text: String) throws(SyntaxError) {
        let parts = Extractor.split(text)
        attribute = parts.attribute.map { $0.lowercased() }
        if attribute?.isEmpty == true || attribute?.contains(where: \.isWhitespace) == true {
            throw SyntaxError(
                reason: "the name of an attribute is missing", position: text.count + 1)
        }
        let css = Text.line(parts.css)
        selector = css.isEmpty && attribute != nil ? nil : try Selector(String(parts.css))
    }

    /// The last `@` outside brackets and quotes parts the two: `a[href*="@"]@href`.
    private static func split(_ text: String) -> (css: Substring, attribute: String?) {
        guard let sign = text.lastIndex(of: "@") else { return (text[...], nil) }
        let rest = text[text.index(after: sign)...]
        guard !rest.contains(where: { "]\"')".contains($0) }) else { return (text[...], nil) }
        return (text[..<sign], Text.line(rest))
    }

    /// The first value in the elements that the CSS part matches, else in the node itself, that is not empty: the attribute, or the
    /// text as one line.
    public func value(in node: Node) -> String? {
        let nodes = selector.map { node.select($0) } ?? [node]
        return nodes.lazy.compactMap { node in
            attribute.map { node.attribute($0) } ?? node.textContent
        }.first { !$0.isEmpty }
    }
}
