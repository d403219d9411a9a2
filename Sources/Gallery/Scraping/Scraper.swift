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
        let page = document.read { tree in
            var scrape = Scrape(document, tree: tree, context: context)
            return scrape.page()
        }
        if page.isWithoutPictures, page.next == nil {
            throw ScriptedPage.isOne(document) ? .needsScripts : .noPictures
        }
        return page
    }

    /// Returns the page with everything that could be a picture, in page order; what `page` lacks, or without one the scraper rejects,
    /// is marked as rejected.
    func everything(besides page: Page? = nil) -> Page {
        document.read { tree in
            var scrape = Scrape(document, tree: tree, context: context)
            return scrape.everything(besides: page)
        }
    }
}

/// What is known of a page while it is read.
private struct Scrape {
    private var context: PageContext
    private var found: Assembler
    private let linked: LinkedData
    private let preview: OpenGraph
    private let related: RelatedParts
    /// Whether the page is an article, so that its frame and small pictures are not its gallery.
    private let isArticle: Bool
    private var builder: PictureBuilder
    /// The next page, if only the data names it.
    private var next: Address?

    private static let minDrawings = 6

    private var document: Document { found.pageIndex.document }

    init(_ document: Document, tree: TreeReader, context: PageContext) {
        self.context = context
        found = Assembler(document, tree: tree, context: context)
        linked = LinkedData(of: document, context: context)
        preview = OpenGraph(of: document, context: context)
        found.pageIndex.preferred = Set(
            (preview.addresses + linked.subjects).map(FileNameText.stem))
        let text = ArticleText(found, preview: preview, isSubject: linked.isAboutOne)
        related = RelatedParts(found, text: text)
        isArticle = text?.isDeclared ?? false
        builder = PictureBuilder(context: context)
    }

    mutating func page() -> Page {
        let parts = related.divide(found.candidates)
        let pictures = pictures(of: parts[0])
        let sections = zip(related.parts, parts.dropFirst()).compactMap { part, candidates in
            let selection = Selection(
                candidates, in: found.pageIndex, takesFrame: true, context: context)
            let pictures = build(selection.candidates)
            return pictures.isEmpty
                ? nil : Page.Related(title: part.title, pictures: pictures)
        }
        let marked = NextPage(document: document, context: context, links: found.collector.links)
            .find(isDetail: pictures.count == 1)
        return Page(
            address: context.address, title: document.title, pictures: pictures,
            next: marked ?? next, related: sections)
    }

    mutating func everything(besides known: Page?) -> Page {
        let log = DecisionLog(address: context.address)
        context.log = log
        var page = known ?? page()
        let taken = Dictionary(page.pictures.map { ($0.image, $0) }) { first, _ in first }
        let reasons = log.objections
        var builder = PictureBuilder(context: context)
        let all = builder.pictures(of: found.candidates, in: found.pageIndex).map { picture in
            if let taken = taken[picture.image] { return taken }
            var picture = picture
            picture.isRejected = true
            picture.summary = reasons[picture.image] ?? "not in the gallery"
            return picture
        }
        page.pictures = PictureList((all + page.pictures).unique(by: \.image))
        page.related = []
        return page
    }

    private mutating func build(_ candidates: [Candidate]) -> [Picture] {
        builder.pictures(of: candidates, in: found.pageIndex)
    }

    /// Returns the pictures of the page's main part: in its markup, else in its data, else in what remains.
    private mutating func pictures(of candidates: [Candidate]) -> [Picture] {
        let selection = Selection(candidates, in: found.pageIndex, context: context)
        var taken = selection.candidates
        let links = found.collector.textLinks(beside: taken, in: &found.pageIndex, context)
        if !links.isEmpty { taken = (taken + links).sorted { $0.node < $1.node } }
        var pictures = build(taken)
        let isGallery = pictures.count >= Selection.galleryCount
        if isGallery, linked.pictures.isEmpty { return pictures }
        if !isGallery {
            if let data = data(insteadOf: pictures, isStrong: selection.isStrong) {
                return data
            }
            if pictures.isEmpty, linked.pictures.isEmpty {
                pictures = self.gallery(of: document, net: .drawings)
                if !pictures.isEmpty { context.log?.note("\(pictures.count) drawings (SVG)") }
            }
            if pictures.isEmpty, !isArticle {
                pictures = build(leftovers(candidates))
            }
        }
        linked.complete(&pictures)
        if pictures.isEmpty { pictures = linked.pictures }
        if pictures.isEmpty, let named = preview.picture(title: document.title) {
            pictures = [named]
            context.log?.note("the picture that the page names for others (og:image)")
        }
        return pictures
    }

