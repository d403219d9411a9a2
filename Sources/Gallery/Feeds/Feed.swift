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
        let channel = root.descendants.first { $0.tagName == "channel" || $0.tagName == "feed" }
        let next = channel.flatMap(next)
        guard !pictures.isEmpty || next != nil else { throw .noPictures }
        return Page(
            address: context.address, title: channel.flatMap { text("title", in: $0) } ?? "",
            pictures: pictures, next: next)
    }

    private func pictures(of entry: Node) -> [Picture] {
        let medias = media(in: entry)
        if !medias.isEmpty { return medias }
        // The feed of a photo blog has its pictures in the entries' text.
        let body =
            child("content:encoded", in: entry) ?? child("content", in: entry)
            ?? child("description", in: entry) ?? child("summary", in: entry)
        return DataFormat.pictures(inMarkup: body?.text(limit: 1 << 20), context) {
            $0 = described($0, by: entry)
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
            let variants = (sets.count == 1 ? [thumbnail].compactMap(\.self) : []) + sizes
            var found = picture(variants, of: entry, titled: mediaTitle(of: set))
            found?.isFullKnown = !sizes.isEmpty
            return found
        }
        guard pictures.isEmpty, let thumbnail else { return pictures }
        return [picture([thumbnail], of: entry)].compactMap(\.self)
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
    private func mediaTitle(of contents: [Node]) -> String? {
        guard let content = contents.first else { return nil }
        return text("media:title", in: content)
            ?? content.parent.flatMap {
                $0.tagName == "media:group" ? text("media:title", in: $0) : nil
            }
    }

    private func picture(
        _ variants: [Picture.Variant], of entry: Node, titled title: String? = nil
    ) -> Picture? {
        guard let last = variants.last else { return nil }
        var picture = Picture(
            variants: variants, page: context.address, title: "", width: last.width,
            height: last.height)
        picture = described(picture, by: entry)
        picture.title = title ?? picture.title
        if picture.title.isEmpty { picture.title = FileNameText.words(of: last.address) }
        return picture
    }

    private func described(_ picture: Picture, by entry: Node) -> Picture {
        var picture = picture
        picture.title = text("title", in: entry) ?? text("media:title", in: entry) ?? picture.title
        picture.link = link(of: entry) ?? picture.link
        let date =
            text("pubDate", in: entry) ?? text("published", in: entry) ?? text("updated", in: entry)
            ?? text("dc:date", in: entry)
        picture.date = date.flatMap { Dates.iso($0) ?? Dates.isoOfMail($0) } ?? picture.date
        return picture
    }

    private func link(of entry: Node) -> Address? {
        let links = entry.children.filter { $0.tagName == "link" }
        let chosen = links.first { ($0.attribute("rel") ?? "alternate") == "alternate" }
        return chosen.flatMap { context.resolve($0.attribute("href") ?? $0.textContent) }
    }

    private func next(of channel: Node) -> Address? {
        let link = channel.children.first {
            // RFC 5005 defines both paged and archived feeds.
            ($0.tagName == "link" || $0.tagName == "atom:link")
                && ["next", "prev-archive"].contains($0.attribute("rel"))
        }
        return context.resolve(link?.attribute("href"))
    }

    private func child(_ name: String, in node: Node) -> Node? {
        node.children.first { $0.tagName == name }
    }

    private func text(_ name: String, in node: Node) -> String? {
        child(name, in: node).map { $0.textContent }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
