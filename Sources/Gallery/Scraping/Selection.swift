import Markup
import Network

/// Which candidates of a section are pictures of the gallery: those with a good score that stand as others do.
struct Selection {
    /// Those chosen, in page order.
    private(set) var candidates: [Candidate] = []
    /// Whether one of them would be taken for a picture by itself; one that leads elsewhere may be an album's cover.
    private(set) var isStrong = false

    /// Alone, a picture outside the page's repeated structure needs this much to count: more than its ending and place give.
    private static let scoreAlone = 30
    /// A group this large is a gallery.
    static let galleryCount = 3

    /// - Parameter ignoring: surroundings that do not count against a candidate here.
    init(
        _ all: [Candidate], in findings: Findings, ignoring: Surroundings, context: PageContext
    ) {
        let rejected = Surroundings([.chrome, .hidden]).subtracting(ignoring)
        let log = context.log
        var visible = all
        visible.removeAll { candidate in
            let isVisible = candidate.surroundings.isDisjoint(with: rejected)
            if !isVisible {
                let isHidden = candidate.surroundings.contains(.hidden)
                log?.decide(
                    candidate, in: findings, .rejected,
                    isHidden ? "not shown" : "in the frame of the page")
            }
            return !isVisible
        }
        let repetition = Repetition(visible, in: findings)
        let evidence = GroupEvidence(
            visible, in: findings, repetition, page: context.address)
        var scored: [(index: Int, score: Int)] = []
        for (index, candidate) in visible.enumerated() {
            var score = Score(
                candidate, in: findings,
                repetitions: evidence.occurrences(of: candidate, in: findings),
                isExplained: log != nil)
            evidence.add(
                to: &score, of: candidate, in: findings, group: repetition.groups[index])
            if score.total >= 0 {
                scored.append((index, score.total))
            }
            log?.decide(
                candidate, in: findings, score.total >= 0 ? .taken : .rejected,
                score.total >= 0 ? "score" : "score below 0", score: score,
                group: repetition.groups[index] + 1)
        }
        keep(scored, of: visible, in: findings, repetition, log)
    }

    private mutating func keep(
        _ scored: [(index: Int, score: Int)], of visible: [Candidate], in findings: Findings,
        _ repetition: Repetition, _ log: DecisionLog?
    ) {
        var members = Array(repeating: 0, count: repetition.sizes.count)
        for item in scored { members[repetition.groups[item.index]] += 1 }
        candidates.reserveCapacity(scored.count)
        let hasGallery = members.contains { $0 >= Selection.galleryCount }
        for item in scored {
            let isMember = members[repetition.groups[item.index]] >= Selection.galleryCount
            let isAlone = item.score >= Selection.scoreAlone
            guard !hasGallery || isAlone || isMember else {
                log?.decide(
                    visible[item.index], in: findings, .rejected,
                    "alone beside a gallery, with a score below \(Selection.scoreAlone)")
                continue
            }
            candidates.append(visible[item.index])
            isStrong = isStrong || isAlone && visible[item.index].link == nil
        }
        if let log { log.groups(repetition.described(visible, in: findings)) }
    }
}

extension Repetition {
    /// Where each group stands, and how many members it has.
    fileprivate func described(
        _ candidates: [Candidate], in findings: Findings
    ) -> [(path: String, count: Int)] {
        sizes.indices.map { group in
            let first = groups.firstIndex(of: group).map {
                ElementPath.of(findings.document.node(candidates[$0].node))
            }
            return (first ?? "", sizes[group])
        }
    }
}
