import Basics
import Network

/// Reads catalogues of OPDS 2.0 and the books there that list their pages (https://specs.opds.io, https://readium.org/webpub-manifest);
/// those of OPDS 1.2 are feeds.
enum Catalogue {
    static func page(_ value: LooseValue, _ context: PageContext) -> Page? {
        let lists = ["navigation", "groups", "publications", "readingOrder"]
        let pictures = lists.flatMap(value.items).compactMap { entry in
            // An entry of the navigation, or a page, is a link itself.
            Picture(
                publication: (entry.items("links") + entry.items("images") + [entry]).map {
                    ("\($0["rel"]?.json ?? ""),\($0["type"]?.json ?? "")", $0["href"]?.text)
                }, title: (entry["metadata"] ?? entry).line("title"), context)
        }
        return pictures.isEmpty || value["metadata"] == nil
            ? nil
            : context.page(
                title: value["metadata"]?.line("title"), pictures,
                next: value.items("links").first { $0["rel"] == "next" }?["href"]?.text)
    }
}

extension Picture {
    /// Creates what an entry of a catalogue shows and opens, by its links: the relation and type of each with a comma between them, and where
    /// it leads; nil for an entry of anything else.
    ///
    /// The pages of a book are preferred to its file. One that does not open is its cover, whatever catalogues of its author it links to.
    init?(
        publication links: [(words: String, reference: String?)], title: String?,
        _ context: PageContext
    ) {
        func first(_ parts: String) -> Address? {
            let parts = wordList(parts)
            return links.first { link in parts.contains(where: link.words.contains) }
                .flatMap { context.resolve($0.reference) }
        }
        let album =
            first("opds-pse/stream divina+json")
            ?? first("comicbook x-cb /zip -zip divina /rar -rar .rar 7z pdf octet-stream")
            ?? (first("opds-spec.org/acquisition") == nil
                ? first("opds-catalog opds+json subsection") : nil)
        // Of a cover the relation ends so; in OPDS 2.0 it has none, but a type in quotes.
        self.init(
            data: nonNil(first("thumbnail"), first(#"image, ,"image"#) ?? album).map {
                Variant(address: $0)
            }, title: title, link: album, context)
        if album != nil { kind = .album }
    }
}

extension Page {
    /// Stands between the address of a book's pages and their number.
    static let streamMark = "&pse:count="

    /// Creates the page of a book whose server sends its pages one by one (https://anansi-project.github.io/docs/opds-pse/), of which there
    /// may be 65,535.
    ///
    /// Its own address is never requested, so whoever named that counts as the page that names the pictures.
    init(stream request: Request) {
        let parts = request.address.text.split(separator: Self.streamMark)
        self.init(
            address: request.address, title: "",
            pictures: (0..<(UInt16(parts[parts.count - 1]) ?? 0)).compactMap { number in
                Address(
                    String(parts[0]).replacing("%7BpageNumber%7D", with: "\(number)")
                        .replacing("%7BmaxWidth%7D", with: "2048")
                ).map {
                    Picture(
                        listed: $0, title: "Page \(number + 1)",
                        page: request.referer ?? request.address)
                }
            })
    }
}
