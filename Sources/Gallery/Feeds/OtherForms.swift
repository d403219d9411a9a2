import Basics
import Markup
import Network

/// Alternative sources for a page without pictures: its immediate redirect target, its machine-readable forms, its frames.
enum OtherForms {
    /// Types of `link rel=alternate` in the order in which they are tried: feeds, museum works, accounts, the page's own data.
    private static let types = wordList(
        """
        application/rss+xml application/atom+xml application/feed+json application/ld+json
        application/activity+json application/json application/json+oembed
        """)
    private static let manifestRank = types.firstIndex(of: "application/ld+json") ?? 0
    private static let most = 4

    /// Returns the addresses to try, likeliest first.
    static func addresses(in document: Document, context: PageContext) -> [Address] {
        if let target = refresh(document, context) { return [target] }
        let frame = frame(document, context)
        let found = alternates(document, context) + [frame].compactMap { $0 }
        return Array(found.prefix(most))
    }

    /// Returns the target of `<meta http-equiv=refresh content="0; url=web/index.html">` with a delay of at most ten seconds.
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

    /// Returns the page's alternate forms (https://html.spec.whatwg.org/#rel-alternate), except comment feeds.
    private static func alternates(_ document: Document, _ context: PageContext) -> [Address] {
        var found: [(rank: Int, address: Address)] = []
        for node in document.root.descendants where node.name == .link {
            guard
                let relations = node.attribute(.rel)?.lowercased().split(
                    whereSeparator: \.isWhitespace),
                let href = node.attribute(.href), !href.lowercased().includes("comment"),
                node.attribute(.title)?.lowercased().includes("comment") != true
            else { continue }
            let type = (node.attribute(.type) ?? "").lowercased().prefix { $0 != ";" }
            let rank = types.firstIndex { $0 == Text.line(type) }
            if relations.contains("https://api.w.org/") {
                // All media of a WordPress site, ranked below data of the page itself.
                let media = href + "wp/v2/media" + (href.includes("?") ? "&" : "?") + "per_page=100"
                if let address = accepted(media, context) { found.append((types.count, address)) }
            } else if let rank, relations.contains("alternate"),
                let address = accepted(href, context, isSame: rank > 2)
            {
                found.append((rank, address))
            }
        }
        if let manifest = manifest(document, context) { found.append((manifestRank, manifest)) }
        return found.sorted { $0.rank < $1.rank }.unique(by: \.rank).map(\.address)
    }

    /// Returns the manifest shown by a IIIF viewer, from a data attribute or a link's query (https://iiif.io/api/content-state/1.0/).
    private static func manifest(_ document: Document, _ context: PageContext) -> Address? {
        for node in document.root.descendants where !node.isText {
            let own = node.attribute("data-manifest") ?? node.attribute("data-iiif-manifest")
            let link = node.attribute(.href) ?? node.attribute(.src)
            let value =
                own
                ?? link.flatMap { link in
                    link.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }.split(separator: "&")
                        .first { $0.hasPrefix("manifest=") || $0.hasPrefix("iiif-content=") }
                        .map { part in
                            let encoded = part.utf8.drop { $0 != "=" }.dropFirst()
                            return String(utf8: PercentEncoding.decode(encoded))
                        }
                }
            if let found = value.flatMap({ accepted($0, context) }) { return found }
        }
        return nil
    }

    /// Returns the frame whose name suggests thumbnails, else the first.
    private static func frame(_ document: Document, _ context: PageContext) -> Address? {
        let frames = document.root.descendants.filter { $0.tagName == "frame" }
        let words = wordList("thumb index list nav menu left")
        let named = frames.first { node in
            let text = ((node.attribute(.name) ?? "") + (node.attribute(.src) ?? "")).lowercased()
            return words.contains(where: text.contains)
        }
        return (named ?? frames.first)?.attribute(.src).flatMap { accepted($0, context) }
    }

    /// - Parameter isSame: Whether to accept the page's own address, for a request in another form.
    private static func accepted(
        _ reference: String, _ context: PageContext, isSame: Bool = false
    ) -> Address? {
        context.resolve(reference).flatMap { $0 == context.address && !isSame ? nil : $0 }
    }
}
