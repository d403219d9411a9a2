import Basics
import Markup

/// Candidates of equal structure: what a page repeats.
struct CandidateGroup {
    /// The indices of its candidates, in page order.
    let members: [Int]
    let link: GroupKey.Link
    /// What speaks for and against its being the page's gallery, in the order of `GalleryFact.all`.
    var values: [Double] = []

    /// The logarithm of the odds that it is the page's gallery.
    var sum: Double { sum { _ in true } }
    /// Whether the page is about it, since it declares no subject and has no other gallery.
    var isSubject = false

    var isGallery: Bool { sum > 0 || isSubject }
    /// Whether only the place where it stands tells it from a gallery: beside a text, or under a heading that recommends.
    var isRelated: Bool { !isGallery && isList(above: max(-1, sum + 1)) }

    /// Whether it would be a list of links elsewhere on the page, with a sum above this.
    fileprivate func isList(above least: Double) -> Bool {
        link == .page && members.count >= Scraper.galleryCount && sum { !$0.isOfPlace } > least
    }

    var verdict: DecisionLog.Verdict { isGallery ? .taken : isRelated ? .related : .rejected }

    /// What each fact adds to the sum, from the most to the least.
    var terms: [(name: String, points: Double)] {
        zip(GalleryFact.all, values).map { ($0.name, $0.weight * $1) }.sorted { $0.1 > $1.1 }
    }

    private func sum(_ counts: (GalleryFact) -> Bool) -> Double {
        zip(GalleryFact.all, values).reduce(GalleryFact.constant) { sum, fact in
            counts(fact.0) ? sum + fact.0.weight * fact.1 : sum
        }
    }
}

/// What the candidates of a group have in common.
struct GroupKey: Hashable {
    /// What the link around a picture leads to.
    enum Link { case nothing, page, picture }
    enum Ending { case photograph, bitmap, other }

    let kind: Candidate.Kind
    /// Hashes of the tags around it, without and with their classes.
    let tags: Int
    var classes: Int
    let link: Link
    /// 0 if its size is unknown, 1 for icons, 2 for small and 3 for large pictures.
    let size: Int
    let ending: Ending
    /// What marks the part of the page that it is in.
    let part: Marks
    let isRecommended: Bool

    init(
        _ candidate: Candidate, _ found: Assembler, _ page: PageSummary, _ paths: inout ElementPaths
    ) {
        (tags, classes) = paths.path(to: candidate.node)
        kind = candidate.kind
        link = candidate.linksToPicture ? .picture : candidate.link == nil ? .nothing : .page
        let shown = found.pageIndex.shownSize(of: candidate)
        size = [0, 50, 100].count { max(shown.width, shown.height) > $0 }
        ending =
            switch found.pageIndex.best(of: candidate).map({
                found.pageIndex.addresses.hints[$0.address].ending
            }) {
            case .photo: .photograph
            case .drawing, .picture: .bitmap
            default: .other
            }
        part = found.collector.around[candidate.node].intersection([.frame, .related, .side])
        isRecommended = page.related.part(of: candidate.node) != nil
    }
}

/// Hashes the tags, and the tags with their classes, from the page down to an element.
struct ElementPaths {
    private let tree: TreeReader
    /// The hashes of the elements seen so far, by their numbers.
    private var known: [(tags: Int, classes: Int)?]
    /// Those around an element that are not known yet: no recursion, as a hostile page may be deep.
    private var unknown: [Int] = []
    private var classes = ValueCache<Int>()

    /// Tags of text, which people put around some pictures of a gallery but not around others.
    private static let ofText = NameSet("b i font center span p strong em u small big nobr tt")

    init(_ tree: TreeReader) {
        self.tree = tree
        known = Array(repeating: nil, count: tree.count)
    }

