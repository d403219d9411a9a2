import Markup
import Network

/// Where one site has its pictures, as a file in JSON says by regular expressions and CSS selectors.
public struct Recipe: Sendable {
    /// For people, in explanations.
    let name: String
    let pattern: Pattern
    let item: Selector
    let thumbnail: Extractor?
    let image: Extractor?
    let link: Extractor?
    let title: Extractor?
    let summary: Extractor?
    let date: Extractor?
    let next: Extractor?

    func matches(_ address: Address) -> Bool { pattern.match(address.text) != nil }

    /// The page as the recipe reads it; nil if it finds no picture, so that the generic scraper may.
    func page(_ document: Document, context: PageContext) -> Page? {
        var seen: Set<Address> = []
        let pictures = document.select(item).compactMap { picture($0, context: context) }
            .filter { seen.insert($0.image).inserted }
        guard !pictures.isEmpty else { return nil }
        let links = document.root.descendants.filter { $0.name == .a && $0.has(.href) }
        let found =
            if let next { next.value(in: document.root).flatMap { context.resolve($0) } } else {
                NextPage(document: document, context: context, links: links.map(\.order))
                    .find(isDetail: false)
            }
        return Page(
            address: context.address, title: PageTitle.of(document), pictures: pictures,
            next: found == context.address ? nil : found)
    }

    private func picture(_ item: Node, context: PageContext) -> Picture? {
        let small = address(thumbnail, in: item, context)
        let large = address(image, in: item, context)
        let variants = [small, large == small ? nil : large].compactMap(\.self).map { address in
            let size = AddressHints(address).size
            return Picture.Variant(address: address, width: size?.width, height: size?.height)
        }
        guard let last = variants.last else { return nil }
        let title = self.title?.value(in: item).map { Text.line($0) }
        var picture = Picture(
            variants: variants, link: address(link, in: item, context), page: context.address,
            title: title ?? FileNameText.words(of: last.address),
            summary: summary?.value(in: item).map { Text.line($0) },
            date: date?.value(in: item).map { Dates.iso($0) ?? Text.line($0) },
            width: last.width, height: last.height)
        picture.isFullKnown = large != nil
        return picture
    }

    /// The first value that is an address; several sizes in one attribute give the first.
    private func address(
        _ extractor: Extractor?, in item: Node, _ context: PageContext
    ) -> Address? {
        extractor?.value(in: item).flatMap { context.resolve($0) }
    }
}
