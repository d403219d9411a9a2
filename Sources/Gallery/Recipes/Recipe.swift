import Basics
import Markup
public import Network

/// Where one site has its pictures, described by a JSON file with regular expressions and CSS selectors.
public struct Recipe: Sendable {
    /// The path of its file, as named by the user.
    public let file: String
    /// The name shown in explanations.
    let name: String
    let pattern: Pattern
    let item: Selector
    /// What gives the values of an item or, for `next`, of the page, by the recipe's keys; an item with an `album` represents a gallery.
    var extractors: [String: Extractor] = [:]

    /// The address of a page on which it finds pictures.
    public let test: String?

    /// How gently its site is asked.
    public internal(set) var pace = PaceOptions()

    /// Whether it is for the page at an address; callable on any thread.
    public func matches(_ address: Address) -> Bool { pattern.match(address.text) != nil }

    /// Reads the page; nil if no picture is found, so that the generic scraper can try.
    func page(_ document: Document, context: PageContext) -> Page? {
        let pictures = document.root.select(item).compactMap { picture($0, context: context) }
            .unique(by: \.image)
        guard !pictures.isEmpty else { return nil }
        let found =
            if let next = extractors["next"] {
                context.resolve(next.value(in: document.root))
            } else {
                NextPage(
                    document: document, context: context,
                    links: document.elements(.a).filter { $0.has(.href) }
                ).find(isDetail: false)
            }
        return Page(
            address: context.address, title: document.title, pictures: pictures,
            next: found == context.address ? nil : found)
    }

    private func picture(_ item: Node, context: PageContext) -> Picture? {
        func line(_ key: String) -> String? {
            extractors[key]?.value(in: item).map(Text.line)
        }
        func addresses(_ key: String) -> [Address] {
            extractors[key]?.value(in: item).map(context.addresses) ?? []
        }
        let album = addresses("album").first
        let small = addresses("thumbnail").first
        let large = addresses("image").last
        var variants = nonNil(small, large == small ? nil : large).map {
            Picture.Variant(named: $0)
        }
        // An album without a known picture has its own page in place of one.
        if variants.isEmpty, let album { variants = [Picture.Variant(address: album)] }
        guard let last = variants.last else { return nil }
        var picture = Picture(
            variants: variants, link: album ?? addresses("link").first, page: context.address,
            title: line("title") ?? FileNameText.words(of: last.address),
            summary: line("description"), date: line("date").map { Dates.iso($0) ?? $0 },
            kind: album == nil ? .picture : .album)
        picture.isFullKnown = large != nil
        return picture
    }
}

extension PageContext {
    /// Returns the addresses in an attribute's value: a single one, those of a `srcset` from narrow to wide, or the one in a style.
    func addresses(in value: String) -> [Address] {
        let isStyle = value.includes("url(")
        var found: [(address: Address, size: Double?)] = []
        if !isStyle, value.contains(" ") {
            var value = value
            value.withUTF8 { bytes in
                Srcset.forEach(in: bytes) { candidate in
                    guard let address = resolve(candidate.url) else { return }
                    found.append(
                        (address, candidate.width.map { Double($0.count) } ?? candidate.density))
                }
            }
        }
        // An address with spaces is not valid HTML, but still one address.
        return found.count > 1 || found.contains { $0.size != nil }
            ? found.sorted { $0.size ?? 1 < $1.size ?? 1 }.map(\.address)
            : nonNil(resolve(isStyle ? Style.url(in: value) : value))
    }
}
