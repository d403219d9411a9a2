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
        let known = Set(galleries.joined().flatMap { traits(of: candidates[$0]) })
        return { index in !known.isDisjoint(with: traits(of: candidates[index])) }
    }

    // What is hashed before elements, in place of a parent.
    private static let (classOfParent, classesAround) = (-1, -2)

    /// Returns hashes of the item's parent with the item's class; of the class of the picture's parent, if it has one; and of the classes of
    /// the picture, its parent and grandparent, if two have one: a badge on a card makes the picture's item smaller.
    private func traits(of candidate: Candidate) -> [Int] {
        let tree = pageIndex.tree
        let (item, outer) = (candidate.item, tree.parent(of: candidate.node))
        let around = [candidate.node, outer, tree.parent(of: outer)]
        let classed = around.filter { tree.attribute(.class, of: $0)?.isEmpty == false }
        var traits: [Int] = []
        let parent = tree.parent(of: item)
        // `body` and `main` can contain anything.
        if ![.body, .main].contains(tree.name(of: parent)) {
            let isBare = [.a, .img, .picture].contains(tree.name(of: item))
            traits.append(tree.hash(parent, isBare ? 0 : item))
        }
        if classed.contains(outer) { traits.append(tree.hash(Self.classOfParent, outer)) }
        if classed.count >= 2 { traits.append(around.reduce(Self.classesAround, tree.hash)) }
        return traits
    }

    /// Returns the smallest element that contains both pictures.
    func element(around first: Int, and last: Int) -> Int? {
        pageIndex.tree.ancestors(of: candidates[first].node).first {
            pageIndex.tree.contains($0, candidates[last].node)
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
            return !pageIndex.tree.contains(around, candidates[index].node)
                && !pageIndex.addresses[link].text.hasPrefix(folder)
        }
        return Set(
            members.indices.filter { group in
                !members[group].isEmpty && members[group].count <= main.count
                    && members[group].allSatisfy(leadsAway)
            })
    }
}

// Slides and their strips of thumbnails.
extension GalleryMembership {
    /// More galleries than pages have.
    private static let maxPairable = 16

    /// Returns the thumbnail of each slide that has one in a strip, by index, and the indices of all thumbnails in strips.
    ///
    /// Two galleries of equal length show the same pictures if their names match one by one.
    func strips() -> (partners: [Int: Int], thumbnails: Set<Int>) {
        var partners: [Int: Int] = [:]
        var thumbnails: Set<Int> = []
        let pairable = galleries
        guard (2...GalleryMembership.maxPairable).contains(pairable.count) else { return ([:], []) }
        for (place, first) in pairable.enumerated() {
            for second in pairable[(place + 1)...] where second.count == first.count {
                guard !thumbnails.contains(first[0]), !thumbnails.contains(second[0]),
                    let isSecondSmaller = isNamedSmaller(first, second)
                else { continue }
                let (slides, strip) = isSecondSmaller ? (first, second) : (second, first)
                for (slide, thumbnail) in zip(slides, strip) { partners[slide] = thumbnail }
                thumbnails.formUnion(strip)
            }
        }
        return (partners, thumbnails)
    }

    /// Whether the second of two galleries has the smaller pictures: by names with a smaller size or longer ones (`a.jpg`, `a_s.jpg`), else
    /// by the size shown, else by default; nil if their names do not match.
    private func isNamedSmaller(_ first: [Int], _ second: [Int]) -> Bool? {
        var longer = 0
        for (one, other) in zip(first, second) {
            guard let own = name(one), let others = name(other),
                own.text.hasPrefix(others.text) || others.text.hasPrefix(own.text)
            else { return nil }
            let difference = others.text.count - own.text.count
            let added = (difference > 0 ? others : own).text.suffix(abs(difference))
            longer += FileNameText.isLarge(added) ? -difference : difference
            if difference == 0 {
                longer += ((own.width ?? .max) - (others.width ?? .max)).signum()
            }
        }
        guard Set(first.map { name($0)?.text }).count == first.count else { return nil }
        if longer != 0 { return longer > 0 }
        if let width = candidates[first[0]].shown.width,
            let otherWidth = candidates[second[0]].shown.width
        {
            return otherWidth <= width
        }
        return true
    }

    /// Returns the file name without extension, size and a leading mark of thumbnails, and the width in the name.
    private func name(_ index: Int) -> (text: Substring, width: Int?)? {
        guard let number = pageIndex.best(of: candidates[index])?.address else { return nil }
        let width = pageIndex.addresses.hints(of: number).size?.width.count
        return (FileNameText.bare(pageIndex.addresses[number]).lowercased()[...].withoutMark, width)
    }
}
