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
        let page = document.view { view in self.page(view) } ?? nil
        guard let page else { throw ScriptedPage.isOne(document) ? .needsScripts : .noPictures }
        return page
    }

    /// The page; nil if there are no pictures on it, nor a next page.
    private func page(_ view: PageView) -> Page? {
        var collector = CandidateCollector(document, view: view, context: context)
        collector.run()
        var assembler = Assembler(&collector, context: context)
        let candidates = assembler.assemble()
        let related = RelatedSections(collector, of: document, candidates: candidates)
        let parts = related.divide(candidates)
        var maker = PictureMaker(context: context)
        var pictures = MainPictures(
            document: document, context: context, collector: collector,
            findings: assembler.findings)
        let main = pictures.find(among: parts[0], maker: &maker)
        let sections = zip(related.parts, parts.dropFirst()).compactMap { part, candidates in
            let found = maker.pictures(
                of: Selection(
                    candidates, in: assembler.findings, ignoring: .chrome, context: context
                ).candidates, in: assembler.findings)
            return found.isEmpty ? nil : Page.Related(title: part.title, pictures: Array(found))
        }
        let next =
            NextPage(document: document, context: context, links: collector.links)
            .find(isDetail: OnePicture.isMeant(by: main.pictures)) ?? main.next
        guard !main.pictures.isEmpty || next != nil || !sections.isEmpty else { return nil }
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