    /// Returns a list from the page's data, if it is more informative than the markup.
    private mutating func data(insteadOf pictures: [Picture], isStrong: Bool) -> [Picture]? {
        func isBetter(_ list: [Picture]) -> Bool {
            guard list.count >= ScriptDataGallery.minCount else { return false }
            let addresses = Set(list.lazy.flatMap(\.variants).map(\.address))
            return !isStrong
                || pictures.contains { $0.variants.contains { addresses.contains($0.address) } }
        }
        if isBetter(linked.pictures) {
            context.log?.note("\(linked.pictures.count) pictures in JSON-LD")
            return linked.pictures
        }
        let literals = ScriptLiterals(of: document)
        context.folders = ScriptedMarkup(document).folders
        let state = ScriptDataGallery(in: literals.values, context: context)
        let replaces = isBetter(state.pictures)
        let completes = isStrong && state.isToBeShown
        if replaces || completes {
            context.log?.note(
                "\(state.pictures.count) \(replaces ? "" : "more ")pictures in the data of its scripts"
            )
            next = state.next
            return (replaces ? [] : pictures) + state.pictures
        }
        return isStrong || isArticle ? nil : scriptedData(literals)
    }

    /// Returns the first pictures that are enough for a gallery in what scripts read or write, from the likeliest source on.
    private func scriptedData(_ literals: ScriptLiterals) -> [Picture]? {
        func list(_ values: [LooseValue]) -> [Picture] {
            ScriptDataGallery(in: values, context: context).pictures
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
                { ScriptDataGallery(in: literals.values, context: context, minCount: 1).pictures }
            ),
            ("names in its scripts", { list([.array(ScriptedMarkup(document).names)]) }),
        ]
        for source in sources {
            let pictures = source.find()
            guard
                pictures.count >= ScriptDataGallery.minCount
                    || pictures.contains(where: { $0.variants.count > 1 })
            else { continue }
            context.log?.note("\(pictures.count) pictures in \(source.name)")
            return pictures
        }
        return nil
    }

    /// Returns the pictures in a document's markup by the same rules; its scripts are not read, which ends the recursion.
    private func gallery(
        of document: Document, net: CandidateCollector.Net = .usual
    ) -> [Picture] {
        var context = context
        context.log = nil
        return document.read { [context] tree in
            let found = Assembler(document, tree: tree, context: context, net: net)
            let candidates =
                net == .usual ? found.candidates : related.divide(found.candidates)[0]
            let selection = Selection(candidates, in: found.pageIndex, context: context)
            // A few drawings without captions illustrate the features of a product, and links make a menu.
            if net == .drawings, !selection.isStrong,
                selection.candidates.count(where: { $0.link == nil }) < Self.minDrawings
            {
                return []
            }
            var builder = PictureBuilder(context: context)
            return builder.pictures(of: selection.candidates, in: found.pageIndex)
        }
    }

    /// Returns pictures from the page's frame, links to pictures, or small pictures when the content has none.
    private mutating func leftovers(_ candidates: [Candidate]) -> [Candidate] {
        let framed = Selection(
            candidates, in: found.pageIndex, takesFrame: true, context: context
        ).candidates
        if !framed.isEmpty {
            context.log?.note("nothing outside the frame of the page: pictures in it are taken")
            return framed
        }
        let collector = found.collector
        let links = collector.textLinks(collector.links, in: &found.pageIndex, context)
        if !links.isEmpty {
            context.log?.note("no pictures, but links to pictures")
            return links
        }
        // Pictures too small beside a gallery are the gallery if there is nothing else.
        let small = Selection(
            candidates, in: found.pageIndex, takesSmall: true, context: context
        ).candidates
        if !small.isEmpty {
            context.log?.note("nothing but small pictures: those like one another")
        }
        return small
    }
}
