import Basics
import Markup
import Network

/// A feed in RSS 2.0, RSS 1.0 or Atom, with Media RSS and enclosures, or a catalogue (OPDS 1.2).
struct Feed {
    let document: Document
    let context: PageContext

    /// Returns the page with the pictures of all entries, in the feed's order.
    func page() throws(PageError) -> Page {
        let root = document.root
        let entries = outermost(in: root) { ["item", "entry"].contains($0.localName) }
        let pictures = entries.flatMap(pictures).unique(by: \.place)
        let channel =
            root.descendants.first { ["channel", "feed"].contains($0.localName) } ?? root
        let page = context.page(
            title: text("title", in: channel), pictures, next: next(of: channel))
        guard !page.isWithoutPictures || page.next != nil else { throw .noPictures }
        return page
    }

    private func pictures(of entry: Node) -> [Picture] {
        let medias = media(in: entry)
        if !medias.isEmpty { return medias }
        let links = entry.children.filter { $0.localName == "link" }.map { link in
            var reference = link.attribute("href")
            // Servers call the namespace of page streams whatever they like.
            link.forEachAttribute {
                if $0.hasSuffix(":count") { reference? += Page.streamMark + $1 }
            }
            return (
                "\(link.attribute("rel") ?? ""),\(link.attribute("type") ?? "")", reference
            )
        }
        // Entries of other feeds may link to documents, too.
        if links.contains(where: { $0.0.contains("opds") }),
            let publication = Picture(
                publication: links, title: text("title", in: entry), context(of: entry))
        {
            return [publication]
        }
        // The feed of a photo blog has its pictures in the entries' text.
        guard let (markup, context) = body(of: entry) else { return [] }
        return context.pictures(inMarkup: markup) { describe(&$0, by: entry) }
    }

    /// Returns an entry's text as markup, with its context.
    private func body(of entry: Node) -> (markup: String, context: PageContext)? {
        children("encoded content description summary body", of: entry).first.map { body in
            let isText = body.children.allSatisfy(\.isText)
            return (
                isText ? body.text(limit: 1 << 20) : body.markup(limit: 1 << 19), context(of: body)
            )
        }
    }

    /// Returns the first picture that an entry's text links to: Reddit's beside a thumbnail.
    private func linkedPicture(in entry: Node) -> Picture.Variant? {
        guard let (markup, context) = body(of: entry) else { return nil }
        return Document(markup: markup).elements(.a).lazy
            .compactMap { context.resolve($0.attribute(.href)) }
            .first { AddressHints($0).looksLikePicture }.map { Picture.Variant(named: $0) }
    }

    /// Returns the context of what `node` refers to, whose base it or those around it may name.
    private func context(of node: Node) -> PageContext {
        // Bounded, as a hostile feed may be nested.
        let bases = ([node] + node.ancestors.prefix(64)).compactMap { $0.attribute("xml:base") }
        var context = context
        for base in bases.reversed() { context.base = context.base.resolving(base) ?? context.base }
        return context
    }

    private func media(in entry: Node) -> [Picture] {
        let groups = outermost(in: entry) { $0.localName == "group" }
        let sets =
            groups.isEmpty
            ? entry.descendants.filter(isPicture).map { [$0] }
            : groups.map { $0.descendants.filter(isPicture) }
        // Also iTunes' image of an episode.
        let thumbnail = entry.descendants.lazy
            .filter { ["thumbnail", "image"].contains($0.localName) }.compactMap(variant).first
        let pictures = sets.compactMap { set in
            let sizes = set.compactMap(variant).sorted {
                ($0.width?.count ?? .max) < ($1.width?.count ?? .max)
            }
            return picture(
                [sets.count == 1 ? thumbnail : nil] + sizes, of: entry,
                titled: set.first.flatMap(mediaTitle), isFullKnown: !sizes.isEmpty)
        }
        guard pictures.isEmpty, let thumbnail else { return pictures }
        return nonNil(picture([thumbnail, linkedPicture(in: entry)], of: entry))
    }

    /// Returns the matching elements outside other matches, so that each part of a hostile feed is read once, however deeply nested.
    private func outermost(in node: Node, where isWanted: (Node) -> Bool) -> [Node] {
        node.descendants.reduce(into: []) { found, other in
            if found.last?.contains(other) != true, isWanted(other) { found.append(other) }
        }
    }

    /// Whether `node` is a `media:content`, an `enclosure`, or Atom's link or content, and of a picture, by its type or address.
    private func isPicture(_ node: Node) -> Bool {
        guard
            ["content", "enclosure"].contains(node.localName)
                || node.attribute("rel") == "enclosure", let address = variant(node)?.address
        else { return false }
        return node.attribute("type")?.hasPrefix("image/") == true
            || node.attribute("medium") == "image" || AddressHints(address).looksLikePicture
    }

    private func variant(_ node: Node) -> Picture.Variant? {
        let reference = ["url", "href", "src"].compactMap(node.attribute).first
        return context(of: node).resolve(reference).map {
            Picture.Variant(
                address: $0, width: node.attribute("width").flatMap(Pixels.init),
                height: node.attribute("height").flatMap(Pixels.init))
        }
    }

    /// Returns the `media:title` of a picture or its group, which is more specific than the entry's title.
    private func mediaTitle(of content: Node) -> String? {
        text("media:title", in: content)
            ?? content.parent.flatMap {
                $0.localName == "group" ? text("media:title", in: $0) : nil
            }
    }

    private func picture(
        _ variants: [Picture.Variant?], of entry: Node, titled title: String? = nil,
        isFullKnown: Bool = false
    ) -> Picture? {
        guard
            var picture = Picture(data: variants, title: title, isFullKnown: isFullKnown, context)
        else { return nil }
        describe(&picture, by: entry)
        picture.title = title ?? picture.title
        return picture
    }

    private func describe(_ picture: inout Picture, by entry: Node) {
        picture.title = text("title", in: entry) ?? picture.title
        picture.link = link(of: entry) ?? picture.link
        let date = text("pubDate published updated date", in: entry)
        picture.date = date.flatMap(Dates.iso) ?? picture.date
    }

    private func link(of entry: Node) -> Address? {
        let links = entry.children.filter { $0.localName == "link" }
        let chosen = links.first { ($0.attribute("rel") ?? "alternate") == "alternate" }
        return chosen.flatMap { context(of: $0).resolve($0.attribute("href") ?? $0.textContent) }
    }

    private func next(of channel: Node) -> String? {
        channel.children.first {
            // RFC 5005 defines both paged and archived feeds.
            $0.localName == "link" && ["next", "prev-archive"].contains($0.attribute("rel"))
        }?.attribute("href")
    }

    /// Returns the first child of each of `names`, in the order of these, or else the first with a prefix.
    private func children(_ names: String, of node: Node) -> [Node] {
        wordList(names).compactMap { name in
            node.children.first { $0.tagName == name }
                ?? node.children.first { $0.localName == name }
        }
    }

    /// Returns the text of the child with the first of `names` that has one.
    private func text(_ names: String, in node: Node) -> String? {
        children(names, of: node).lazy.map(\.textContent).first { !$0.isEmpty }
    }
}
