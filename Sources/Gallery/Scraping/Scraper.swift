import Basics
import Markup
import Network

/// Extracts a gallery from any HTML page, without knowing the site.
///
/// Collects every address, puts candidates of equal structure into groups, decides which groups are the gallery, and puts their pictures,
/// titled, in page order. If the markup has none, the page's data and plain links are tried in turn.
struct Scraper {
    /// The minimum number of pictures that are a gallery.
    static let galleryCount = 3

    let document: Document
    let context: PageContext

    /// Returns the page; throws `noPictures` or `needsScripts` if it has neither pictures nor a next page.
    ///
    /// A page that only names the next one is returned without pictures (`Page.isWithoutPictures`): they may be in its feed or frame, or
    /// begin on the next page.
    func page() throws(PageError) -> Page {
        let page = document.read { tree in
            var page = GroupedPage(document, tree: tree, context: context)
            return page.read()
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
            var whole = GroupedPage(document, tree: tree, context: context)
            return whole.everything(besides: page)
        }
    }
}

/// The candidates of a page in groups, what else these are weighed by, and what is made of them.
struct GroupedPage {
    private let document: Document
    private var context: PageContext
    private(set) var found: Assembler
    let summary: PageSummary
    let groups: CandidateGroups
    private var builder: PictureBuilder
    /// The next page, if only the data names it.
    private var next: Address?

    init(_ document: Document, tree: TreeReader, context: PageContext) {
        self.document = document
        self.context = context
        builder = PictureBuilder(context: context)
        found = Assembler(document, tree: tree, context: context)
        let preview = OpenGraph(of: document, context: context)
        found.pageIndex.preferred = Set(preview.addresses.map(FileNameText.stem))
        summary = PageSummary(found, preview: preview)
        groups = CandidateGroups(found, summary)
    }

    mutating func read() -> Page {
        context.log?.record(groups.groups, of: found)
        let candidates = found.candidates
        let pictures = pictures()
        let sections = groups.related(among: candidates, found, summary).compactMap {
            title, members in
            let pictures = build(members.map { candidates[$0] })
            return pictures.isEmpty ? nil : Page.Related(title: title, pictures: pictures)
        }
        let marked = NextPage(
            document: document, context: context, links: found.collector.links.map(document.node)
        ).find(isDetail: pictures.count == 1)
        return Page(
            address: context.address, title: document.title, pictures: pictures,
            next: marked ?? next, related: sections)
    }

    mutating func everything(besides known: Page?) -> Page {
        let log = DecisionLog(address: context.address)
        context.log = log
        let all = found.candidates
        var page = known ?? read()
        let taken = Dictionary(page.pictures.map { ($0.image, $0) }) { first, _ in first }
        let reasons = log.objections
        var builder = PictureBuilder(context: context)
        found.keep(all)
        let pictures = builder.pictures(of: found.candidates, in: found.pageIndex).map { picture in
            if let taken = taken[picture.image] { return taken }
            var picture = picture
            picture.isRejected = true
            picture.summary = reasons[picture.image] ?? "not in the gallery"
            return picture
        }
        page.pictures = PictureList((pictures + page.pictures).unique(by: \.image))
        page.related = []
        return page
    }

    private mutating func build(_ candidates: [Candidate]) -> [Picture] {
        builder.pictures(of: candidates, in: found.pageIndex)
    }

    /// Returns the pictures of the page's gallery: in its markup, else in its data, else in what remains.
    private mutating func pictures() -> [Picture] {
        found.keep(groups.gallery(among: found.candidates))
        var taken = found.candidates
        let links = found.collector.textLinks(beside: taken, in: &found.pageIndex)
        if !links.isEmpty { taken = (taken + links).sorted { $0.node < $1.node } }
        var pictures = build(taken)
        if pictures.count >= Scraper.galleryCount { return pictures }
        if let data = data(insteadOf: pictures) { return data }
        if pictures.isEmpty {
            pictures = build(
                found.collector.textLinks(found.collector.links, in: &found.pageIndex))
        }
        return pictures
    }

    /// Returns the pictures in the page's data, if they are more informative than those in the markup.
    private mutating func data(insteadOf pictures: [Picture]) -> [Picture]? {
        let scripts = ScriptedMarkup(document: document)
        context.folders = scripts.folders
        let state = ScriptDataGallery(in: ScriptLiterals(of: document).values, context: context)
        let addresses = Set(state.pictures.lazy.flatMap(\.variants).map(\.address))
        let isSame = pictures.contains { $0.variants.contains { addresses.contains($0.address) } }
        if isSame || !groups.isSure && !state.pictures.isEmpty {
            context.log?.note("\(state.pictures.count) pictures in the data of its scripts")
            next = state.next
            return state.pictures
        }
        if groups.isSure {
            guard state.isToBeShown else { return nil }
            context.log?.note("\(state.pictures.count) more pictures in the data of its scripts")
            next = state.next
            return pictures + state.pictures
        }
        let names = ScriptDataGallery(
            in: [.array(scripts.names)], context: context
        ).pictures
        guard !names.isEmpty, summary.text?.isDeclared != true else { return nil }
        context.log?.note("\(names.count) pictures named in its scripts")
        return names
    }
}
