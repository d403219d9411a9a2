import Basics
import Markup
import Network

/// Selects a section's candidates that belong to the gallery: those with a good score and the structure of others.
struct Selection {
    private(set) var candidates: [Candidate] = []
    /// Whether a candidate has a score that suffices alone and no link to another page, as an album's cover has.
    private(set) var isStrong = false

    /// The score that a picture outside repeated structures needs: more than its extension and position give.
    private static let scoreAlone = 30
    /// The minimum size of a group that is a gallery.
    static let galleryCount = 3

    /// Selects candidates; `ignoring` lists landmarks that do not count against them; with `takesSmall`, small repeated ones count too.
    init(
        _ all: [Candidate], in pageIndex: PageIndex, ignoring: Landmarks, takesSmall: Bool = false,
        context: PageContext
    ) {
        let log = context.log
        let framed = all.filter { candidate in
            if candidate.landmarks.isDisjoint(with: Landmarks.chrome.subtracting(ignoring)) {
                return true
            }
            log?.decide(candidate, in: pageIndex, .rejected, "in the frame of the page")
            return false
        }
        var visible = HiddenContent.lifted(from: framed, in: pageIndex, log)
        let repetition = Repetition(visible, in: pageIndex)
        let evidence = GroupEvidence(
            visible, in: pageIndex, repetition, page: context.address)
        var scored: [(index: Int, score: Int)] = []
        for (index, candidate) in visible.enumerated() {
            let features = evidence.features(
                of: candidate, in: pageIndex, group: repetition.groups[index])
            if features.isAlbum { visible[index].isAlbum = true }
            let score = Score(
                candidate, in: pageIndex, features,
                takesSmall: takesSmall, isExplained: log != nil)
            let isTaken = score.total >= 0
            if isTaken { scored.append((index, score.total)) }
            log?.decide(
                candidate, in: pageIndex, isTaken ? .taken : .rejected,
                isTaken ? "score" : "score below 0", score: score,
                group: repetition.groups[index] + 1)
        }
        keep(
            scored,
            of: GalleryMembership(
                scored.map(\.index), of: visible, repetition.groups, in: pageIndex),
            on: context.address, log)
        if let log { log.groups = repetition.described(visible, in: pageIndex) }
    }

    /// Keeps the scored candidates that no rule objects to.
    private mutating func keep(
        _ scored: [(index: Int, score: Int)], of membership: GalleryMembership, on page: Address,
        _ log: DecisionLog?
    ) {
        let visible = membership.candidates
        let hasGallery = !membership.galleries.isEmpty
        let away = hasGallery ? membership.groupsLeadingAway(from: page) : []
        let strips = membership.strips()
        lazy var isRelative = membership.relatives()
        var lastLink: Int?
        let objections: [(name: String, holds: (Int, Int) -> Bool)] = [
            (
                "alone beside a gallery, with a score below \(Selection.scoreAlone)",
                { index, score in
                    hasGallery && score < Selection.scoreAlone && !membership.isInGallery(index)
                        && !isRelative(index)
                }
            ),
            ("leads away from the gallery", { index, _ in away.contains(membership.group(index)) }),
            ("the thumbnail of a slide", { index, _ in strips.thumbnails.contains(index) }),
            (
                "one more picture of the same link",
                { index, _ in
                    lastLink != nil && visible[index].anchor == lastLink
                        && membership.isInGallery(index)
                }
            ),
        ]
        candidates.reserveCapacity(scored.count)
        for (index, score) in scored {
            if let objection = objections.first(where: { $0.holds(index, score) }) {
                log?.decide(visible[index], in: membership.pageIndex, .rejected, objection.name)
                continue
            }
            var candidate = visible[index]
            candidate.thumbnail = strips.partners[index].map {
                (visible[$0].node, visible[$0].item, visible[$0].places)
            }
            candidates.append(candidate)
            lastLink = candidate.link == nil ? nil : candidate.anchor
            isStrong = isStrong || score >= Selection.scoreAlone && candidate.link == nil
        }
    }
}

