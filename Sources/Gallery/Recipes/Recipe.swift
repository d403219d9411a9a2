import Basics
import Markup
import Network

/// Where one site has its pictures, described by a JSON file with regular expressions and CSS selectors.
public struct Recipe: Sendable {
    /// The name shown in explanations.
    let name: String
    let pattern: Pattern
    let item: Selector
    let thumbnail: Extractor?
    let image: Extractor?
    let link: Extractor?
    /// The address of the gallery that an item represents; an item without one is a picture.
    let album: Extractor?
    let title: Extractor?
    let summary: Extractor?
    let date: Extractor?
    let next: Extractor?

    func matches(_ address: Address) -> Bool { pattern.match(address.text) != nil }

    /// Reads the page; nil if no picture is found, so that the generic scraper can try.
    func page(_ document: Document, context: PageContext) -> Page? {
        let pictures = document.select(item).compactMap { picture($0, context: context) }
            .unique(by: \.image)
        guard !pictures.isEmpty else { return nil }
        let links = document.root.descendants.filter { $0.name == .a && $0.has(.href) }
        let found =
            if let next { context.resolve(next.value(in: document.root)) } else {
                NextPage(document: document, context: context, links: links.map(\.order))
                    .find(isDetail: false)
            }
        return Page(
            address: context.address, title: PageTitle.of(document), pictures: pictures,
            next: found == context.address ? nil : found)
    }

    private func picture(_ item: Node, context: PageContext) -> Picture? {
        let album = addresses(album, in: item, context).first
        let small = addresses(thumbnail, in: item, context).first
        let large = addresses(image, in: item, context).last
        var variants = [small, large == small ? nil : large].compactMap(\.self).map { address in
            let size = AddressHints(address).size
            return Picture.Variant(address: address, width: size?.width, height: size?.height)
        }
        // An album without a known picture has its own page in place of one.
        if variants.isEmpty, let album { variants = [Picture.Variant(address: album)] }
        guard let last = variants.last else { return nil }
        let title = self.title?.value(in: item).map { Text.line($0) }
        var picture = Picture(
            variants: variants, link: album ?? addresses(link, in: item, context).first,
            page: context.address,
            title: title ?? FileNameText.words(of: last.address),
            summary: summary?.value(in: item).map { Text.line($0) },
            date: date?.value(in: item).map { Dates.iso($0) ?? Text.line($0) },
            kind: album == nil ? .picture : .album)
        picture.isFullKnown = large != nil
        return picture
    }

    private func addresses(
        _ extractor: Extractor?, in item: Node, _ context: PageContext
    ) -> [Address] {
        extractor?.value(in: item).map { Recipe.addresses(in: $0, context) } ?? []
    }

    /// Returns the addresses in an attribute's value: a single one, those of a `srcset` from narrow to wide, or the one in a style.
    static func addresses(in value: String, _ context: PageContext) -> [Address] {
        if value.includes("url(") {
            return [context.resolve(Style.url(in: value))].compactMap(\.self)
        }
        guard value.contains(" ") else {
            return [context.resolve(value)].compactMap(\.self)
        }
        var found: [(address: Address, size: Double)] = []
        var isSet = false
        var value = value
        value.withUTF8 { bytes in
            Srcset.forEach(in: bytes) { candidate in
                guard let address = context.resolve(candidate.url) else { return }
                let size = candidate.width.map { Double($0.count) } ?? candidate.density ?? 1
                found.append((address, size))
                isSet = isSet || candidate.width != nil || candidate.density != nil
            }
        }
        // An address with spaces is not valid HTML, but still one address.
        guard isSet || found.count > 1 else { return [context.resolve(value)].compactMap(\.self) }
        return found.sorted { $0.size < $1.size }.map(\.address)
    }
}
