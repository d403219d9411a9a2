import Basics
import Markup

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
    var bits: UInt32 = 0
    /// What the element and its three nearest ancestors are called.
    var inner: Marks
    /// What the ancestors further out are called; for marks of parts, all of them.
    var outer: Marks = []

    /// In bytes; less is a number or a mark rather than the heading of another page.
    private static let minCaption = 12
    private static let innerLevels = 3
    private static let cellLevels = 4

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
        let index = found.pageIndex
        let tree = found.tree
        let hints = index.addresses.hints[best]
        let (width, height) = index.shownSize(of: candidate)
        let longer = max(width, height)
        add(.photograph, if: hints.ending == .photo)
        add(.unsizedBitmap, if: longer == 0 && [.drawing, .picture].contains(hints.ending))
        add(.narrow, if: [width, height].contains { (1...32).contains($0) })
        add(.banner, if: longer > 4 * min(width, height) && min(width, height) > 0)
        index.addresses.withText(of: best) { text in
            let name = text[hints.name]
            let told = isNameShared ? Bytes(rebasing: text[..<name.startIndex]) : text
            add(.ornament, if: AddressWords(told).contains(.ornament))
            add(
                .control,
                if: hints.ending != .photo && longer < 100 && !isNameShared
                    && AddressWords(words: name).contains(.control))
            add(.digit, if: name.contains(where: \.isDigit))
            add(.twoDigits, if: zip(name, name.dropFirst()).contains { $0.isDigit && $1.isDigit })
        }
        add(.namesFullSize, if: index.offers(of: candidate).contains { $0.role == .full })
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
        var node = candidate.node
        for level in 1...Self.cellLevels {
            node = tree.parent(of: node)
            add(.cell, if: tree.name(of: node) == .td)
            if level <= Self.innerLevels { inner.formUnion(found.collector.own[node]) }
        }
        outer = found.collector.around[node].union(
            found.collector.around[candidate.node].intersection(.ofParts))
    }
}
