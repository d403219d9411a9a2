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

    /// Selects candidates; `ignoring` lists surroundings that do not count against them; with `takesSmall`, small repeated ones count too.
    init(
        _ all: [Candidate], in findings: Findings, ignoring: Surroundings, takesSmall: Bool = false,
        context: PageContext
    ) {
        let log = context.log
        let framed = all.filter { candidate in
            if candidate.surroundings.isDisjoint(with: Surroundings.chrome.subtracting(ignoring)) {
                return true
            }
            log?.decide(candidate, in: findings, .rejected, "in the frame of the page")
            return false
        }
        var visible = HiddenContent.lifted(from: framed, in: findings, log)
        let repetition = Repetition(visible, in: findings)
        let evidence = GroupEvidence(
            visible, in: findings, repetition, page: context.address)
        var scored: [(index: Int, score: Int)] = []
        for (index, candidate) in visible.enumerated() {
            let signs = evidence.signs(
                of: candidate, in: findings, group: repetition.groups[index])
            if signs.isAlbum { visible[index].isAlbum = true }
            let score = Score(
                candidate, in: findings, signs,
                takesSmall: takesSmall, isExplained: log != nil)
            let isTaken = score.total >= 0
            if isTaken { scored.append((index, score.total)) }
            log?.decide(
                candidate, in: findings, isTaken ? .taken : .rejected,
                isTaken ? "score" : "score below 0", score: score,
                group: repetition.groups[index] + 1)
        }
        keep(scored, of: visible, in: findings, repetition, of: context.address, log)
    }

    private mutating func keep(
        _ scored: [(index: Int, score: Int)], of visible: [Candidate], in findings: Findings,
        _ repetition: Repetition, of page: Address, _ log: DecisionLog?
    ) {
        let membership = GalleryMembership(
            scored.map(\.index), of: visible, repetition.groups, in: findings)
        let hasGallery = membership.hasGallery
        let away = hasGallery ? membership.groupsLeadingAway(from: page) : []
        let strips = membership.strips()
        lazy var isRelative = membership.relatives()
        var lastLink: Int?
        candidates.reserveCapacity(scored.count)
        for (index, score) in scored {
            let isAlone = score >= Selection.scoreAlone
            let objection: String? =
                if hasGallery, !isAlone, !membership.isInGallery(index), !isRelative(index) {
                    "alone beside a gallery, with a score below \(Selection.scoreAlone)"
                } else if away.contains(repetition.groups[index]) {
                    "leads away from the gallery"
                } else if strips.thumbnails.contains(index) {
                    "the thumbnail of a slide"
                } else if let link = lastLink, visible[index].anchor == link,
                    membership.isInGallery(index)
                {
                    "one more picture of the same link"
                } else { nil }
            if let objection {
                log?.decide(visible[index], in: findings, .rejected, objection)
                continue
            }
            var candidate = visible[index]
            candidate.thumbnail = strips.partners[index].map {
                (visible[$0].node, visible[$0].item, visible[$0].places)
            }
            candidates.append(candidate)
            lastLink = candidate.link == nil ? nil : candidate.anchor
            isStrong = isStrong || isAlone && candidate.link == nil
        }
        if let log { log.groups = repetition.described(visible, in: findings) }
    }
}

/// The confidence that a candidate belongs to the gallery (after Postlight, Readability and goose3).
struct Score {
    struct Reason: CustomStringConvertible {
        var points: Int
        var name: StaticString

        var description: String { "\(name) \(points > 0 ? "+" : "")\(points)" }
    }

    private(set) var total = 0
    /// The parts of the total; empty unless `isExplained`.
    private(set) var reasons: [Reason] = []
    private let isExplained: Bool

    init(
        _ candidate: Candidate, in findings: borrowing Findings, _ signs: GroupEvidence.Signs,
        takesSmall: Bool = false, isExplained: Bool = false
    ) {
        self.isExplained = isExplained
        markup(candidate, findings)
        // A drawing may be shown at any size, and an inline one has its markup for a name.
        let isDrawing = candidate.kind == .drawing
        if !isDrawing { names(candidate, findings) }
        if !candidate.linksToPicture, !candidate.isExplicit {
            if !isDrawing {
                area(candidate, findings, inWall: signs.isWall || takesSmall && signs.isRepeated)
            }
            if signs.isNamedAgain { add(-60, "named again and again") }
        }
        if signs.isCover { add(20, "picture of the folder it links to") }
        if signs.isRepeated { add(20, "repeated structure") }
        if signs.isWall { add(20, "wall of linked pictures") }
        if signs.isStranger { add(-100, "drawn among photographs") }
    }

    private mutating func add(_ points: Int, _ name: StaticString) {
        total += points
        if isExplained { reasons.append(Reason(points: points, name: name)) }
    }

    private mutating func markup(_ candidate: Candidate, _ findings: Findings) {
        if candidate.isExplicit { add(40, "lightbox") }
        if candidate.linksToPicture { add(30, "links to a picture") }
        if findings.count(of: .set, for: candidate) >= 3 { add(10, "sizes") }
        if candidate.surroundings.contains(.figure) { add(25, "figure") }
        if candidate.surroundings.contains(.gallery) { add(15, "class of a gallery") }
        if candidate.surroundings.contains(.content) { add(5, "content") }
        if candidate.kind == .background { add(-20, "background") }
    }

    private mutating func names(_ candidate: Candidate, _ findings: Findings) {
        guard let address = findings.best(of: candidate)?.address else { return }
        let words = findings.addresses.withText(of: address) { AddressWords($0) }
        let ending = findings.addresses.hints(of: address).ending
        if words.contains(.photo) { add(10, "words of pictures") }
        if ending != .photo,
            AddressWords.isControl(findings.address(address).lastPathComponent)
                || [Name.alt, .title].contains(where: {
                    findings.text($0, of: candidate.node).map(AddressWords.isControl) ?? false
                })
        {
            add(-60, "name of a button")
        }
        if words.contains(.ornament),
            ending != .photo || !AddressWords.isInPhrase(findings.address(address))
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
    private mutating func area(_ candidate: Candidate, _ findings: Findings, inWall: Bool) {
        let largest = findings.found(of: candidate).max {
            ($0.width?.count ?? 0) < ($1.width?.count ?? 0)
        }
        // A width from `srcset` or a file name is the picture's own; attributes only specify the displayed size.
        let width = (largest?.width ?? candidate.shown.width)?.count
        let height = (largest?.width == nil ? candidate.shown.height : largest?.height)?.count
        if let width, let height {
            let area = width * height
            if inWall, max(width, height) > 50, min(width, height) > 32 { return }
            if area > 40_000 { add(min(area / 1000, 40), "large") }
            if area < 5_000 { add(-100, "small") }
            // Banners, by goose3's rule.
            if width > 5 * height || height > 5 * width { add(-40, "shape of a banner") }
        }
        if [width, height].contains(where: { $0.map { $0 <= 50 } ?? false }) { add(-50, "narrow") }
    }
}

/// Things on a page that are not pictures of the gallery: trackers, logos, avatars, advertisements.
enum Junk {
    static func isOrnamental(_ candidate: Candidate, in findings: Findings) -> Bool {
        // A side of two pixels or less means a tracker or a spacer.
        if let width = candidate.shown.width, width <= 2 { return true }
        if let height = candidate.shown.height, height <= 2 { return true }
        return !candidate.places.isEmpty
            && candidate.places.allSatisfy { place in
                findings.addresses.withText(of: findings.found[place].address) {
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
