import Basics
import Markup
import Network

/// Alternative sources for a page without pictures: its immediate redirect target, its machine-readable forms, its frames.
struct AlternativeSources {
    let document: Document
    let context: PageContext

    /// Types of `link rel=alternate` in the order in which they are tried: feeds, museum works, the page's own data.
    private static let types = wordList(
        """
        application/rss+xml application/atom+xml application/feed+json application/ld+json
        application/json
        """)
    private static let manifestRank = types.firstIndex(of: "application/ld+json") ?? 0
    private static let most = 4

    /// The addresses to try, likeliest first.
    var addresses: [Address] {
        if let target = refresh { return [target] }
        return Array((alternates + nonNil(frame)).prefix(Self.most))
    }

    /// The target of `<meta http-equiv=refresh content="0; url=web/index.html">` with a delay of at most ten seconds.
    private var refresh: Address? {
        for node in document.elements(.meta) {
            guard node.attribute("http-equiv")?.lowercased() == "refresh",
                let content = node.attribute("content"),
                let seconds = Int(bounded: content.prefix { $0.isNumber }), seconds <= 10,
                let sign = content.firstIndex(of: "=")
            else { continue }
            let target = content[content.index(after: sign)...]
                .drop { " '\"".contains($0) }.prefix { !"'\"".contains($0) }
            return accepted(Text.line(target))
        }
        return nil
    }

    /// The page's alternate forms (https://html.spec.whatwg.org/#rel-alternate), except comment feeds.
    private var alternates: [Address] {
        var found: [(rank: Int, address: Address)] = []
        for node in document.elements(.link) {
            guard let href = node.attribute(.href), !href.lowercased().includes("comment"),
                node.attribute(.title)?.lowercased().includes("comment") != true
            else { continue }
            let type = (node.attribute(.type) ?? "").lowercased().prefix { $0 != ";" }
            let rank = Self.types.firstIndex(of: Text.line(type))
            if node.relations.contains("https://api.w.org/") {
                // All media of a WordPress site, ranked below data of the page itself.
                let media = href + "wp/v2/media" + (href.includes("?") ? "&" : "?") + "per_page=100"
                if let address = accepted(media) { found.append((Self.types.count, address)) }
            } else if let rank, node.relations.contains("alternate"),
                let address = accepted(href, isSame: rank > 2)
            {
                found.append((rank, address))
            }
        }
        if let manifest { found.append((Self.manifestRank, manifest)) }
        return found.sorted { $0.rank < $1.rank }.unique(by: \.rank).map(\.address)
    }

    /// The manifest shown by a IIIF viewer, from a data attribute or a link's query (https://iiif.io/api/content-state/1.0/).
    private var manifest: Address? {
        document.root.descendants.lazy.compactMap { node in
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
            return accepted(value)
        }.first
    }

    /// The frame whose name suggests thumbnails, else the first.
    private var frame: Address? {
        let frames = document.elements(called: "frame")
        let words = wordList("thumb index list nav menu left")
        let named = frames.first { node in
            let text = ((node.attribute(.name) ?? "") + (node.attribute(.src) ?? "")).lowercased()
            return words.contains(where: text.contains)
        }
        return accepted((named ?? frames.first)?.attribute(.src))
    }

    /// - Parameter isSame: Whether to accept the page's own address, for a request in another form.
    private func accepted(_ reference: String?, isSame: Bool = false) -> Address? {
        context.resolve(reference).flatMap { $0 == context.address && !isSame ? nil : $0 }
    }
}
