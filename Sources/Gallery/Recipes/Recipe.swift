import Markup
import Network

/// Where one site has its pictures, as a file in JSON says by regular expressions and CSS selectors.
public struct Recipe: Sendable {
    /// For people, in explanations.
    let name: String
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

    /// Whether the recipe is for that page.
    func matches(_ address: Address) -> Bool { pattern.matches(address.text) }

    /// The page as the recipe reads it; nil if it finds no picture, so that the generic scraper may.
    func page(_ document: Document, context: PageContext) -> Page? {
        let pictures = unique(document.select(item).compactMap { picture($0, context: context) })
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

/// A regular expression that an address as a whole must match.
struct AddressPattern: Sendable {
    /// Compiled again where it is used, since `Regex` may not cross threads.
    private let source: String

    /// Nil if it does not compile.
    init?(_ source: String) {
        guard (try? Regex(source)) != nil else { return nil }
        self.source = source
    }

    /// Whether all of `text` matches.
    func matches(_ text: String) -> Bool {
        guard let regex = try? Regex(source) else { return false }
        return (try? regex.ignoresCase().wholeMatch(in: text)) != nil
    }
}
