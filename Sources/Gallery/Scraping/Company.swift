import Basics
import Markup
import Network

/// How the pictures that have been kept stand to the page's galleries, which are groups of equal structure, and to each other.
struct Company {
    private let candidates: [Candidate]
    private let findings: Findings
    private let groups: [Int]
    /// The kept members of each group, in page order.
    private let members: [[Int]]

    /// - Parameters:
    ///   - kept: the places of candidates with a good score, in page order.
    ///   - groups: the group of each candidate.
    init(_ kept: [Int], of candidates: [Candidate], _ groups: [Int], in findings: Findings) {
        self.candidates = candidates
        self.findings = findings
        self.groups = groups
        var members = [[Int]](repeating: [], count: (groups.max() ?? -1) + 1)
        for index in kept { members[groups[index]].append(index) }
        self.members = members
    }

    private var galleries: [[Int]] { members.filter { $0.count >= Selection.galleryCount } }

    func isInGallery(_ index: Int) -> Bool {
        members[groups[index]].count >= Selection.galleryCount
    }

    var hasGallery: Bool { members.contains { $0.count >= Selection.galleryCount } }
}

extension Company {
    /// Whether a picture stands beside the members of a gallery in an element like theirs, or elsewhere in one of the same class: it is
    /// one of them, though the first or last of a row often differs in something.
    func relatives() -> (Int) -> Bool {
        var seats: Set<Int> = []
        for index in galleries.joined() { seats.formUnion(self.seats(of: candidates[index])) }
        return { index in !seats.isDisjoint(with: self.seats(of: candidates[index])) }
    }

    /// The place of a picture's item with the item's class, and the class directly around the picture, where it has one.
    private func seats(of candidate: Candidate) -> [Int] {
        let view = findings.view
        let item = candidate.item
        let isBare = [.a, .img, .picture].contains(view.name(of: item))
        var seats = [hash(view.parent(of: item), isBare ? 0 : item)]
        let outer = view.parent(of: candidate.node)
        if view.attribute(.class, of: outer)?.count ?? 0 > 0 { seats.append(hash(-1, outer)) }
        // In the page itself stands anything.
        if [.body, .main].contains(view.name(of: view.parent(of: item))) { seats.removeFirst() }
        return seats
    }

    private func hash(_ place: Int, _ element: Int) -> Int {
        var hasher = Hasher()
        hasher.combine(place)
        hasher.combine(findings.view.name(of: element).number)
        if let classes = findings.view.attribute(.class, of: element) {
            hasher.combine(bytes: UnsafeRawBufferPointer(classes))
        }
        return hasher.finalize()
    }
}

extension Company {
    /// The groups that lead away from the page's largest gallery: that one opens its pictures, or they lead nowhere, while these all lead
    /// to other pages than its own, from outside of it.
    func groupsLeadingAway(from page: Address) -> Set<Int> {
        guard let main = members.max(by: { $0.count < $1.count }), let last = main.last,
            main.count >= Selection.galleryCount,
            main.count(where: { candidates[$0].link == nil }) * 10 >= main.count * 9,
            let around = findings.view.ancestors(of: candidates[main[0]].node).first(where: {
                findings.view.contains($0, candidates[last].node)
            })
        else { return [] }
        let path = page.text.prefix { $0 != "?" }
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? path
        func leadsAway(_ index: Int) -> Bool {
            guard let link = candidates[index].link else { return false }
            return !findings.view.contains(around, candidates[index].node)
                && !findings.address(link).text.hasPrefix(folder)
        }
        return Set(
            members.indices.filter { group in
                !members[group].isEmpty && members[group].count <= main.count
                    && members[group].allSatisfy(leadsAway)
            })
    }
}

extension Company {
    /// More galleries than a page has.
    private static let maxPairable = 16

    /// The strips of thumbnails beside large slides: for each slide the place of its thumbnail, and those of all thumbnails.
    ///
    /// Two galleries of as many pictures that are named alike one by one are the same pictures twice.
    func strips() -> (partners: [Int: Int], thumbnails: Set<Int>) {
        var partners: [Int: Int] = [:]
        var thumbnails: Set<Int> = []
        let pairable = galleries.flatMap(parts)
        guard (2...Company.maxPairable).contains(pairable.count) else { return ([:], []) }
        for (place, first) in pairable.enumerated() {
            for second in pairable[(place + 1)...] where second.count == first.count {
                guard !thumbnails.contains(first[0]), !thumbnails.contains(second[0]),
                    let isSecondSmaller = isSame(first, second)
                else { continue }
                let (slides, strip) = isSecondSmaller ? (first, second) : (second, first)
                for (slide, thumbnail) in zip(slides, strip) { partners[slide] = thumbnail }
                thumbnails.formUnion(strip)
            }
        }
        return (partners, thumbnails)
    }

    /// A gallery by the classes of its items, where those tell two or three parts of it: slides and thumbnails of one build.
    private func parts(of gallery: [Int]) -> [[Int]] {
        let parts = Dictionary(grouping: gallery) { hash(-1, candidates[$0].item) }
        guard (2...3).contains(parts.count),
            parts.values.allSatisfy({ $0.count >= Selection.galleryCount })
        else { return [gallery] }
        return parts.values.sorted { $0[0] < $1[0] }
    }

    /// Whether two galleries are the same pictures, and if so, whether the second has the small ones: their names tell a smaller size, or
    /// are the longer ones (`a.jpg`, `a_s.jpg`), else they are shown smaller, else they come second.
    private func isSame(_ first: [Int], _ second: [Int]) -> Bool? {
        var longer = 0
        for (one, other) in zip(first, second) {
            guard let own = name(one), let others = name(other),
                own.text.hasPrefix(others.text) || others.text.hasPrefix(own.text)
            else { return nil }
            let difference = others.text.count - own.text.count
            let added = (difference > 0 ? others : own).text.suffix(abs(difference))
            let widths = [own, others].map { $0.width ?? .max }
            longer += FileNameText.isLarge(added) ? -difference : difference
            if difference == 0 { longer += (widths[0] - widths[1]).signum() }
        }
        guard Set(first.map { name($0)?.text }).count == first.count else { return nil }
        if longer != 0 { return longer > 0 }
        let widths = [first[0], second[0]].map { candidates[$0].shown.width?.count }
        if let width = widths[0], let otherWidth = widths[1] { return otherWidth <= width }
        return true
    }

    /// The name of a picture's file without its ending, its size and a mark of small ones before it; and the width in it.
    private func name(_ index: Int) -> (text: Substring, width: Int?)? {
        guard let found = findings.best(of: candidates[index]) else { return nil }
        let width = findings.addresses.hints(of: found.address).size?.width.count
        let name = findings.address(found.address).lastPathComponent.lowercased()
        var stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
        if width != nil, let mark = stem.lastIndex(where: { $0 == "-" || $0 == "_" }) {
            stem = stem[..<mark]
        }
        let mark = stem.prefix { $0.isLetter }
        guard mark.count < stem.count, FileNameText.isSmall(mark) else { return (stem, width) }
        return (stem.dropFirst(mark.count + 1), width)
    }
}
