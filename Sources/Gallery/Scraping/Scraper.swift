import Markup
import Network

/// Turns any HTML page into a gallery, without knowing the site.
///
/// Every address is collected first, then candidates are scored, compared by structure, and what is left is named and put in
/// page order. Where the markup gives none, the page's data, plain links and its one picture for others are asked in turn.
struct Scraper {
    private let document: Document
    private let context: PageContext

    init(document: Document, context: PageContext) {
        self.document = document
        self.context = context
    }

    /// The page; throws `noPictures` or `needsScripts` if there are none, nor a next page.
    func page() throws(PageError) -> Page {
        var collector = CandidateCollector(document: document, context: context)
        collector.run()
        var assembler = Assembler(collector, context: context, document: document)
        let candidates = assembler.assemble()
        let related = RelatedSections(collector, candidates: candidates)
        var parts = [[Candidate]](repeating: [], count: related.parts.count + 1)
        for candidate in candidates {
            parts[related.part(of: candidate.node).map { $0 + 1 } ?? 0].append(candidate)
        }
        var maker = PictureMaker(context: context)
        let main = MainPictures(document: document, context: context, collector: collector)
            .find(among: parts[0], maker: &maker)
        let sections = zip(related.parts, parts.dropFirst()).compactMap { part, candidates in
            let found = maker.pictures(
                of: Selection(candidates, ignoring: .chrome, context: context).candidates)
            return found.isEmpty ? nil : Page.Related(title: part.title, pictures: found)
        }
        let next =
            NextPage(document: document, context: context, links: collector.links)
            .find(isDetail: OnePicture.isMeant(by: main.pictures)) ?? main.next
        guard !main.pictures.isEmpty || next != nil || !sections.isEmpty else {
            throw ScriptedPage.isOne(document) ? .needsScripts : .noPictures
        }
        return Page(
            address: context.address, title: PageTitle.of(document), pictures: main.pictures,
            next: next, related: sections)
    }
}

/// The title of a page.
enum PageTitle {
    /// The first `h1` if the page has exactly one, else `<title>` (outside of which SVG has titles too).
    static func of(_ document: Document) -> String {
        let title = document.root.descendants.first {
            $0.name == .title && $0.ancestors.allSatisfy { $0.tagName != "svg" }
        }
        let text = title?.textContent ?? ""
        if !text.isEmpty { return text }
        return document.root.first(.h1)?.textContent ?? ""
    }
}
