import Basics
import Markup
import Network

/// Finds the pictures of a page's main part: in its markup, else in its data, else in what is left.
struct MainPictures {
    /// The pictures, and the next page where only the data knows it.
    struct Found {
        var pictures = PictureList()
        var next: Address?
    }

    private let document: Document
    private let context: PageContext
    private let collector: CandidateCollector
    private var findings: Findings

    init(
        document: Document, context: PageContext, collector: CandidateCollector,
        findings: Findings
    ) {
        self.document = document
        self.context = context
        self.collector = collector
        self.findings = findings
    }

    /// The pictures in page order.
    mutating func find(among candidates: [Candidate], maker: inout PictureMaker) -> Found {
        let selection = Selection(candidates, in: findings, ignoring: [], context: context)
        let gallery = maker.pictures(of: selection.candidates, in: findings)
        let linked = LinkedData(of: document, context: context)
        if gallery.count >= Selection.galleryCount {
            return Found(
                pictures: Enrichment(linked.pictures).completed(gallery), next: linked.next)
        }
        var pictures = Array(gallery)
        if var found = data(linked, insteadOf: pictures, isStrong: selection.isStrong) {
            // Covers of albums beside a list that scripts show.
            let covers = pictures.filter { cover in
                cover.link.map { $0.isFolder && $0.host == context.address.host } ?? false
                    && !found.pictures.contains { $0.image == cover.image }
            }
            found.pictures = PictureList(covers + found.pictures)
            return found
        }
        if pictures.isEmpty {
            pictures = leftovers(candidates, maker: &maker)
        }
        Enrichment(linked.pictures).complete(&pictures)
        if pictures.isEmpty { pictures = linked.pictures }
        if pictures.isEmpty {
            pictures = OpenGraph.picture(of: document, context: context).map { [$0] } ?? []
            if !pictures.isEmpty {
                context.log?.note("the picture that the page names for others (og:image)")
            }
        }
        return Found(pictures: PictureList(pictures), next: linked.next)
    }

    /// A list in the page's data, if it tells more than the markup does.
    private func data(
        _ linked: LinkedData, insteadOf pictures: [Picture], isStrong: Bool
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
        let state = StateGallery(in: literals.values, context: context)
        if isBetter(state.pictures) {
            context.log?.note("\(state.pictures.count) pictures in the data of its scripts")
            return Found(pictures: PictureList(state.pictures), next: state.next)
        }
        guard !isStrong else { return nil }
        let nets: [(name: String, find: () -> [Picture])] = [
            ("attributes for its scripts", { list(ElementData(of: document).values) }),
            ("markup that its scripts write", { written }),
            ("objects in its scripts", { list([.array(literals.small)]) }),
            ("names in its scripts", { list([.array(ScriptedMarkup(document).names)]) }),
        ]
        for net in nets {
            let pictures = net.find()
            guard isBetter(pictures) else { continue }
            context.log?.note("\(pictures.count) pictures in \(net.name)")
            return Found(pictures: PictureList(pictures))
        }
        return nil
    }

    private func list(_ values: [LooseValue]) -> [Picture] {
        StateGallery(in: values, context: context).pictures
    }

    /// The fragment has no scripts of its own to be read: it goes no deeper.
    private var written: [Picture] {
        guard let fragment = ScriptedMarkup(document).fragment else { return [] }
        let context = context.untold
        return fragment.view { view in
            var collector = CandidateCollector(fragment, view: view, context: context)
            collector.run()
            var assembler = Assembler(&collector, context: context)
            let candidates = assembler.assemble()
            let selection = Selection(
                candidates, in: assembler.findings, ignoring: [], context: context)
            var maker = PictureMaker(context: context)
            return Array(maker.pictures(of: selection.candidates, in: assembler.findings))
        } ?? []
    }

    /// Nothing stood where pictures should: then the frame of the page may be all there is, or links alone.
    private mutating func leftovers(_ candidates: [Candidate], maker: inout PictureMaker)
        -> [Picture]
    {
        let relaxed = Selection(
            candidates, in: findings, ignoring: .chrome, context: context
        ).candidates
        if !relaxed.isEmpty {
            context.log?.note("nothing outside the frame of the page: pictures in it are taken")
            return Array(maker.pictures(of: relaxed, in: findings))
        }
        let links = TextLinks.candidates(collector, in: &findings, context: context)
        if !links.isEmpty { context.log?.note("no pictures, but links to pictures") }
        for link in links {
            context.log?.decide(link, in: findings, .taken, "links to a picture")
        }
        return Array(maker.pictures(of: links, in: findings))
    }
}
