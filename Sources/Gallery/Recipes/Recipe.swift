import Markup
public import Network

/// What teaches one site: where it has its pictures (CONTRACT, Recipes).
public struct Recipe: Sendable {
    /// For people.
    public let name: String
    /// The addresses it is for, as a regular expression over the whole address.
    let pattern: AddressPattern
    let item: Selector
    let thumbnail: Extractor?
    let image: Extractor?
    let link: Extractor?
    let title: Extractor?
    let summary: Extractor?
    let date: Extractor?
    let next: Extractor?

    /// Whether it is for that page.
    public func matches(_ address: Address) -> Bool { pattern.matches(address.text) }

    /// The page as the recipe reads it; nil if it finds no picture, so that the generic scraper may.
    func page(_ document: Document, context: PageContext) -> Page? {
        let pictures = unique(document.select(item).compactMap { picture($0, context: context) })
        guard !pictures.isEmpty else { return nil }
        let written = next?.value(in: document.root).flatMap { context.resolve($0) }
        let links = document.root.descendants.filter { $0.name == .a && $0.has(.href) }
        let found =
            next == nil
            ? NextPage(document: document, context: context, links: links.map(\.order))
                .find(isDetail: false)
            : written
        return Page(
            address: context.address, title: PageTitle.of(document), pictures: pictures,
            next: found.flatMap { $0 == context.address ? nil : $0 })
    }

    private func unique(_ pictures: [Picture]) -> [Picture] {
        var seen: Set<Address> = []
        return pictures.filter { seen.insert($0.image).inserted }
    }

    private func picture(_ item: Node, context: PageContext) -> Picture? {
        let small = address(thumbnail, in: item, context)
        let large = address(image, in: item, context)
        let variants = [small, large].compactMap { $0 }.reduce(into: [Picture.Variant]()) {
            variants, address in
            guard !variants.contains(where: { $0.address == address }) else { return }
            let size = AddressHints(address).size
            variants.append(
                Picture.Variant(address: address, width: size?.width, height: size?.height))
        }
        guard let last = variants.last else { return nil }
        let title = self.title?.value(in: item).map { Text.line($0) }
        var picture = Picture(
            variants: variants, link: address(link, in: item, context), page: context.address,
            title: title ?? Titles.fromFileName(last.address),
            summary: summary?.value(in: item).map { Text.line($0) },
            date: date?.value(in: item).map { Dates.iso($0) ?? Text.line($0) }, width: last.width,
            height: last.height)
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
