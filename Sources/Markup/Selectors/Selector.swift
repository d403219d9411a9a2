/// A CSS selector: types, classes, ids, attribute operators, the four combinators, `:first-child :last-child :nth-child() :not() :has()`
/// and lists.
///
/// Matching takes time proportional to nodes times conditions, of which a selector has 200 at most, however deep the page is.
public struct Selector: Sendable {
    /// The parts from left to right, each with the combinator before it.
    ///
    /// The first combinator matters only inside `:has()`.
    typealias Complex = [(combinator: Combinator, compound: Compound)]

    enum Combinator {
        case descendant, child, adjacent, sibling
    }

    struct Compound {
        var tag: String?
        var conditions: [Condition] = []
    }

    enum Condition {
        /// An attribute that exists, with a value that passes the test if there is one; ids and classes are attributes, too.
        case attribute(String, AttributeTest?)
        case nthChild(step: Int, offset: Int)
        case lastChild
        case not([Compound])
        /// The condition with this index in `hasConditions`.
        case has(Int)
    }

    struct AttributeTest {
        /// The sign before `=`, which alone means `equal`.
        enum Comparison: Character {
            case equal = "="
            case word = "~"
            case dash = "|"
            case prefix = "^"
            case suffix = "$"
            case substring = "*"
        }

        var comparison: Comparison
        var value: String
        var ignoresCase = false
    }

    let alternatives: [Complex]
    let hasConditions: [[Complex]]

    /// Parses `text`; throws an error with reason and position.
    public init(_ text: String) throws(SyntaxError) {
        var parser = SelectorParser(text)
        alternatives = try parser.parse()
        hasConditions = parser.hasConditions
    }
}

/// A syntax error in a selector or another of a recipe's expressions.
public struct SyntaxError: Error, Hashable, CustomStringConvertible {
    /// The reason in plain language.
    var reason: String
    /// The position of the offending character, from 1.
    public var position: Int

    /// Creates a syntax error.
    public init(reason: String, position: Int) {
        self.reason = reason
        self.position = position
    }

    /// The reason and the position.
    public var description: String { "\(reason) at character \(position)" }
}

extension Node {
    /// Returns the descendants that match `selector`, in document order.
    ///
    /// The node itself may match parts left of the last: `li img` finds the pictures in a `li`. Its ancestors are not considered.
    public func select(_ selector: Selector) -> [Node] {
        var query = Query(tree: tree, scope: number, selector: selector)
        return query.run().map(tree.node)
    }
}

/// A selector in a recipe: CSS, followed by `@attribute` if an attribute's value rather than the text is wanted.
///
/// `img@src` is the `src` of the first `img`, `h2` the text of the first `h2`, `@data-title` an attribute of the element itself.
public struct Extractor: Sendable {
    private let selector: Selector?
    private let attribute: String?

    /// Parses `text`; throws an error with reason and position.
    public init(_ text: String) throws(SyntaxError) {
        // The last `@` outside brackets and quotes: `a[href*="@"]@href`.
        let sign = text.lastIndex(of: "@").flatMap { sign in
            text[sign...].contains { "]\"')".contains($0) } ? nil : sign
        }
        attribute = sign.map { Text.line(text[$0...].dropFirst()).lowercased() }
        if let attribute, attribute.isEmpty || attribute.contains(where: \.isWhitespace) {
            throw SyntaxError(
                reason: "the name of an attribute is missing", position: text.count + 1)
        }
        let css = text[..<(sign ?? text.endIndex)]
        let isOwn = attribute != nil && Text.line(css).isEmpty
        selector = isOwn ? nil : try Selector(String(css))
    }

    /// Returns the first non-empty value, the attribute or the text as one line, of the elements that the CSS part matches; without a CSS
    /// part, that of the node itself.
    public func value(in node: Node) -> String? {
        let nodes = selector.map(node.select) ?? [node]
        return nodes.lazy.compactMap { node in
            attribute.map(node.attribute) ?? node.textContent
        }.first { !$0.isEmpty }
    }
}
