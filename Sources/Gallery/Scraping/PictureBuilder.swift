import Basics
import Markup
import Network

/// Builds pictures from candidates: sizes, titles, and each picture only once per page.
struct PictureBuilder {
    /// A picture with the sizes, smallest first, and the title found so far.
    private struct Found {
        let candidate: Candidate
        var offers: [Candidate.Offer]
        /// The index of the candidate that gives the title.
        var titled: Int
        var title: Titles.Title
        /// Its largest size.
        var address: Int { offers[offers.count - 1].address }
    }

    private let context: PageContext
    /// The picture to which each address, by its number, belongs: nil if it is unseen, or `earlier` if it was made before.
    private var owners: [Int?] = []
    private static let earlier = -1

    /// A `src` that this many pictures with other addresses share is a placeholder.
    private static let placeholderCount = 3

    /// The scraping limit leaves no time to look for sizes of one picture on larger pages.
    private static let maxCompared = 500
    /// A file name of this length with `minDigits` digits is given once.
    private static let minName = 12
    private static let minDigits = 4

    init(context: PageContext) { self.context = context }

    mutating func pictures(of candidates: [Candidate], in pageIndex: PageIndex) -> [Picture] {
        let variants = Variants(
            commonPlaceholders: PictureBuilder.commonPlaceholders(among: candidates, in: pageIndex),
            saved: context.saved)
        var titles = Titles(pageIndex)
        var pictures: [Found] = []
        pictures.reserveCapacity(candidates.count)
        owners = (0..<pageIndex.addresses.count).map {
            $0 < owners.count && owners[$0] != nil ? Self.earlier : nil
        }
        // Pictures by what the addresses of their sizes have in common.
        var sizes: [[UInt8]: Int] = [:]
        let isCompared = candidates.count <= PictureBuilder.maxCompared
        let shared = isCompared ? Self.sharedSizes(of: candidates, in: pageIndex) : [:]
        let ambiguous = isCompared ? ambiguousKeys(of: candidates, shared, in: pageIndex) : []
        for (place, candidate) in candidates.enumerated() {
            var offers = variants.variants(of: candidate, in: pageIndex)
            // A picture is new if its largest size is; different pictures may share a thumbnail (a film's still, a generic icon).
            guard let last = offers.last, owners[last.address] != Self.earlier else { continue }
            if offers.count == 1, last.width == nil {
                (offers[0].width, offers[0].height) = candidate.shown
            }
            // Not by `??`, whose closure would copy all titles for each picture.
            let title =
                if let caption = pageIndex.captions[candidate.node] {
                    Titles.Title(text: caption, source: .data)
                } else {
                    titles.title(of: candidate, address: last.address)
                }
            let picture = Found(
                candidate: candidate, offers: offers, titled: place, title: title)
            var known = owners[last.address]
            if known == nil, isCompared {
                let keys = PictureBuilder.keys(
                    of: pageIndex.addresses[last.address], size: shared[candidate.group]
                ).filter { !ambiguous.contains($0) }
                known = keys.lazy.compactMap { sizes[$0] }.first {
                    areOne(pictures[$0], picture, in: pageIndex)
                }
                for key in keys where sizes[key] == nil { sizes[key] = known ?? pictures.count }
                if let known {
                    PictureBuilder.add(offers, to: &pictures[known].offers, in: pageIndex)
                    let first = pageIndex.addresses[pictures[known].address]
                    context.log?.decide(
                        candidate, in: pageIndex, .rejected, "another size of \(first)")
                }
            }
            for offer in offers where owners[offer.address] == nil {
                owners[offer.address] = known ?? pictures.count
            }
            if let known {
                // Another element with the same picture may have a caption.
                if pictures[known].title.isFileName, !title.isFileName {
                    pictures[known].titled = place
                    pictures[known].title = title
                }
            } else {
                pictures.append(picture)
            }
        }
        var built = pictures.map { picture($0, titles, pageIndex) }
        if let log = context.log, !pictures.isEmpty {
            let counts = pictures.map(\.title.source).counts
                .sorted { $0.key.rawValue < $1.key.rawValue }
            log.note(
                "titles: " + counts.map { "\($0.value) from \($0.key)" }.joined(separator: ", "))
        }
        titles.shared = PictureBuilder.sharedTitles(of: built)
        // Shared titles are replaced if most pictures with one have another title of their own.
        let indices = built.indices.filter { titles.shared.contains(built[$0].title) }
        let others = indices.map { index in
            let title = titles.title(
                of: candidates[pictures[index].titled], address: pictures[index].address)
            return title.isFileName ? built[index].title : title.text
        }
        guard 2 * Set(others).subtracting(titles.shared).count > indices.count else { return built }
        for (index, text) in zip(indices, others) { built[index].title = text }
        return built
    }

    private func picture(
        _ found: Found, _ titles: borrowing Titles, _ pageIndex: borrowing PageIndex
    ) -> Picture {
        let candidate = found.candidate
        let variants = found.offers.map { offer in
            Picture.Variant(
                address: pageIndex.addresses[offer.address], width: offer.width,
                height: offer.height)
        }
        var picture = Picture(
            variants: variants, link: candidate.link.map { pageIndex.addresses[$0] },
            page: context.address, title: found.title.text,
            summary: titles.summary(of: candidate, besides: found.title.text),
            date: titles.date(of: candidate), width: candidate.fullSize?.width,
            height: candidate.fullSize?.height, kind: candidate.isAlbum ? .album : .picture)
        picture.isFullKnown =
            !candidate.isAlbum && found.offers.contains { $0.role == .full }
        return picture
    }

