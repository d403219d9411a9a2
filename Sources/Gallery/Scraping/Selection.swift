import Basics
import Network

/// Selects a section's candidates that belong to the gallery: those with a good score and the structure of others.
struct Selection {
    private(set) var candidates: [Candidate] = []
    /// Whether a candidate has a score that suffices alone and no link to another page, as an album's cover has.
    private(set) var isStrong = false

    /// The score that a picture outside repeated structures needs: more than its extension and position give.
    private static let scoreAlone = 30
    /// The rule that rejects a candidate for its signs.
    static let lowScore = "score below 0"
    /// The minimum size of a group that is a gallery.
    static let galleryCount = 3

    /// Selects candidates; with `takesFrame`, also those in the frame of the page, and with `takesSmall`, small ones if they are repeated.
    init(
        _ all: [Candidate], in pageIndex: PageIndex, takesFrame: Bool = false,
        takesSmall: Bool = false, context: PageContext
    ) {
        let log = context.log
        let framed = all.filter { candidate in
            if takesFrame || !candidate.landmarks.contains(.chrome) { return true }
            log?.decide(candidate, in: pageIndex, .rejected, "in the frame of the page")
            return false
        }
        var visible = HiddenContent.lifted(from: framed, in: pageIndex, log)
        let repetition = Repetition(visible, in: pageIndex)
        let evidence = GroupEvidence(visible, in: pageIndex, repetition, page: context.address)
        var scored: [(index: Int, score: Int)] = []
        for (index, candidate) in visible.enumerated() {
            let score = Score(
                candidate, in: pageIndex, evidence, evidence.groups[repetition.groups[index]],
                weights: context.weights, takesSmall: takesSmall)
            visible[index].isAlbum = evidence.isCover(candidate)
            let isTaken = score.total >= 0
            if isTaken { scored.append((index, score.total)) }
            log?.decide(
                candidate, in: pageIndex, isTaken ? .taken : .rejected,
                isTaken ? "score" : Self.lowScore, score: score,
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
        let away = membership.groupsLeadingAway(from: page)
        let strips = membership.strips()
        lazy var isRelative = membership.relatives()
        var lastLink: Int?
        func objection(to index: Int, _ score: Int) -> String? {
            let isInGallery = membership.isInGallery(index)
            if hasGallery, score < Selection.scoreAlone, !isInGallery, !isRelative(index) {
                return "alone beside a gallery, with a score below \(Selection.scoreAlone)"
            }
            if away.contains(membership.groups[index]) { return "leads away from the gallery" }
            if strips.thumbnails.contains(index) { return "the thumbnail of a slide" }
            let isAgain = lastLink != nil && visible[index].anchor == lastLink
            return isAgain && isInGallery ? "one more picture of the same link" : nil
        }
        candidates.reserveCapacity(scored.count)
        for (index, score) in scored {
            if let objection = objection(to: index, score) {
                log?.decide(visible[index], in: membership.pageIndex, .rejected, objection)
                continue
            }
            var candidate = visible[index]
            candidate.thumbnail = strips.partners[index].map {
                (visible[$0].node, visible[$0].item, visible[$0].offers)
            }
            candidates.append(candidate)
            lastLink = candidate.link == nil ? nil : candidate.anchor
            isStrong = isStrong || score >= Selection.scoreAlone && candidate.link == nil
        }
    }
}

/// Things on a page that are not pictures of the gallery: trackers, logos, avatars, advertisements.
enum Junk {
    static func isOrnamental(_ candidate: Candidate, in pageIndex: borrowing PageIndex) -> Bool {
        // A side of two pixels or less means a tracker or a spacer.
        candidate.hasSide { $0 <= 2 }
            || !candidate.offers.isEmpty
                && candidate.offers.allSatisfy { place in
                    pageIndex.addresses.withText(of: pageIndex.offers[place].address, marks.occur)
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
        let visible = Set(shown.values.joined())
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
