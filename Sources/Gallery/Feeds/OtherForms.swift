import Basics
import Markup
import Network

/// Where else a page without pictures may have them: the page that it forwards to at once, its feed, its frames.
enum OtherForms {
    private static let feedTypes: Set<String> = [
        "application/rss+xml", "application/atom+xml", "application/feed+json",
    ]

    /// The one to try.
    static func address(in document: Document, context: PageContext) -> Address? {
        refresh(document, context) ?? feed(document, context) ?? frame(document, context)
    }

    /// `<meta http-equiv=refresh content="0; url=web/index.html">` within ten seconds.
    private static func refresh(_ document: Document, _ context: PageContext) -> Address? {
        for node in document.root.descendants where node.tagName == "meta" {
            guard node.attribute("http-equiv")?.lowercased() == "refresh",
                let content = node.attribute("content"),
                let seconds = Int(bounded: content.prefix { $0.isNumber }), seconds <= 10,
                let sign = content.firstIndex(of: "=")
            else { continue }
            let target = content[content.index(after: sign)...]
                .drop { $0 == " " || $0 == "'" || $0 == "\"" }
                .prefix { $0 != "'" && $0 != "\"" }
            return accepted(Text.line(target), context)
        }
        return nil
    }

    /// The first alternate feed that is not one of comments (https://html.spec.whatwg.org/#rel-alternate).
    private static func feed(_ document: Document, _ context: PageContext) -> Address? {
        for node in document.root.descendants where node.name == .link {
            guard let rel = node.attribute(.rel)?.lowercased(),
                rel.split(whereSeparator: \.isWhitespace).contains("alternate"),
                feedTypes.contains(node.attribute(.type)?.lowercased() ?? ""),
                let href = node.attribute(.href), !href.lowercased().includes("comment"),
                node.attribute(.title)?.lowercased().includes("comment") != true,
                let address = accepted(href, context)
            else { continue }
            return address
        }
        return nil
    }

    /// The frame with the thumbnails, by its name, else the first.
    private static func frame(_ document: Document, _ context: PageContext) -> Address? {
        let frames = document.root.descendants.filter { $0.tagName == "frame" }
        let words = ["thumb", "index", "list", "nav", "menu", "left"]
        let named = frames.first { node in
            let text = ((node.attribute(.name) ?? "") + (node.attribute(.src) ?? "")).lowercased()
            return words.contains(where: text.contains)
        }
        return (named ?? frames.first)?.attribute(.src).flatMap { accepted($0, context) }
    }

    private static func accepted(_ reference: String, _ context: PageContext) -> Address? {
        context.resolve(reference).flatMap { $0 == context.address ? nil : $0 }
    }
}