/// The confidence that a candidate belongs to the gallery (after Postlight, Readability and goose3).
struct Score {
    /// What counts for or against a candidate, and how much; tuned on the corpus of the tests, and checked on its held-back third.
    struct Reason: CustomStringConvertible {
        let points: Int
        let name: StaticString

        var description: String { "\(name) \(points > 0 ? "+" : "")\(points)" }
    }

    private(set) var total = 0
    /// The parts of the total; empty unless `isExplained`.
    private(set) var reasons: [Reason] = []
    private let isExplained: Bool

    init(
        _ candidate: Candidate, in pageIndex: borrowing PageIndex,
        _ features: GroupEvidence.Features,
        takesSmall: Bool = false, isExplained: Bool = false
    ) {
        self.isExplained = isExplained
        markup(candidate, pageIndex)
        // A drawing may be shown at any size, and an inline one has its markup for a name.
        let isDrawing = candidate.kind == .drawing
        if !isDrawing { names(candidate, pageIndex) }
        if !candidate.linksToPicture, !candidate.isExplicit {
            if !isDrawing {
                area(
                    candidate, pageIndex,
                    inWall: features.isWall || takesSmall && features.isRepeated)
            }
            if features.isNamedAgain { add(-60, "named again and again") }
        }
        if features.isCover { add(20, "picture of the folder it links to") }
        if features.isRepeated { add(20, "repeated structure") }
        if features.isWall { add(20, "wall of linked pictures") }
        if features.isStranger { add(-100, "drawn among photographs") }
    }

    private mutating func add(_ points: Int, _ name: StaticString) {
        total += points
        if isExplained { reasons.append(Reason(points: points, name: name)) }
    }

    private mutating func markup(_ candidate: Candidate, _ pageIndex: PageIndex) {
        if candidate.isExplicit { add(40, "lightbox") }
        if candidate.linksToPicture {
            add(30, "links to a picture")
        } else if pageIndex.count(of: .full, for: candidate) > 0 {
            add(20, "names its full size")
        }
        if pageIndex.count(of: .set, for: candidate) >= 3 { add(10, "sizes") }
        if candidate.landmarks.contains(.figure) { add(25, "figure") }
        if candidate.landmarks.contains(.gallery) { add(15, "class of a gallery") }
        if candidate.landmarks.contains(.content) { add(5, "content") }
        if candidate.kind == .background { add(-20, "background") }
        if isPreferred(candidate, pageIndex) { add(30, "the page's own picture") }
    }

    /// Whether the page names the picture for other sites and search engines.
    private func isPreferred(_ candidate: Candidate, _ pageIndex: PageIndex) -> Bool {
        if pageIndex.view.attribute(.itemprop, of: candidate.node)?.equals("image") ?? false {
            return true
        }
        guard !pageIndex.preferred.isEmpty, let best = pageIndex.best(of: candidate) else {
            return false
        }
        return pageIndex.preferred.contains(FileNameText.stem(of: pageIndex.address(best.address)))
    }

    private mutating func names(_ candidate: Candidate, _ pageIndex: PageIndex) {
        guard let address = pageIndex.best(of: candidate)?.address else { return }
        let words = pageIndex.addresses.withText(of: address) { AddressWords($0) }
        let ending = pageIndex.addresses.hints(of: address).ending
        if words.contains(.photo) { add(10, "words of pictures") }
        if ending != .photo,
            AddressWords.isControl(pageIndex.address(address).lastPathComponent)
                || [Name.alt, .title].contains(where: {
                    pageIndex.text($0, of: candidate.node).map(AddressWords.isControl) ?? false
                })
        {
            add(-60, "name of a button")
        }
        if words.contains(.ornament),
            ending != .photo || !AddressWords.isInPhrase(pageIndex.address(address))
        {
            add(-30, "words of ornaments")
        }
        switch ending {
        case .photo: add(10, "ending of photographs")
        case .drawing: add(-5, "ending of drawings")
        default: break
        }
    }

