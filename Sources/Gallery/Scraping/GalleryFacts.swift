import Basics
import Markup
import Network

/// What is known of one candidate, as far as it counts for its group.
enum Trait: Int {
    case photograph
    /// A GIF or PNG of unknown size.
    case unsizedBitmap
    /// A word of buttons in the name of a small picture that is no photograph.
    case control
    /// A word of ornaments in its address.
    case ornament
    case digit, twoDigits
    /// Its alternative text is part of the page's title.
    case altInTitle
    case narrow
    /// More than four times as long as wide.
    case banner
    case namesFullSize, leadsToOtherSite, background, cell
    /// Outside of the text of a page about one thing.
    case outsideText
    /// There, with a text of its own and a link to another page.
    case teaser
    case recommended, noText
    /// Named by the page for other sites and search engines.
    case preferred
}

/// The traits of a candidate, and what its element and those around it are called.
struct Traits {
    private(set) var bits: UInt32 = 0
    /// What the element and its three nearest ancestors are called.
    private(set) var inner: Marks
    /// What the ancestors further out are called; for marks of parts, all of them.
    private(set) var outer: Marks = []

    /// In bytes; less is a number or a mark rather than the heading of another page.
    private static let minCaption = 12
    private static let (innerLevels, cellLevels) = (3, 4)

    func contains(_ trait: Trait) -> Bool { bits >> trait.rawValue & 1 == 1 }

    private mutating func add(_ trait: Trait, if holds: Bool = true) {
        if holds { bits |= 1 << trait.rawValue }
    }

    /// - Parameter isNameShared: whether the whole group has this file name, which then says nothing about one of them.
    init(
        _ candidate: Candidate, best: Int, isNameShared: Bool, _ found: Assembler,
        _ page: PageSummary
    ) {
        inner = found.collector.own[candidate.node]
        let (index, tree) = (found.pageIndex, found.tree)
        let hints = index.addresses.hints(of: best)
        let (width, height) = index.shownSize(of: candidate)
        let longer = max(width, height)
        add(.photograph, if: hints.ending == .photo)
        add(.unsizedBitmap, if: longer == 0 && [.drawing, .picture].contains(hints.ending))
        add(.narrow, if: [width, height].contains { (1...32).contains($0) })
        add(.banner, if: longer > 4 * min(width, height) && min(width, height) > 0)
        index.addresses.withText(of: best) { text in
            let name = text[Int(hints.name.lowerBound)..<Int(hints.name.upperBound)]
            let told = isNameShared ? Bytes(rebasing: text[..<name.startIndex]) : text
            add(.ornament, if: AddressWords(told).contains(.ornament))
            add(
                .control,
                if: hints.ending != .photo && longer < 100 && !isNameShared
                    && AddressWords(words: name).contains(.control))
            add(.digit, if: name.contains(where: \.isDigit))
            add(.twoDigits, if: zip(name, name.dropFirst()).contains { $0.isDigit && $1.isDigit })
        }
        add(.namesFullSize, if: index.namesFullSize(candidate))
        add(
            .leadsToOtherSite,
            if: candidate.link.map { !page.isOfSite(index.addresses[$0]) } ?? false)
        add(.background, if: candidate.kind == .background)
        add(.recommended, if: page.related.part(of: candidate.node) != nil)
        add(
            .preferred,
            if: tree.attribute(.itemprop, of: candidate.node)?.equals("image") ?? false
                || !index.preferred.isEmpty
                    && index.preferred.contains(FileNameText.stem(of: index.addresses[best]))
        )
        let alt = index.text(.alt, of: candidate.node).map { Text.line($0).lowercased() } ?? ""
        add(.altInTitle, if: (4...200).contains(alt.utf8.count) && page.title.contains(alt))
        let text = Text.line(index.node(candidate.item).text(limit: 200)).utf8.count
        add(.noText, if: text == 0)
        if let article = page.text, !article.nodes.contains(candidate.node) {
            add(.outsideText)
            add(
                .teaser,
                if: candidate.link != nil && !candidate.linksToPicture && !candidate.isExplicit
                    && text >= Self.minCaption)
        }
        let (own, around) = (found.collector.own, found.collector.around)
        var node = candidate.node
        for level in 1...Self.cellLevels {
            node = tree.parent(of: node)
            add(.cell, if: tree.name(of: node) == .td)
            if level <= Self.innerLevels { inner.formUnion(own[node]) }
        }
        outer = around[node].union(around[candidate.node].intersection(.ofParts))
    }
}