    /// Returns how long the size is that all names of a group end in, by the group.
    private static func sharedSizes(
        of candidates: [Candidate], in pageIndex: PageIndex
    ) -> [Int: Int] {
        Dictionary(grouping: candidates, by: \.group).mapValues { members in
            FileNameText.sharedSize(
                of: members.compactMap(pageIndex.best).map {
                    pageIndex.addresses[$0.address].lastPathComponent.withoutEnding
                })
        }
    }

    /// Returns what the addresses of sizes of one picture have in common: all without sizes, or a long name.
    ///
    /// - Parameter size: the length of the size at the end of its name.
    private static func keys(of address: Address, size: Int?) -> [[UInt8]] {
        var address = address
        if let size, size > 0 {
            let name = address.lastPathComponent.withoutEnding
            let ending = address.lastPathComponent.dropFirst(name.count)
            address = Address("\(address.folder)\(name.dropLast(size))\(ending)") ?? address
        }
        let name = FileNameText.bare(address)
        let isLong = name.utf8.count >= minName && name.utf8.count(where: \.isDigit) >= minDigits
        return [FileNameText.sizelessText(of: address)] + (isLong ? [name.bytes] : [])
    }

    /// Returns the keys that different pictures of one group have, which then tell nothing.
    private func ambiguousKeys(
        of candidates: [Candidate], _ shared: [Int: Int], in pageIndex: PageIndex
    ) -> Set<[UInt8]> {
        var ambiguous: Set<[UInt8]> = []
        var first: [[UInt8]: (address: Address, place: Int)] = [:]
        for (place, candidate) in candidates.enumerated() {
            guard let best = pageIndex.best(of: candidate) else { continue }
            let address = pageIndex.addresses[best.address]
            for key in PictureBuilder.keys(of: address, size: shared[candidate.group]) {
                let member = key + " \(candidate.group)".bytes
                let other = first[member, default: (address, place)]
                first[member] = other
                // A card may have the same picture twice.
                let isOnOneCard = place == other.place + 1
                if other.address != address, !isOnOneCard,
                    !FileNameText.differInSize(other.address, address)
                {
                    ambiguous.insert(key)
                }
            }
        }
        return ambiguous
    }

    /// Whether two elements show one picture, as their names suggest: not if they lead to different pages; in one group only if nothing but
    /// words for sizes distinguishes them.
    private func areOne(_ one: Found, _ other: Found, in pageIndex: PageIndex) -> Bool {
        guard Set([one, other].compactMap(\.candidate.link)).count < 2 else { return false }
        guard one.candidate.group == other.candidate.group else { return true }
        return
            (other.titled == one.titled + 1
            || FileNameText.differInSize(
                pageIndex.addresses[one.address], pageIndex.addresses[other.address]))
            && (one.candidate.kind == .textLink
                || !(one.candidate.linksToPicture && other.candidate.linksToPicture)
                    && (one.title.isFileName || other.title.isFileName
                        || one.title.text == other.title.text))
    }

    /// Adds other sizes of a picture, each before the first that is larger.
    private static func add(
        _ others: [Candidate.Offer], to sizes: inout [Candidate.Offer], in pageIndex: PageIndex
    ) {
        for other in others where !sizes.contains(where: { $0.address == other.address }) {
            sizes.insert(
                other,
                at: sizes.firstIndex { pageIndex.isLarger($0, than: other) } ?? sizes.count)
        }
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
        let titles = pictures.prefix(1_000).map(\.title)
        let shared = titles.counts.filter { $0.value > 1 && !$0.key.isEmpty }
        let count = shared.values.reduce(0, +)
        return count >= Scraper.galleryCount && 2 * count > titles.count ? Set(shared.keys) : []
    }
}

extension PageIndex {
    /// Whether the first of two sizes of one picture is the larger: by its address, else as what a link opens, else by the size stated; by
    /// default it is.
    fileprivate func isLarger(_ one: Candidate.Offer, than other: Candidate.Offer) -> Bool {
        if let isLarger = FileNameText.isLarger(
            addresses[one.address], than: addresses[other.address])
        {
            return isLarger
        }
        if (one.role == .full) != (other.role == .full) { return one.role == .full }
        guard let width = one.width, let otherWidth = other.width else { return true }
        return width >= otherWidth
    }
}

/// Orders the addresses of one picture from smallest to largest.
struct Variants {
    /// The numbers of addresses that many pictures share; see `PictureBuilder`.
    var commonPlaceholders: Set<Int> = []
    var saved: SavedPage?

    /// Returns the variants of a candidate; none if only common placeholders were found.
    func variants(of candidate: Candidate, in pageIndex: PageIndex) -> [Candidate.Offer] {
        var real = pageIndex.offers(of: candidate)
            .filter { !commonPlaceholders.contains($0.address) }
        guard real.count > 1 else { return real }
        // A closure that captures the index would copy it.
        var named = real
        for place in real.indices.reversed() where pageIndex.isPlaceholder(real[place]) {
            named.remove(at: place)
        }
        // If all are named like placeholders, the names mean nothing: `loading-bay.jpg` may be the picture.
        if !named.isEmpty { real = named }
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
                variant.width = found.width ?? old.width
                variant.height = found.height ?? old.height
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
}
