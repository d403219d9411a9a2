/// A selector of a recipe: CSS, with `@attribute` at its end where a value and not the text is wanted.
///
/// `img@src` is the `src` of the first `img`, `h2` the text of the first `h2`, `@data-title` an attribute of the element itself.
public struct Extractor: Sendable {
    private let selector: Selector?
    private let attribute: String?

    /// Parses `text`; throws with the reason and where.
    public init(_ text: String) throws(SelectorError) {
        let parts = Extractor.split(text)
        attribute = parts.attribute.map { $0.lowercased() }
        if attribute?.isEmpty == true || attribute?.contains(where: \.isWhitespace) == true {
            throw SelectorError(
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

    /// The elements of `node` that the CSS part matches; without one, the node itself.
    public func nodes(in node: Node) -> [Node] {
        selector.map { node.select($0) } ?? [node]
    }

    /// The first value that is not empty: the attribute, or the text as one line.
    public func value(in node: Node) -> String? {
        for match in nodes(in: node) {
            if let value = value(of: match), !value.isEmpty { return value }
        }
        return nil
    }

    /// Every value that is not empty, in page order.
    public func values(in node: Node) -> [String] {
        nodes(in: node).compactMap { value(of: $0) }.filter { !$0.isEmpty }
    }

    private func value(of node: Node) -> String? {
        attribute.map { node.attribute($0) } ?? node.textContent
    }
}
