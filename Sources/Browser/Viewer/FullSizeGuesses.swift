import Gallery

/// Which addresses have been tried for full pictures that no page names, and what that has taught.
///
/// Each is tried once. What worked in a section is tried first there, and what failed twice in a row no more: a gallery
/// is not asked again and again for files that it does not have.
@MainActor final class FullSizeGuesses {
    private struct Lessons {
        var proven: FullSizeGuess.Rule?
        /// How often each rule has missed since it worked.
        var misses: [FullSizeGuess.Rule: Int] = [:]
        /// What has missed, by the picture's index.
        var tried: [Int: Set<FullSizeGuess>] = [:]
    }

    /// Misses of one rule in a row after which it is given up for a section.
    private static let patience = 2

    private var lessons: [Int: Lessons] = [:]

    /// What to try for `picture` now; nil if nothing is known of its address, or nothing is left.
    func guess(for id: PictureID, _ picture: Picture) -> FullSizeGuess? {
        let lessons = lessons[id.section] ?? Lessons()
        let likely = FullSizeGuess.guesses(for: picture).filter {
            lessons.misses[$0.rule] ?? 0 < Self.patience
                && lessons.tried[id.index]?.contains($0) != true
        }
        return likely.first { $0.rule == lessons.proven } ?? likely.first
    }

    /// Notes that the guess gave no larger picture; only with `isEvidence` does that count against its rule.
    func miss(_ guess: FullSizeGuess, for id: PictureID, isEvidence: Bool) {
        lessons[id.section, default: Lessons()].tried[id.index, default: []].insert(guess)
        if isEvidence {
            lessons[id.section]?.misses[guess.rule, default: 0] += 1
        }
    }

    func hit(_ guess: FullSizeGuess, in section: Int) {
        lessons[section, default: Lessons()].proven = guess.rule
        lessons[section]?.misses[guess.rule] = nil
    }

    /// Forgets all of a section that is loaded anew, or gone.
    func forget(section: Int) {
        lessons[section] = nil
    }
}