/// Measures groups, each by itself and compared with the others of the page.
struct GroupFacts {
    let count: Int
    /// The number of different addresses, and the share of the group that other groups show, too.
    private(set) var distinct = 0, elsewhere = 0.0
    /// The share of the page's candidates with the same tags around.
    private(set) var tagShare = 0.0
    /// The share of the area that the largest group outside the page's frame shows.
    private(set) var reach = 0.0
    /// The share of the members that lead to what most of that group's lead to.
    private(set) var linksLikeMain = 0.0
    /// Whether a group of photographs has a picture beside each of these, which are none; whether one of larger pictures has.
    private(set) var isBesidePhotographs = false, isBesideLarger = false
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
        let (all, index) = (found.candidates, found.pageIndex)
        let best = all.map { index.best(of: $0)?.address ?? 0 }
        var onPage = [Int32](repeating: 0, count: index.addresses.count)
        for address in best { onPage[address] += 1 }
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
        _ members: [Int], best: [Int], _ onPage: [Int32], _ found: Assembler, _ page: PageSummary
    ) {
        count = members.count
        isOnPageOfGallery = page.isTitledGallery
        var own: [Int: Int32] = [:]
        for member in members { own[best[member], default: 0] += 1 }
        distinct = own.count
        let elsewhere = own.reduce(0) { onPage[$1.key] > $1.value ? $0 + $1.value : $0 }
        self.elsewhere = Double(elsewhere) / Double(count)
        func name(_ address: Int) -> Substring {
            found.pageIndex.addresses[address].lastPathComponent[...]
        }
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

/// A fact about a group that speaks for or against its being the page's gallery.
struct GalleryFact: Sendable {
    let name: String
    /// By how much it changes the logarithm of the odds.
    let weight: Double
    /// Whether it is about where the group stands rather than what it is.
    let isOfPlace: Bool
    let value: @Sendable (GroupFacts) -> Double

    init(
        _ name: String, _ weight: Double, isOfPlace: Bool = false,
        _ value: @escaping @Sendable (GroupFacts) -> Double
    ) {
        (self.name, self.weight, self.isOfPlace, self.value) = (name, weight, isOfPlace, value)
    }

    private init(_ name: String, _ weight: Double, _ trait: Trait, isOfPlace: Bool = false) {
        self.init(name, weight, isOfPlace: isOfPlace) { $0.share(trait) }
    }

    /// The sum of a group with no facts.
    static let constant = -3.20

    /// Logistic regression finds the weights in labelled pages: `make fit`.
    static let all = [
        // What its members show.
        GalleryFact("photograph's ending", 0.48, .photograph),
        GalleryFact("GIF or PNG of unknown size", -0.89, .unsizedBitmap),
        GalleryFact("word of ornaments", -1.90, .ornament),
        GalleryFact("word of buttons", -1.83, .control),
        GalleryFact("digit in the name", 0.52, .digit),
        GalleryFact("two digits in the name", 0.49, .twoDigits),
        GalleryFact("alternative text in the page's title", 1.18, .altInTitle),
        GalleryFact("narrow", -0.98, .narrow),
        GalleryFact("banner", -1.92, .banner),
        GalleryFact("background", -1.03, .background),
        GalleryFact("named for other sites", 1.59, .preferred),
        // What they lead to.
        GalleryFact("names the full size", 2.07, .namesFullSize),
        GalleryFact("leads to another site", -1.24, .leadsToOtherSite),
        GalleryFact("leads where the largest group does", 0.76) { $0.linksLikeMain },
        // What is around them.
        GalleryFact("table cell", -0.74, .cell),
        GalleryFact("no text", -0.65, .noText),
        GalleryFact("class of galleries", 1.01) { $0.inner(.gallery) },
        GalleryFact("class of images", 1.06) { $0.inner(.image) },
        GalleryFact("class of thumbnails", 0.86) { $0.inner(.thumbnail) },
        GalleryFact("class of logos", -1.70) { $0.inner(.logo) },
        GalleryFact("class of persons", -2.06) { $0.inner(.person) },
        GalleryFact("class of navigation", -1.36) { $0.inner(.navigation) },
        GalleryFact("in a class of galleries", 1.13) { $0.outer(.gallery) },
        GalleryFact("in a class of navigation", -1.22) { $0.outer(.navigation) },
        GalleryFact("in the page's frame", -2.21) { $0.outer(.frame) },
        GalleryFact("in a class of sidebars", -0.50, isOfPlace: true) { $0.outer(.side) },
        GalleryFact("in a figure", 1.52) { $0.outer(.figure) },
        GalleryFact("in a class of related things", -1.94, isOfPlace: true) { $0.outer(.related) },
        GalleryFact("under a heading that recommends", -1.57, .recommended, isOfPlace: true),
        GalleryFact("outside of the text", -0.84, .outsideText, isOfPlace: true),
        GalleryFact("teaser", -2.51, .teaser, isOfPlace: true),
        // The group on its page.
        GalleryFact("different addresses", 1.19) { Double($0.distinct) / Double($0.count) },
        GalleryFact("seven or more", 0.96) { $0.distinct >= 7 ? 1 : 0 },
        GalleryFact("shown by other groups, too", 1.27) { $0.elsewhere },
        GalleryFact("share of the page's tags", 2.26) { $0.tagShare },
        GalleryFact("area beside the largest group's", 1.43) { $0.reach },
        GalleryFact("beside larger pictures", -2.75) { $0.isBesideLarger ? 1 : 0 },
        GalleryFact("beside photographs", -2.14) { $0.isBesidePhotographs ? 1 : 0 },
        GalleryFact("page named as a gallery", 0.61) { $0.isOnPageOfGallery ? 1 : 0 },
    ]
}
