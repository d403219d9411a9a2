import Basics
import Markup
import Network

/// Extracts a gallery from any HTML page, without knowing the site.
///
/// Collects every address, scores the candidates, compares them by structure, and puts the remaining ones, titled, in page order. If the
/// markup has none, the page's data, plain links and its preview picture for other sites are tried in turn.
struct Scraper {
    let document: Document
    let context: PageContext

    /// Returns the page; throws `noPictures` or `needsScripts` if it has neither pictures nor a next page.
    ///
    /// A page that only names the next one is returned without pictures (`Page.isWithoutPictures`): they may be in its feed or frame, or
    /// begin on the next page.
    func page() throws(PageError) -> Page {
        let page = document.view { view in self.page(view) }
        if page.isWithoutPictures, page.next == nil {
            throw ScriptedPage.isOne(document) ? .needsScripts : .noPictures
        }
        return page
    }

    private func page(_ view: PageView) -> Page {
        let found = Assembler(document, view: view, context: context)
        let linked = LinkedData(of: document, context: context)
        let preview = OpenGraph(of: document, context: context)
        let collector = found.collector
        var pageIndex = found.pageIndex
        pageIndex.preferred = Set(
            (preview.addresses + linked.subjects)
                .map(FileNameText.stem))
        let text = ArticleText(
            collector, of: document, view: view, preview: preview,
            isSubject: linked.isAboutOne, page: context.address)
        let related = RelatedParts(found, of: document, text: text)
        let parts = related.divide(found.candidates)
        var builder = PictureBuilder(context: context)
        var pictures = MainPictures(
            document: document, context: context, collector: collector, linked: linked,
            preview: preview,
            related: related, isArticle: text?.isDeclared ?? false, pageIndex: pageIndex)
        let main = pictures.find(among: parts[0], builder: &builder)
        let sections = zip(related.parts, parts.dropFirst()).compactMap { part, candidates in
            let selection = Selection(
                candidates, in: pageIndex, ignoring: .chrome, context: context)
            let found = builder.pictures(of: selection.candidates, in: pageIndex)
            return found.isEmpty ? nil : Page.Related(title: part.title, pictures: Array(found))
        }
        let next =
            NextPage(document: document, context: context, links: collector.links)
            .find(isDetail: main.pictures.isAboutOne) ?? main.next
        return Page(
            address: context.address, title: PageTitle.of(document), pictures: main.pictures,
            next: next, related: sections)
    }
}

/// Finds the pictures of a page's main part: in its markup, else in its data, else in what remains.
private struct MainPictures {
    /// The pictures, and the next page if only the data names it.
    struct Found {
        var pictures = PictureList()
        var next: Address?
    }

    let document: Document
    var context: PageContext
    let collector: CandidateCollector
    let linked: LinkedData
    let preview: OpenGraph
    let related: RelatedParts
    /// Whether the page is an article, so that its frame and small pictures are not its gallery.
    let isArticle: Bool
    var pageIndex: PageIndex

    mutating func find(among candidates: [Candidate], builder: inout PictureBuilder) -> Found {
        let selection = Selection(candidates, in: pageIndex, ignoring: [], context: context)
        let links = collector.textLinks(
            beside: selection.candidates, in: &pageIndex, context)
        let gallery = builder.pictures(
            of: links.isEmpty
                ? selection.candidates
                : (selection.candidates + links).sorted { $0.node < $1.node }, in: pageIndex)
        let enrichment = Enrichment(linked.pictures)
        if gallery.count >= Selection.galleryCount {
            return Found(pictures: enrichment.completed(gallery), next: linked.next)
        }
        var pictures = Array(gallery)
        if var found = data(insteadOf: pictures, isStrong: selection.isStrong) {
            // Keep album covers beside a list that scripts show.
            let covers = pictures.filter { cover in
                cover.link.map { $0.isFolder && $0.host == context.address.host } ?? false
                    && !found.pictures.contains { $0.image == cover.image }
            }
            found.pictures = PictureList(covers + found.pictures)
            return found
        }
        if pictures.isEmpty, linked.pictures.isEmpty {
            pictures = self.gallery(of: document, net: .drawings)
            if !pictures.isEmpty { context.log?.note("\(pictures.count) drawings (SVG)") }
        }
        if pictures.isEmpty, !isArticle {
            pictures = leftovers(candidates, builder: &builder)
        }
        enrichment.complete(&pictures)
        if pictures.isEmpty { pictures = linked.pictures }
        if pictures.isEmpty, let named = preview.picture(title: PageTitle.of(document)) {
            pictures = [named]
            context.log?.note("the picture that the page names for others (og:image)")
        }
        return Found(pictures: PictureList(pictures), next: linked.next)
    }

