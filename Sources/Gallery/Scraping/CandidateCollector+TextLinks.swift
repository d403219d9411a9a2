import Basics
import Markup

/// Links to pictures that contain no picture: the plainest form of a gallery.
extension CandidateCollector {
    /// Returns those of the links that lead to pictures, in page order.
    func textLinks(_ links: [Int], in pageIndex: inout PageIndex) -> [Candidate] {
        links.compactMap { link in
            guard tree.leadsToPicture(link), let href = tree.attribute(.href, of: link),
                let number = pageIndex.addresses.insert(href, in: context)
            else { return nil }
            var candidate = Candidate(
                node: link, kind: .textLink, anchor: link,
                item: link, linksToPicture: true)
            pageIndex.add(full: number, to: &candidate)
            return candidate
        }
    }

    /// Returns the links that belong to a gallery of thumbnails: lightbox links, and lists of at least three between its pictures; not
    /// those in a picture's item, which lead to another size of it.
    func textLinks(
        beside pictures: [Candidate], in pageIndex: inout PageIndex
    ) -> [Candidate] {
        guard !pictures.isEmpty else { return [] }
        // The links of each list, keyed by the number of pictures before it.
        var lists: [Int: [Int]] = [:]
        for link in links {
            guard
                !tree.descendants(of: link, limit: 20).contains(where: {
                    tree.name(of: $0) == .img
                }), tree.leadsToPicture(link),
                around[link].isDisjoint(with: [.frame, .hidden, .related])
            else { continue }
            let place = pictures.partitioningIndex { $0.node > link }
            // An image map's areas lead to other pictures than the one that they are on.
            let isOwned =
                tree.name(of: link) != .area
                && [place - 1, place].contains {
                    pictures.indices.contains($0) && tree.contains(pictures[$0].item, link)
                }
            if !isOwned { lists[place, default: []].append(link) }
        }
        let chosen = Set(
            lists.values.flatMap { list in
                list.count >= Scraper.galleryCount
                    ? list : list.filter { Lightbox($0, tree).isOne }
            })
        guard !chosen.isEmpty else { return [] }
        let known = Set(pictures.flatMap { pageIndex.offers(of: $0).map(\.address) })
        return textLinks(links.filter(chosen.contains), in: &pageIndex).filter { link in
            !pageIndex.offers(of: link).contains { known.contains($0.address) }
        }
    }
}
