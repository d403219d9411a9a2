import Gallery

/// Guessed addresses of full pictures that no page names, and what earlier guesses taught.
///
/// Each address is tried once. The rule that worked in a section is tried first there; one that failed twice in a row is dropped,
/// so that a server is not asked again and again for files that it does not have.
@MainActor final class FullSizeGuesses {
    private struct RuleHistory {
        var proven: FullSizeGuess.Rule?
        /// The number of misses of each rule since it last worked.
        var misses: [FullSizeGuess.Rule: Int] = [:]
        /// The guesses that missed, by the picture's index.
        var tried: [Int: Set<FullSizeGuess>] = [:]
    }

    private var history: [Int: RuleHistory] = [:]

    /// Returns the next guess for `picture`; nil if no rule applies or none is left.
    func guess(for id: PictureID, _ picture: Picture) -> FullSizeGuess? {
        let history = history[id.section] ?? RuleHistory()
        let likely = FullSizeGuess.guesses(for: picture).filter {
            history.misses[$0.rule] ?? 0 < 2
                && history.tried[id.index]?.contains($0) != true
        }
        return likely.first { $0.rule == history.proven } ?? likely.first
    }

    /// Records that the guess gave no larger picture; this counts against its rule only if `isEvidence`.
    func miss(_ guess: FullSizeGuess, for id: PictureID, isEvidence: Bool) {
        history[id.section, default: RuleHistory()].tried[id.index, default: []].insert(guess)
        if isEvidence { history[id.section]?.misses[guess.rule, default: 0] += 1 }
    }

    func hit(_ guess: FullSizeGuess, in section: Int) {
        history[section, default: RuleHistory()].proven = guess.rule
        history[section]?.misses[guess.rule] = nil
    }

    func forget(section: Int) { history[section] = nil }
}
