import Markup
import Network

/// Makes pictures of candidates: sizes, words, each address once on a page.
struct PictureMaker {
    private let context: PageContext
    /// Which addresses belong to pictures made so far, by their numbers.
    private var seen: [Bool] = []

    /// A `src` that this many pictures share while each has another address only holds their place.
    private static let placeholderCount = 3

    init(context: PageContext) {
        self.context = context
    }

    /// The pictures of a section, in page order.
    mutating func pictures(of candidates: [Candidate], in findings: Findings) -> PictureList {
        var variants = Variants(
            commonPlaceholders: PictureMaker.commonPlaceholders(among: candidates, in: findings))
        var titles = Titles(findings)
        var pictures = PictureDrafts(page: context.address)
        pictures.drafts.reserveCapacity(candidates.count)
        seen.append(
            contentsOf: repeatElement(
                false, count: max(0, findings.addresses.count - seen.count)))
        var alternatives: [Int] = []
        for candidate in candidates {
            variants.read(candidate, in: findings)
            // A picture is new if its largest size is; a shared thumbnail (a film's still, a generic icon) may lead to different pictures.
            guard let last = variants.variants.last, !seen[last.address] else { continue }
            for variant in variants.variants { seen[variant.address] = true }
            let title =
                findings.captions[candidate.node].map { Titles.Title(text: $0) }
                ?? titles.title(of: candidate, address: last.address)
            if title.isAlternative { alternatives.append(pictures.drafts.count) }
            let size = PictureMaker.size(of: candidate, variants.variants)
            let isFullKnown = findings.count(of: .full, for: candidate) > 0
            let fields = PictureFields(
                title: title.text, summary: titles.summary(of: candidate, besides: title.text),
                date: Dates.date(of: candidate, in: findings), width: size?.width,
                height: size?.height, flags: isFullKnown ? .isFullKnown : [])
            pictures.add(variants.variants, link: candidate.link, fields)
        }
        dropCommonTail(of: alternatives, in: &pictures.drafts)
        return PictureList(pictures, findings.addresses)
    }

    /// The size of the full picture: what the page says of it, else that of its largest variant, else, if there is only one, as shown.
    private static func size(
        of candidate: Candidate, _ variants: [Candidate.Found]
    ) -> (width: Int, height: Int)? {
        if let size = candidate.fullSize { return size }
        if let last = variants.last, let width = last.width, let height = last.height {
            return (width, height)
        }
        guard variants.count == 1, let width = candidate.shown.width,
            let height = candidate.shown.height,
            width > 0, height > 0
        else { return nil }
        return (width, height)
    }

    private static func commonPlaceholders(
        among candidates: [Candidate], in findings: Findings
    ) -> Set<Int> {
        var counts = [Int32](repeating: 0, count: findings.addresses.count)
        for candidate in candidates where candidate.places.count > 1 {
            for place in candidate.places where findings.found[place].role == .plain {
                counts[findings.found[place].address] += 1
            }
        }
        return Set(counts.indices.lazy.filter { counts[$0] >= placeholderCount })
    }

    private func dropCommonTail(of indices: [Int], in pictures: inout [PictureDrafts.Draft]) {
        let titles = indices.map { pictures[$0].fields.title }
        let tail = Titles.commonTail(of: titles)
        let head = Titles.commonHead(of: titles)
        guard tail > 0 || head > 0 else { return }
        for index in indices {
            let title = Text.line(pictures[index].fields.title.dropLast(tail).dropFirst(head))
            if !title.isEmpty { pictures[index].fields.title = title }
        }
    }
}
