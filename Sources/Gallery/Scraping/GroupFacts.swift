import Basics
import Network

/// Measures groups, each by itself and compared with the others of the page.
struct GroupFacts {
    let count: Int
    /// The number of different addresses, and the share of the group that other groups show, too.
    var distinct = 0, elsewhere = 0.0
    /// The share of the page's candidates with the same tags around.
    var tagShare = 0.0
    /// The share of the area that the largest group outside the page's frame shows.
    var reach = 0.0
    /// The share of the members that lead to what most of that group's lead to.
    var linksLikeMain = 0.0
    /// Whether a group of photographs has a picture beside each of these, which are none; whether one of larger pictures has.
    var isBesidePhotographs = false, isBesideLarger = false
    let isOnPageOfGallery: Bool
    private var sampled = 0.0
    private var counts = [Double](repeating: 0, count: 64)
    private var area = 0.0, side = 0.0
    private var targets: [Target: Int] = [:]

    /// What a link around a picture leads to.
    private enum Target: Int { case nothing, picture, start, site, otherSite }

    /// Members that are looked at closely; a share of more would be about the same.
    private static let maxSampled = 24
    /// In pixels, of a side of unknown length.
    private static let usualSide = 90

    /// The share of the members with a trait, or that are in or around an element with a mark.
    func share(_ trait: Trait) -> Double { counts[trait.rawValue] / sampled }
    func inner(_ mark: Marks) -> Double {
        counts[32 + mark.rawValue.trailingZeroBitCount] / sampled
    }
    func outer(_ mark: Marks) -> Double {
        counts[48 + mark.rawValue.trailingZeroBitCount] / sampled
    }

    static func values(
        of lists: [(key: GroupKey, members: [Int])], _ found: Assembler, _ page: PageSummary
    ) -> [[Double]] {
        let all = found.candidates
        let index = found.pageIndex
        let best = all.map { index.best(of: $0)?.address ?? 0 }
        let onPage = best.counts
        var onTags: [Int: Int] = [:]
        for list in lists { onTags[list.key.tags, default: 0] += list.members.count }
        var facts = lists.map { list in
            var facts = GroupFacts(list.members, best: best, onPage, found, page)
            facts.tagShare = Double(onTags[list.key.tags] ?? 0) / Double(all.count)
            return facts
        }
        let areas = facts.map { facts in
            let isAside = facts.outer(.frame) > 0.5 || facts.share(.recommended) > 0.5
            return facts.area * (isAside ? 0.01 : 1)
        }
        guard let main = areas.indices.max(by: { areas[$0] < areas[$1] }) else { return [] }
        let usual = facts[main].targets.max {
            ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue)
        }?.key
        for place in facts.indices {
            facts[place].reach = areas[place] / areas[main]
            facts[place].linksLikeMain =
                usual.map { Double(facts[place].targets[$0] ?? 0) / facts[place].sampled } ?? 0
        }
        compareNeighbours(&facts, lists.map(\.members))
        return facts.map { facts in GalleryFact.all.map { $0.value(facts) } }
    }

    private init(
        _ members: [Int], best: [Int], _ onPage: [Int: Int], _ found: Assembler, _ page: PageSummary
    ) {
        count = members.count
        isOnPageOfGallery = page.isTitledGallery
        let own = members.map { best[$0] }.counts
        distinct = own.count
        let elsewhere = own.reduce(0) { onPage[$1.key, default: 0] > $1.value ? $0 + $1.value : $0 }
        self.elsewhere = Double(elsewhere) / Double(count)
        func name(_ address: Int) -> String { found.pageIndex.addresses[address].lastPathComponent }
        let first = name(best[members[0]])
        let isNameShared =
            distinct >= Scraper.galleryCount
            && own.keys.prefix(Self.maxSampled).allSatisfy { name($0) == first }
        var areas: [Int] = []
        for place in stride(from: 0, to: count, by: 1 + (count - 1) / Self.maxSampled) {
            let candidate = found.candidates[members[place]]
            let address = best[members[place]]
            let traits = Traits(
                candidate, best: address, isNameShared: isNameShared, found, page)
            var bits =
                UInt64(traits.bits) | UInt64(traits.inner.rawValue) << 32
                | UInt64(traits.outer.rawValue) << 48
            while bits != 0 {
                counts[bits.trailingZeroBitCount] += 1
                bits &= bits - 1
            }
            let shown = found.pageIndex.shownSize(of: candidate)
            targets[target(of: candidate, traits, found.pageIndex), default: 0] += 1
            let width = shown.width == 0 ? Self.usualSide : shown.width
            areas.append(width * (shown.height == 0 ? width : shown.height))
        }
        sampled = Double(areas.count)
        let usual = areas.sorted()[areas.count / 2]
        side = Double(usual).squareRoot()
        area = Double(usual * distinct)
    }

    private func target(
        of candidate: Candidate, _ traits: Traits, _ index: PageIndex
    ) -> Target {
        guard let link = candidate.link else {
            return candidate.linksToPicture ? .picture : .nothing
        }
        let isStart = index.addresses.withText(of: link) { text in
            text.last == "/" && text.count { $0 == "/" } == 3
        }
        return isStart ? .start : traits.contains(.leadsToOtherSite) ? .otherSite : .site
    }

    /// Compares groups that have a picture each on the same cards.
    private static func compareNeighbours(_ facts: inout [GroupFacts], _ lists: [[Int]]) {
        var groups = [Int](repeating: 0, count: lists.reduce(0) { $0 + $1.count })
        for (group, members) in lists.enumerated() {
            for member in members { groups[member] = group }
        }
        for (group, members) in lists.enumerated() where members.count >= Scraper.galleryCount {
            var beside: [Int: Int] = [:]
            for member in members.prefix(maxSampled) {
                for place in [member - 1, member + 1]
                where groups.indices.contains(place) && groups[place] != group {
                    beside[groups[place], default: 0] += 1
                }
            }
            for (other, count) in beside
            where 5 * count >= 3 * min(members.count, maxSampled)
                && (3 * members.count...8 * members.count).contains(5 * lists[other].count)
            {
                if facts[other].share(.photograph) > 0.5, facts[group].share(.photograph) < 0.5 {
                    facts[group].isBesidePhotographs = true
                }
                if facts[other].side >= 1.5 * facts[group].side {
                    facts[group].isBesideLarger = true
                }
            }
        }
    }
}
