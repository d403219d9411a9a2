import Basics
import Markup
import Network

/// A feed in RSS 2.0, RSS 1.0 or Atom, with Media RSS and enclosures.
struct Feed {
    let document: Document
    let context: PageContext

    /// Returns the page with the pictures of all entries, in the feed's order.
    func page() throws(PageError) -> Page {
        let root = document.root
        let entries = outermost(in: root) { $0.tagName == "item" || $0.tagName == "entry" }
        let pictures = entries.flatMap(pictures).unique(by: \.image)
        let channel =
            root.descendants.first { $0.tagName == "channel" || $0.tagName == "feed" } ?? root
        let page = context.page(
            title: text("title", in: channel), pictures, next: next(of: channel))
        guard !page.isWithoutPictures || page.next != nil else { throw .noPictures }
        return page
    }

    private func pictures(of entry: Node) -> [Picture] {
        let medias = media(in: entry)
        if !medias.isEmpty { return medias }
        // The feed of a photo blog has its pictures in the entries' text.
        let body = children("content:encoded content description summary", of: entry).first
        return DataFormat.pictures(inMarkup: body?.text(limit: 1 << 20), context) {
            describe(&$0, by: entry)
        }
    }

    private func media(in entry: Node) -> [Picture] {
        let groups = outermost(in: entry) { $0.tagName == "media:group" }
        let sets =
            groups.isEmpty
            ? entry.descendants.filter(isPicture).map { [$0] }
            : groups.map { $0.descendants.filter(isPicture) }
        let thumbnail = entry.descendants.first { $0.tagName == "media:thumbnail" }.flatMap(variant)
        let pictures = sets.compactMap { set in
            let sizes = set.compactMap(variant).sorted {
                ($0.width?.count ?? .max) < ($1.width?.count ?? .max)
            }
            return picture(
                [sets.count == 1 ? thumbnail : nil] + sizes, of: entry,
                titled: set.first.flatMap(mediaTitle), isFullKnown: !sizes.isEmpty)
        }
        return pictures.isEmpty ? [picture([thumbnail], of: entry)].compactMap(\.self) : pictures
    }

    /// Returns the matching elements outside other matches, so that each part of a hostile feed is read once, however deeply nested.
    private func outermost(in node: Node, where isWanted: (Node) -> Bool) -> [Node] {
        node.descendants.reduce(into: []) { found, other in
            if found.last?.contains(other) != true, isWanted(other) { found.append(other) }
        }
    }

    /// Whether `node` is a `media:content`, `enclosure` or Atom `link rel=enclosure` element of a picture.
    private func isPicture(_ node: Node) -> Bool {
        let type = node.attribute("type") ?? ""
        let isPicture = type.hasPrefix("image/") || node.attribute("medium") == "image"
        switch node.tagName {
        case "media:content":
            return isPicture
                || (type.isEmpty
                    && variant(node).map { AddressHints($0.address).looksLikePicture } ?? false)
        case "enclosure": return isPicture
        case "link": return node.attribute("rel") == "enclosure" && isPicture
        default: return false
        }
    }

    private func variant(_ node: Node) -> Picture.Variant? {
        context.resolve(node.attribute("url") ?? node.attribute("href")).map {
            Picture.Variant(
                address: $0, width: node.attribute("width").flatMap { Pixels($0) },
                height: node.attribute("height").flatMap { Pixels($0) })
        }
    }

    /// Returns the `media:title` of a picture or its group, which is more specific than the entry's title.
    private func mediaTitle(of content: Node) -> String? {
        text("media:title", in: content)
            ?? content.parent.flatMap {
                $0.tagName == "media:group" ? text("media:title", in: $0) : nil
            }
    }

    private func picture(
        _ variants: [Picture.Variant?], of entry: Node, titled title: String? = nil,
        isFullKnown: Bool = false
    ) -> Picture? {
        let data = Picture(data: variants, title: title, isFullKnown: isFullKnown, context)
        guard var picture = data else { return nil }
        describe(&picture, by: entry)
        picture.title = title ?? picture.title
        return picture
    }

    private func describe(_ picture: inout Picture, by entry: Node) {
        picture.title = text("title media:title", in: entry) ?? picture.title
        picture.link = link(of: entry) ?? picture.link
        let date = text("pubDate published updated dc:date", in: entry)
        picture.date = date.flatMap(Dates.iso) ?? picture.date
    }

    private func link(of entry: Node) -> Address? {
        let links = entry.children.filter { $0.tagName == "link" }
        let chosen = links.first { ($0.attribute("rel") ?? "alternate") == "alternate" }
        return chosen.flatMap { context.resolve($0.attribute("href") ?? $0.textContent) }
    }

    private func next(of channel: Node) -> String? {
        channel.children.first {
            // RFC 5005 defines both paged and archived feeds.
            ($0.tagName == "link" || $0.tagName == "atom:link")
                && ["next", "prev-archive"].contains($0.attribute("rel"))
        }?.attribute("href")
    }

    /// Returns the first child of each of `names`, in the order of these.
    private func children(_ names: String, of node: Node) -> [Node] {
        wordList(names).compactMap { name in node.children.first { $0.tagName == name } }
    }

    /// Returns the text of the child with the first of `names` that has one.
    private func text(_ names: String, in node: Node) -> String? {
        children(names, of: node).lazy.map(\.textContent).first { !$0.isEmpty }
    }
}
