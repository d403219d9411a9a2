import Markup
import Network

/// Makes pictures of candidates: sizes, words, each address once on a page.
struct PictureMaker {
    private let context: PageContext
    /// Addresses of pictures made so far.
    private var seen = AddressNumbers()

    /// A `src` that this many pictures share while each has another address only holds their place.
    private static let placeholderCount = 3

    init(context: PageContext) {
        self.context = context
    }

    /// The pictures of a section, in page order.
    mutating func pictures(of candidates: [Candidate]) -> [Picture] {
        let common = PictureMaker.commonPlaceholders(in: candidates)
        var pictures: [Picture] = []
        pictures.reserveCapacity(candidates.count)
        var alternatives: [Int] = []
        for candidate in candidates {
            let rungs = Rungs.make(of: candidate, commonPlaceholders: common)
            // A picture is new if its largest size is; a shared thumbnail (a film's still, a generic icon) may lead to different pictures.
            guard let last = rungs.last, seen.insert(last.address).isNew else { continue }
            for rung in rungs.dropLast() { _ = seen.insert(rung.address) }
            let title =
                candidate.caption.map { Titles.Title(text: $0) }
                ?? Titles.title(of: candidate, address: last.address)
            if title.isAlternative { alternatives.append(pictures.count) }
            pictures.append(picture(candidate, rungs, title.text))
        }
        dropCommonTail(of: alternatives, in: &pictures)
        return pictures
    }

    private func picture(
        _ candidate: Candidate, _ rungs: [Picture.Rung], _ title: String
    ) -> Picture {
        let size = PictureMaker.size(of: candidate, rungs)
        var picture = Picture(
            rungs: rungs, link: candidate.link, page: context.address, title: title,
            summary: Titles.summary(of: candidate, besides: title),
            date: Dates.date(in: candidate.item, near: candidate.node), width: size?.width,
            height: size?.height)
        picture.isFullKnown = candidate.found.contains { $0.role == .full }
        return picture
    }

    /// The size of the full picture: what the page says of it, else that of its largest rung, else, if there is only one, as shown.
    private static func size(
        of candidate: Candidate, _ rungs: [Picture.Rung]
    ) -> (width: Int, height: Int)? {
        if let size = candidate.fullSize { return size }
        if let last = rungs.last, let width = last.width, let height = last.height {
            return (width, height)
        }
        guard rungs.count == 1, let width = candidate.shown.width,
            let height = candidate.shown.height,
            width > 0, height > 0
        else { return nil }
        return (width, height)
    }

    private static func commonPlaceholders(in candidates: [Candidate]) -> Set<Address> {
        var table = AddressNumbers(capacity: candidates.count)
        var counts: [Int32] = []
        counts.reserveCapacity(candidates.count)
        for candidate in candidates where candidate.found.count > 1 {
            for found in candidate.found where found.role == .plain {
                let (number, isNew) = table.insert(found.address)
                if isNew { counts.append(1) } else { counts[number] += 1 }
            }
        }
        return Set(counts.indices.lazy.filter { counts[$0] >= placeholderCount }.map { table[$0] })
    }

    private func dropCommonTail(of indices: [Int], in pictures: inout [Picture]) {
        let titles = indices.map { pictures[$0].title }
        let tail = Titles.commonTail(of: titles)
        let head = Titles.commonHead(of: titles)
        guard tail > 0 || head > 0 else { return }
        for index in indices {
            let title = Text.line(pictures[index].title.dropLast(tail).dropFirst(head))
            if !title.isEmpty { pictures[index].title = title }
        }
    }
}