    mutating func path(to node: Int) -> (tags: Int, classes: Int) {
        var at = node
        while at > 0, known[at] == nil {
            unknown.append(at)
            at = tree.parent(of: at)
        }
        var path = known[at] ?? (1, 1)
        while let node = unknown.popLast() {
            let name = tree.name(of: node)
            if !Self.ofText.contains(name) {
                path = (Self.mixed(path.tags, name.number), Self.mixed(path.classes, name.number))
                if let value = tree.attribute(.class, of: node) {
                    path.classes = Self.mixed(
                        path.classes, classes.answer(for: value, Self.hash(ofClasses:)))
                }
            }
            known[node] = path
        }
        return path
    }

    private static func mixed(_ hash: Int, _ value: Int) -> Int {
        (hash ^ value) &* 0x100_0000_01B3 ^ hash >> 29
    }

    /// Hashes classes in any order, without those with digits, which differ between items.
    private static func hash(ofClasses value: Bytes) -> Int {
        value.split { $0 <= 0x20 }.filter { !$0.contains(where: \.isDigit) }.reduce(0) {
            $0 &+ Int(truncatingIfNeeded: UnsafeRawBufferPointer(Bytes(rebasing: $1)).hash(1))
        }
    }
}

/// Groups the candidates of a page, and weighs which groups are its gallery.
struct CandidateGroups {
    /// In page order of their first members.
    private(set) var groups: [CandidateGroup]

    /// Groups with fewer members are joined to others that differ in their classes only.
    private static let minCount = 3
    private static let sure = 1.0
    private static let maxRelated = 20

    init(_ found: Assembler, _ page: PageSummary) {
        var paths = ElementPaths(found.tree)
        let byClasses = Dictionary(grouping: found.candidates.indices) { index in
            GroupKey(found.candidates[index], found, page, &paths)
        }
        var joined: [GroupKey: [Int]] = [:]
        for (key, members) in byClasses {
            var key = key
            if members.count < Self.minCount { key.classes = 0 }
            joined[key, default: []] += members
        }
        let lists = joined.map { (key: $0.key, members: $0.value.sorted()) }
            .sorted { $0.members[0] < $1.members[0] }
        let values = GroupFacts.values(of: lists, found, page)
        groups = zip(lists, values).map { list, values in
            CandidateGroup(members: list.members, link: list.key.link, values: values)
        }
        let others = groups.indices.filter { groups[$0].isList(above: 0) }
        if page.text?.isDeclared != true, !groups.contains(where: \.isGallery),
            let largest = others.max(by: { groups[$0].members.count < groups[$1].members.count })
        {
            groups[largest].isSubject = true
        }
    }

    /// Returns the gallery's candidates, in page order.
    func gallery(among candidates: [Candidate]) -> [Candidate] {
        var gallery = candidates
        for (number, group) in groups.enumerated() where group.isGallery {
            for member in group.members { gallery[member].group = number + 1 }
        }
        return gallery.filter { $0.group > 0 }
    }

    /// Whether the gallery shows more than the covers of others, or a picture that is one just by chance.
    var isSure: Bool { groups.contains { $0.sum > Self.sure && $0.link != .page } }

    /// Returns what the page recommends, by the headings above it, in page order.
    func related(
        among candidates: [Candidate], _ found: Assembler, _ page: PageSummary
    ) -> [(title: String, members: [Int])] {
        var parts: [(title: String, members: [Int])] = []
        let headings = found.collector.headings
        for group in groups where group.isRelated && parts.count < Self.maxRelated {
            let first = candidates[group.members[0]]
            // What is above another picture, or the page as a whole, is no heading of these.
            let before = group.members[0] == 0 ? 0 : candidates[group.members[0] - 1].node
            let own = headings[..<headings.partitioningIndex { $0 >= first.item }].last
                .flatMap { $0 > before && found.tree.name(of: $0) != .h1 ? $0 : nil }
            let title =
                page.related.part(of: first.node)?.title
                ?? own.map { found.pageIndex.node($0).textContent } ?? "Related"
            if let known = parts.firstIndex(where: { $0.title == title }) {
                parts[known].members = (parts[known].members + group.members).sorted()
            } else {
                parts.append((title, group.members))
            }
        }
        return parts
    }
}
