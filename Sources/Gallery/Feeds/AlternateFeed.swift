import Markup
import Network

/// The feed that a page names as another form of itself (https://html.spec.whatwg.org/#rel-alternate).
enum AlternateFeed {
    private static let types: Set<String> = [
        "application/rss+xml", "application/atom+xml", "application/feed+json",
    ]

    /// The first feed that is not one of comments.
    static func address(in document: Document, context: PageContext) -> Address? {
        for node in document.root.descendants where node.name == .link {
            guard let rel = node.attribute(.rel)?.lowercased(),
                rel.split(whereSeparator: \.isWhitespace).contains("alternate"),
                types.contains(node.attribute(.type)?.lowercased() ?? ""),
                let href = node.attribute(.href), !href.lowercased().includes("comment"),
                node.attribute(.title)?.lowercased().includes("comment") != true,
                let address = context.resolve(href), address != context.address
            else { continue }
            return address
        }
        return nil
    }
}