    /// Adds points for the size; a wall's thumbnails are not penalised as long as they are larger than icons.
    private mutating func area(_ candidate: Candidate, _ pageIndex: PageIndex, inWall: Bool) {
        let largest = pageIndex.found(of: candidate).max {
            ($0.width?.count ?? 0) < ($1.width?.count ?? 0)
        }
        // A width from `srcset` or a file name is the picture's own; attributes only specify the displayed size.
        let width = (largest?.width ?? candidate.shown.width)?.count
        let height = (largest?.width == nil ? candidate.shown.height : largest?.height)?.count
        if let width, height == nil, width >= 400 { add(20, "wide") }
        if let width, let height {
            let area = width * height
            if inWall, max(width, height) > 50, min(width, height) > 32 { return }
            if area > 40_000 { add(min(area / 1000, 40), "large") }
            if area < 5_000 { add(-100, "small") }
            // Banners, by goose3's rule.
            if width > 5 * height || height > 5 * width { add(-80, "shape of a banner") }
        }
        if [width, height].contains(where: { $0.map { $0 <= 50 } ?? false }) { add(-50, "narrow") }
    }
}

/// Things on a page that are not pictures of the gallery: trackers, logos, avatars, advertisements.
enum Junk {
    static func isOrnamental(_ candidate: Candidate, in pageIndex: PageIndex) -> Bool {
        // A side of two pixels or less means a tracker or a spacer.
        if let width = candidate.shown.width, width <= 2 { return true }
        if let height = candidate.shown.height, height <= 2 { return true }
        return !candidate.places.isEmpty
            && candidate.places.allSatisfy { place in
                pageIndex.addresses.withText(of: pageIndex.found[place].address) {
                    marks.occur(in: $0)
                }
            }
    }

    /// Parts of the addresses of advertisers, trackers, emoji and avatars.
    private static let marks = Substrings(
        wordList(
            """
            doubleclick. adserver facebook.com/tr scorecardresearch. mediaplex. atdmt. google-analytics.
            googletagmanager. quantserve. //s.w.org/ /emoji/ stats.wp.com pixel.gif pixel.wp.com
            /captcha favicon /beacon gravatar.com/avatar /avatar/ /avatars/ statcounter. counter.php
            count.cgi histats.
            """))
}

/// Handles what a page hides at first and scripts show: slides other than the visible one, a gallery that is not laid out yet.
enum HiddenContent {
    /// Returns the candidates without those that stay hidden.
    ///
    /// A hidden picture will be shown if it has the structure of visible ones, or if the page shows no gallery and it is part of one; but a
    /// hidden copy of a visible picture is just a slider's copy.
    static func lifted(
        from candidates: [Candidate], in pageIndex: PageIndex, _ log: DecisionLog?
    ) -> [Candidate] {
        func isHidden(_ candidate: Candidate) -> Bool {
            !candidate.landmarks.isDisjoint(with: [.hidden, .copy])
        }
        guard candidates.contains(where: isHidden) else { return candidates }
        let groups = Repetition(candidates, in: pageIndex).groups
        var shown: [Int: Set<Int>] = [:]
        var hidden: [Int: Set<Int>] = [:]
        var originals: Set<Int> = []
        for (candidate, group) in zip(candidates, groups) {
            guard let address = pageIndex.best(of: candidate)?.address else { continue }
            if !candidate.landmarks.contains(.copy) { originals.insert(address) }
            if isHidden(candidate) {
                hidden[group, default: []].insert(address)
            } else {
                shown[group, default: []].insert(address)
            }
        }
        let isEmpty = shown.values.allSatisfy { $0.count < Selection.galleryCount }
        let visible = shown.values.reduce(into: Set<Int>()) { $0.formUnion($1) }
        func isCopy(_ candidate: Candidate) -> Bool {
            guard let address = pageIndex.best(of: candidate)?.address else { return true }
            return candidate.landmarks.contains(.copy)
                ? originals.contains(address) : visible.contains(address)
        }
        return zip(candidates, groups).compactMap { candidate, group in
            guard isHidden(candidate) else { return candidate }
            let isGallery = isEmpty && hidden[group]?.count ?? 0 >= Selection.galleryCount
            if !isCopy(candidate), isGallery || shown[group] != nil { return candidate }
            log?.decide(candidate, in: pageIndex, .rejected, "not shown")
            return nil
        }
    }
}
