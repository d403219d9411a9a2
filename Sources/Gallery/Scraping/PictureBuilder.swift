import Basics
import Markup
import Network

/// Builds pictures from candidates: sizes, titles, and each address only once per page.
struct PictureBuilder {
    private let context: PageContext
    /// Whether each address, by its number, belongs to a picture made so far.
    private var seen: [Bool] = []

    /// A `src` that this many pictures with other addresses share is a placeholder.
    private static let placeholderCount = 3

    /// The scraping limit leaves no time to look for sizes of one picture on larger pages.
    private static let maxCompared = 500

    init(context: PageContext) { self.context = context }

    mutating func pictures(of candidates: [Candidate], in pageIndex: PageIndex) -> [Picture] {
        let variants = Variants(
            commonPlaceholders: PictureBuilder.commonPlaceholders(among: candidates, in: pageIndex),
            saved: context.saved)
        var titles = Titles(pageIndex)
        var pictures: [Picture] = []
        pictures.reserveCapacity(candidates.count)
        seen += repeatElement(false, count: max(0, pageIndex.addresses.count - seen.count))
        // The candidate, the number of its largest size and the title of each picture.
        var titled: [(place: Int, address: Int, title: Titles.Title)] = []
        // Pictures titled by their file name only, by their largest size.
        var unnamed: [Int: Int] = [:]
        // Pictures by their addresses without sizes.
        var sizeless: [String: Int] = [:]
        for (place, candidate) in candidates.enumerated() {
            var variants = variants.variants(of: candidate, in: pageIndex)
            if variants.count == 1, variants[0].width == nil {
                (variants[0].width, variants[0].height) = (
                    candidate.shown.width, candidate.shown.height
                )
            }
            guard let last = variants.last else { continue }
            let known = unnamed[last.address]
            // A picture is new if its largest size is; different pictures may share a thumbnail (a film's still, a generic icon).
            if seen[last.address], known == nil { continue }
            let title =
                pageIndex.captions[candidate.node].map {
                    Titles.Title(text: $0, rule: "data of the picture")
                }
                ?? titles.title(of: candidate, address: last.address)
            if let known {
                // Another element with the same picture may have a caption.
                guard !title.isFileName else { continue }
                pictures[known].title = title.text
                titled[known] = (place, last.address, title)
                unnamed[last.address] = nil
                continue
            }
            var sizes: [Picture.Variant] = []
            for variant in variants {
                seen[variant.address] = true
                sizes.append(
                    Picture.Variant(
                        address: pageIndex.addresses[variant.address], width: variant.width,
                        height: variant.height))
            }
            if candidates.count <= PictureBuilder.maxCompared {
                let text = FileNameText.sizelessText(of: pageIndex.addresses[last.address])
                if let known = sizeless[text] {
                    PictureBuilder.add(sizes, to: &pictures[known])
                    continue
                }
                sizeless[text] = pictures.count
            }
            if title.isFileName { unnamed[last.address] = pictures.count }
            var picture = Picture(
                variants: sizes, link: candidate.link.map { pageIndex.addresses[$0] },
                page: context.address, title: title.text,
                summary: titles.summary(of: candidate, besides: title.text),
                date: titles.date(of: candidate), width: candidate.fullSize?.width,
                height: candidate.fullSize?.height, kind: candidate.isAlbum ? .album : .picture)
            picture.isFullKnown = !candidate.isAlbum && pageIndex.namesFullSize(candidate)
            pictures.append(picture)
            titled.append((place, last.address, title))
        }
        if let log = context.log, !titled.isEmpty {
            let rules = Dictionary(grouping: titled, by: \.title.rule).mapValues(\.count)
                .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            log.note(
                "titles: " + rules.map { "\($0.value) from \($0.key)" }.joined(separator: ", "))
        }
        titles.shared = PictureBuilder.sharedTitles(of: pictures)
        if !titles.shared.isEmpty {
            retitle(&pictures, besides: &titles) {
                (candidates[titled[$0].place], titled[$0].address)
            }
        }
        return pictures
    }

    /// Adds the addresses of another size of the same picture before or after those known.
    private static func add(_ others: [Picture.Variant], to picture: inout Picture) {
        let new = others.filter { other in
            !picture.variants.contains { $0.address == other.address }
        }
        guard let largest = new.last else { return }
        let isLarger = largest.comparedWidth > picture.lastVariant.comparedWidth
        picture.variants = isLarger ? picture.variants + new : new + picture.variants
    }

    private static func commonPlaceholders(
        among candidates: [Candidate], in pageIndex: PageIndex
    ) -> Set<Int> {
        var counts = [Int32](repeating: 0, count: pageIndex.addresses.count)
        for candidate in candidates where candidate.offers.count > 1 {
            for place in candidate.offers where pageIndex.offers[place].role == .plain {
                counts[pageIndex.offers[place].address] += 1
            }
        }
        return Set(counts.indices.lazy.filter { counts[$0] >= placeholderCount })
    }

