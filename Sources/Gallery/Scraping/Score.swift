import Markup
import Network

/// How sure it is that a candidate belongs to the gallery (SCRAPING 4.5, after Postlight, Readability and goose3).
struct Score {
    /// One of the signals that a score is the sum of.
    struct Reason: CustomStringConvertible {
        var points: Int
        var name: StaticString

        var description: String { "\(name) \(points > 0 ? "+" : "")\(points)" }
    }

    private(set) var total = 0
    /// What the total is made of; empty unless `isExplained`.
    private(set) var reasons: [Reason] = []
    private let isExplained: Bool

    /// Scores `candidate`, whose address the page names `repetitions` times.
    init(
        _ candidate: Candidate, in findings: Findings, repetitions: Int, isExplained: Bool = false
    ) {
        self.isExplained = isExplained
        markup(candidate, findings)
        names(candidate, findings)
        if !candidate.linksToPicture, !candidate.isExplicit {
            area(candidate, findings)
            if repetitions > 2 { add(-40, "named again and again") }
        }
    }

    /// Counts a signal that only the page as a whole shows.
    mutating func add(_ points: Int, _ name: StaticString) {
        total += points
        if isExplained { reasons.append(Reason(points: points, name: name)) }
    }

    private mutating func markup(_ candidate: Candidate, _ findings: Findings) {
        if candidate.isExplicit { add(40, "lightbox") }
        if candidate.linksToPicture { add(30, "links to a picture") }
        if candidate.places.count(where: { findings.found[$0].role == .set }) >= 3 {
            add(10, "sizes")
        }
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

    private mutating func area(_ candidate: Candidate, _ findings: Findings) {
        let largest = findings.found(of: candidate).max { ($0.width ?? 0) < ($1.width ?? 0) }
        // A width from `srcset` or a file's name is the picture's own; what the page says is only how it shows it.
        let width = largest?.width ?? candidate.shown.width
        let height = largest?.width == nil ? candidate.shown.height : largest?.height
        if let width, let height, width > 0, height > 0 {
            let area = width * height
            if area > 40_000 { add(min(area / 1000, 40), "large") }
            if area < 5_000 { add(-100, "small") }
            // Banners: goose3's rule.
            if width > 5 * height || height > 5 * width { add(-40, "shape of a banner") }
        }
        if [width, height].contains(where: { $0.map { $0 <= 50 } ?? false }) { add(-50, "narrow") }
    }
}
