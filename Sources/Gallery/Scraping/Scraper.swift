import Markup
import Network

/// Turns any HTML page into a gallery, without knowing the site.
///
/// Every address is collected first, then candidates are scored, compared by structure, and what is left is named and put in page order.
struct Scraper {
    private let document: Document
    private let context: PageContext

    /// Alone, a picture outside the page's repeated structure needs this much to count: more than its ending and place give.
    private static let scoreAlone = 30
    /// A group this large is a gallery.
    private static let galleryCount = 3

    init(document: Document, context: PageContext) {
        self.document = document
        self.context = context
    }

    /// The page; throws `noPictures` if there are none, nor a next page.
    func page() throws(PageError) -> Page {
        var collector = CandidateCollector(document: document, context: context)
        collector.run()
        var assembler = Assembler(collector, context: context, nodeCount: document.nodeCount)
        let candidates = assembler.assemble()
        let related = RelatedSections(collector, candidates: candidates)
        var parts = [[Candidate]](repeating: [], count: related.parts.count + 1)
        for candidate in candidates {
            parts[related.part(of: candidate.node).map { $0 + 1 } ?? 0].append(candidate)
        }
        var maker = PictureMaker(context: context)
        let pictures = mainPictures(of: parts[0], maker: &maker, collector: collector)
        let sections = zip(related.parts, parts.dropFirst()).compactMap { part, candidates in
            let found = maker.pictures(of: Scraper.chosen(candidates, ignoring: .chrome))
            return found.isEmpty ? nil : Page.Related(title: part.title, pictures: found)
        }
        let next = NextPage(document: document, context: context, links: collector.links)
            .find(isDetail: pictures.count == 1)
        guard !pictures.isEmpty || next != nil || !sections.isEmpty else { throw .noPictures }
        return Page(
            address: context.address, title: PageTitle.of(document), pictures: pictures, next: next,
            related: sections)
    }

    private func mainPictures(
        of candidates: [Candidate], maker: inout PictureMaker, collector: CandidateCollector
    ) -> [Picture] {
        let chosen = Scraper.chosen(candidates, ignoring: [])
        if !chosen.isEmpty { return maker.pictures(of: chosen) }
        // Nothing stood where pictures should: then the frame of the page may be all there is.
        let relaxed = Scraper.chosen(candidates, ignoring: .chrome)
        if !relaxed.isEmpty { return maker.pictures(of: relaxed) }
        let linked = maker.pictures(of: TextLinks.candidates(collector, context: context))
        if !linked.isEmpty { return linked }
        return OpenGraph.picture(of: document, context: context).map { [$0] } ?? []
    }

    /// The candidates that are pictures of the gallery.
    private static func chosen(_ all: [Candidate], ignoring: Surroundings) -> [Candidate] {
        let rejected = Surroundings([.chrome, .hidden]).subtracting(ignoring)
        let candidates = all.filter { $0.surroundings.isDisjoint(with: rejected) }
        let repetition = Repetition(candidates)
        let occurrences = occurrences(in: candidates)
        var scored: [(index: Int, score: Int)] = []
        for (index, candidate) in candidates.enumerated() {
            let repetitions = candidate.found.last.flatMap { occurrences[$0.address] } ?? 1
            let score = Score(candidate, repetitions: repetitions).total
            if score >= 0 { scored.append((index, score)) }
        }
        var members = [Int: Int]()
        for item in scored { members[repetition.groups[item.index], default: 0] += 1 }
        let hasGallery = members.values.contains { $0 >= galleryCount }
        return scored.filter { item in
            !hasGallery || item.score >= scoreAlone
                || members[repetition.groups[item.index], default: 0] >= galleryCount
        }.map { candidates[$0.index] }
    }

    private static func occurrences(in candidates: [Candidate]) -> [Address: Int] {
        var counts: [Address: Int] = [:]
        for candidate in candidates {
            if let last = candidate.found.last { counts[last.address, default: 0] += 1 }
        }
        return counts
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
