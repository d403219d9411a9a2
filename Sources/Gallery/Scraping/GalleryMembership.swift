import Basics
import Markup
import Network

/// How the kept pictures relate to the page's galleries, which are groups of equal structure, and to each other.
struct GalleryMembership {
    let candidates: [Candidate]
    let pageIndex: PageIndex
    let groups: [Int]
    /// The kept members of each group, in page order.
    private let members: [[Int]]

    /// - Parameters:
    ///   - kept: the indices of candidates with a good score, in page order.
    ///   - groups: the group of each candidate.
    init(_ kept: [Int], of candidates: [Candidate], _ groups: [Int], in pageIndex: PageIndex) {
        self.candidates = candidates
        self.pageIndex = pageIndex
        self.groups = groups
        var members = [[Int]](repeating: [], count: (groups.max() ?? -1) + 1)
        for index in kept { members[groups[index]].append(index) }
        self.members = members
    }

    var galleries: [[Int]] { members.filter { $0.count >= Selection.galleryCount } }

    func isInGallery(_ index: Int) -> Bool {
        members[groups[index]].count >= Selection.galleryCount
    }

}

extension GalleryMembership {
    /// Returns whether a picture is in an element like those of a gallery and beside them, or elsewhere in one of the same class: it
    /// belongs to them, though the first or last of a row often differs in something.
    func relatives() -> (Int) -> Bool {
        var seats: Set<Int> = []
        for index in galleries.joined() { seats.formUnion(self.seats(of: candidates[index])) }
        return { index in !seats.isDisjoint(with: self.seats(of: candidates[index])) }
    }

    /// Returns hashes of the item's parent with the item's class; of the class of the picture's parent, if it has one; and of the classes of
    /// the picture, its parent and grandparent, if two have one: a badge on a card makes the picture's item smaller.
    private func seats(of candidate: Candidate) -> [Int] {
        let view = pageIndex.view
        let (item, outer) = (candidate.item, view.parent(of: candidate.node))
        let around = [candidate.node, outer, view.parent(of: outer)]
        let classed = around.filter { view.attribute(.class, of: $0)?.isEmpty == false }
        var seats: [Int] = []
        let parent = view.parent(of: item)
        // `body` and `main` can contain anything.
        if ![.body, .main].contains(view.name(of: parent)) {
            let isBare = [.a, .img, .picture].contains(view.name(of: item))
            seats.append(view.hash(parent, isBare ? 0 : item))
        }
        if classed.contains(outer) { seats.append(view.hash(-1, outer)) }
        if classed.count >= 2 { seats.append(around.reduce(-2, view.hash)) }
        return seats
    }

    /// Returns the smallest element that contains both pictures.
    func element(around first: Int, and last: Int) -> Int? {
        pageIndex.view.ancestors(of: candidates[first].node).first {
            pageIndex.view.contains($0, candidates[last].node)
        }
    }
}

extension GalleryMembership {
    /// Returns the groups that lead away from the page's largest gallery: its pictures are opened in place or have no links, while all
    /// members of these groups are outside of it and link to pages outside the page's folder.
    func groupsLeadingAway(from page: Address) -> Set<Int> {
        guard let main = members.max(by: { $0.count < $1.count }), let last = main.last,
            main.count >= Selection.galleryCount,
            main.count(where: { candidates[$0].link == nil }) * 10 >= main.count * 9,
            let around = element(around: main[0], and: last)
        else { return [] }
        let folder = page.folder
        func leadsAway(_ index: Int) -> Bool {
            guard let link = candidates[index].link else { return false }
            return !pageIndex.view.contains(around, candidates[index].node)
                && !pageIndex.addresses[link].text.hasPrefix(folder)
        }
        return Set(
            members.indices.filter { group in
                !members[group].isEmpty && members[group].count <= main.count
                    && members[group].allSatisfy(leadsAway)
            })
    }
}
