import Markup

/// Handles what a page hides at first and scripts show: slides other than the visible one, a gallery that is not laid out yet.
enum HiddenContent {
    /// Returns the candidates without those that stay hidden.
    ///
    /// A hidden picture will be shown if it has the structure of visible ones, or if the page shows no gallery and it is part of one; but a
    /// hidden copy of a visible picture is just a slider's copy.
    static func lifted(
        from candidates: [Candidate], in findings: Findings, _ log: DecisionLog?
    ) -> [Candidate] {
        func isHidden(_ candidate: Candidate) -> Bool {
            !candidate.surroundings.isDisjoint(with: [.hidden, .copy])
        }
        guard candidates.contains(where: isHidden) else { return candidates }
        let groups = Repetition(candidates, in: findings).groups
        var shown: [Int: Set<Int>] = [:]
        var hidden: [Int: Set<Int>] = [:]
        var originals: Set<Int> = []
        for (candidate, group) in zip(candidates, groups) {
            guard let address = findings.best(of: candidate)?.address else { continue }
            if !candidate.surroundings.contains(.copy) { originals.insert(address) }
            if isHidden(candidate) {
                hidden[group, default: []].insert(address)
            } else {
                shown[group, default: []].insert(address)
            }
        }
        let isEmpty = shown.values.allSatisfy { $0.count < Selection.galleryCount }
        let visible = shown.values.reduce(into: Set<Int>()) { $0.formUnion($1) }
        func isCopy(_ candidate: Candidate) -> Bool {
            guard let address = findings.best(of: candidate)?.address else { return true }
            return candidate.surroundings.contains(.copy)
                ? originals.contains(address) : visible.contains(address)
        }
        return zip(candidates, groups).compactMap { candidate, group in
            guard isHidden(candidate) else { return candidate }
            let isGallery = isEmpty && hidden[group]?.count ?? 0 >= Selection.galleryCount
            if !isCopy(candidate), isGallery || shown[group] != nil { return candidate }
            log?.decide(candidate, in: findings, .rejected, "not shown")
            return nil
        }
    }
}