    /// Returns titles of several pictures if most pictures have one of them, such as an author's name, the gallery's title or categories.
    private static func sharedTitles(of pictures: [Picture]) -> Set<String> {
        // The scraping limit leaves no time to count the titles of the largest pages.
        let titles = pictures.prefix(1_000).map { ($0.title, 1) }
        let counts = Dictionary(titles, uniquingKeysWith: +)
        let shared = counts.filter { $0.value > 1 && !$0.key.isEmpty }
        let count = shared.values.reduce(0, +)
        return count >= Selection.galleryCount && 2 * count > titles.count ? Set(shared.keys) : []
    }

    /// Replaces shared titles, if every picture with one has another title of its own.
    private func retitle(
        _ pictures: inout [Picture], besides titles: inout Titles,
        _ source: (Int) -> (Candidate, address: Int)
    ) {
        let indices = pictures.indices.filter { titles.shared.contains(pictures[$0].title) }
        var texts: [String] = []
        for index in indices {
            let (candidate, address) = source(index)
            let title = titles.title(of: candidate, address: address)
            guard !title.isFileName else { return }
            texts.append(title.text)
        }
        guard Set(texts).count == texts.count else { return }
        for (index, text) in zip(indices, texts) { pictures[index].title = text }
    }

}

/// Orders the addresses of one picture from smallest to largest.
struct Variants {
    /// The numbers of addresses that many pictures share; see `PictureBuilder`.
    var commonPlaceholders: Set<Int> = []
    var saved: SavedPage?

    /// Returns the variants of a candidate; none if only common placeholders were found.
    func variants(of candidate: Candidate, in pageIndex: PageIndex) -> [Candidate.Offer] {
        var real = withoutPlaceholders(candidate, pageIndex)
        for place in candidate.thumbnail?.offers ?? 0..<0 {
            let address = pageIndex.offers[place].address
            real.insert(Candidate.Offer(address: address, role: .thumbnail), at: 0)
        }
        guard real.count > 1 else { return real }
        if let saved {
            let kept = real.filter { saved.copy(pageIndex.addresses[$0.address]) != nil }
            if !kept.isEmpty { real = kept }
        }
        // The sizes in a `srcset` are known; a `src` beside it is one of them, of unknown size.
        if real.contains(where: { $0.width != nil && $0.role == .set }) {
            real.removeAll { Variants.rank(of: $0).step < Variants.measured }
        }
        real.sort { Variants.rank(of: $0) < Variants.rank(of: $1) }
        // Each address once: at its last position but with the first known size, since a later role means a larger picture.
        var variants: [Candidate.Offer] = []
        variants.reserveCapacity(real.count)
        for found in real {
            if let index = variants.firstIndex(where: { $0.address == found.address }) {
                let old = variants.remove(at: index)
                var variant = found
                (variant.width, variant.height) = (
                    found.width ?? old.width, found.height ?? old.height
                )
                variants.append(variant)
            } else if let index = variants.firstIndex(where: {
                $0.width != nil && $0.width == found.width && $0.height == found.height
            }) {
                // Of two with equal size, prefer the one that the page calls full.
                if found.role == .full { variants[index] = found }
            } else {
                variants.append(found)
            }
        }
        return variants
    }

    /// The step of offers that are not called full and whose width is known.
    private static let measured = 2

    /// Returns the sort rank: steps from small to large, by width and role within one; equal ranks keep the page order.
    private static func rank(of offer: Candidate.Offer) -> (step: Int, width: Int, role: UInt8) {
        let width = offer.width?.count
        return switch (offer.role, width) {
        case (.full, _): (5, width ?? .max, 0)
        case (let role, let width?): (measured, width, role.rawValue)
        case (.thumbnail, _), (.plain, _), (.background, _): (0, 0, 0)
        case (.medium, _): (3, 0, 0)
        case (.large, _): (4, 0, 0)
        default: (1, 0, 0)
        }
    }

    private func withoutPlaceholders(
        _ candidate: Candidate, _ pageIndex: PageIndex
    ) -> [Candidate.Offer] {
        var real = Array(pageIndex.offers(of: candidate))
        if !commonPlaceholders.isEmpty {
            real.removeAll { commonPlaceholders.contains($0.address) }
        }
        guard real.count > 1 else { return real }
        // A closure that captures the index would copy it.
        var named = real
        for place in real.indices.reversed() where pageIndex.isPlaceholder(real[place]) {
            named.remove(at: place)
        }
        // If all are named like placeholders, the names mean nothing: `loading-bay.jpg` may be the picture.
        return named.isEmpty ? real : named
    }
}