    /// Returns a list from the page's data, if it is more informative than the markup.
    private mutating func data(
        insteadOf pictures: [Picture], isStrong: Bool
    ) -> Found? {
        func isBetter(_ list: [Picture]) -> Bool {
            guard list.count >= StateGallery.minCount else { return false }
            let addresses = Set(list.lazy.flatMap(\.variants).map(\.address))
            return !isStrong
                || pictures.contains { $0.variants.contains { addresses.contains($0.address) } }
        }
        if isBetter(linked.pictures) {
            context.log?.note("\(linked.pictures.count) pictures in JSON-LD")
            return Found(pictures: PictureList(linked.pictures), next: linked.next)
        }
        let literals = ScriptLiterals(of: document)
        context.folders = ScriptedMarkup(document).folders
        let state = StateGallery(in: literals.values, context: context)
        if isBetter(state.pictures) {
            context.log?.note("\(state.pictures.count) pictures in the data of its scripts")
            return Found(pictures: PictureList(state.pictures), next: state.next)
        }
        if isStrong, state.isToBeShown {
            context.log?.note("\(state.pictures.count) more pictures in the data of its scripts")
            return Found(pictures: PictureList(pictures + state.pictures), next: state.next)
        }
        return isStrong || isArticle ? nil : scriptedData(literals)
    }

    /// Returns the first pictures that are enough for a gallery in what scripts read or write, from the likeliest source on.
    private func scriptedData(_ literals: ScriptLiterals) -> Found? {
        func list(_ values: [LooseValue]) -> [Picture] {
            StateGallery(in: values, context: context).pictures
        }
        let sources: [(name: String, find: () -> [Picture])] = [
            ("attributes for its scripts", { gallery(of: document, net: .anyAttribute) }),
            ("lists in attributes and style sheets", { list(ElementData(of: document).values) }),
            (
                "markup that its scripts write",
                { ScriptedMarkup(document).fragment.map { gallery(of: $0) } ?? [] }
            ),
            ("objects in its scripts", { list([.array(literals.small)]) }),
            (
                "a short list in its scripts",
                { StateGallery(in: literals.values, context: context, minCount: 1).pictures }
            ),
            ("names in its scripts", { list([.array(ScriptedMarkup(document).names)]) }),
        ]
        for source in sources {
            let pictures = source.find()
            guard
                pictures.count >= StateGallery.minCount
                    || pictures.contains(where: { $0.variants.count > 1 })
            else { continue }
            context.log?.note("\(pictures.count) pictures in \(source.name)")
            return Found(pictures: PictureList(pictures))
        }
        return nil
    }

    /// Returns the pictures in a document's markup by the same rules; its scripts are not read, which ends the recursion.
    private func gallery(
        of document: Document, net: CandidateCollector.Net = .usual
    ) -> [Picture] {
        var context = context
        context.log = nil
        return document.view { [context] view in
            let found = Assembler(document, view: view, context: context, net: net)
            let candidates =
                net == .drawings
                ? DrawingGallery.pictures(among: found.candidates, in: found.pageIndex)
                : net == .anyAttribute
                    ? found.candidates.filter { related.part(of: $0.node) == nil }
                    : found.candidates
            let selection = Selection(
                candidates, in: found.pageIndex, ignoring: [], context: context)
            var builder = PictureBuilder(context: context)
            return Array(builder.pictures(of: selection.candidates, in: found.pageIndex))
        }
    }

    /// Returns pictures from the page's frame, links to pictures, or small pictures when the content has none.
    private mutating func leftovers(
        _ candidates: [Candidate], builder: inout PictureBuilder
    ) -> [Picture] {
        let relaxed = Selection(
            candidates, in: pageIndex, ignoring: .chrome, context: context
        ).candidates
        if !relaxed.isEmpty {
            context.log?.note("nothing outside the frame of the page: pictures in it are taken")
            return Array(builder.pictures(of: relaxed, in: pageIndex))
        }
        let links = collector.textLinks(in: &pageIndex, context)
        if !links.isEmpty {
            context.log?.note("no pictures, but links to pictures")
            return Array(builder.pictures(of: links, in: pageIndex))
        }
        // Pictures too small beside a gallery are the gallery if there is nothing else.
        let small = Selection(
            candidates, in: pageIndex, ignoring: [], takesSmall: true, context: context
        ).candidates
        if !small.isEmpty {
            context.log?.note("nothing but small pictures: those like one another")
        }
        return Array(builder.pictures(of: small, in: pageIndex))
    }
}

extension PictureList {
    /// Whether the page is about one picture: it has no other, or one is much larger than all others, which are a strip of thumbnails that
    /// lead elsewhere.
    fileprivate var isAboutOne: Bool {
        if count == 1 { return true }
        let dominance = 4
        let pictures = Array(self)
        let areas = pictures.map(\.pixelCount)
        guard let place = areas.indices.max(by: { areas[$0] ?? 0 < areas[$1] ?? 0 }),
            let largest = areas[place]
        else { return false }
        return areas.indices.allSatisfy { other in
            let leadsOn = pictures[other].link != nil || pictures[other].variants.count > 1
            return other == place
                || leadsOn && areas[other].map { $0 * dominance <= largest } ?? false
        }
    }
}
