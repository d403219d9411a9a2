import Gallery

/// The addresses at which full pictures may be that no page names, and what trying them has taught.
///
/// Each is tried once. What worked in a section is tried first there, and what failed twice in a row no more: a gallery
/// is not asked again and again for files that it does not have.
@MainActor final class FullSizeGuesses {
    private struct Lessons {
        /// What worked last.
        var proven: FullSizeGuess.Rule?
        var misses: [FullSizeGuess.Rule: Int] = [:]
    }

    /// Misses of one rule in a row after which it is given up for a section.
    private static let patience = 2

    /// What is left to try for each picture looked at.
    private var left: [PictureID: [FullSizeGuess]] = [:]
    private var lessons: [Int: Lessons] = [:]

    /// What to try for `picture` now; nil if nothing is known of its address, or nothing is left.
    func guess(for id: PictureID, _ picture: Picture) -> FullSizeGuess? {
        let guesses = left[id] ?? FullSizeGuess.guesses(for: picture)
        left[id] = guesses
        let lessons = lessons[id.section]
        let likely = guesses.filter { lessons?.misses[$0.rule] ?? 0 < Self.patience }
        return likely.first { $0.rule == lessons?.proven } ?? likely.first
    }

    /// Whether something is left to try for a picture.
    func isTrying(_ id: PictureID) -> Bool { left[id]?.isEmpty == false }

    /// Notes that the guess gave no larger picture; only with `isEvidence` does that count against its rule.
    func miss(_ guess: FullSizeGuess, for id: PictureID, isEvidence: Bool) {
        left[id]?.removeAll { $0 == guess }
        guard isEvidence else { return }
        lessons[id.section, default: Lessons()].misses[guess.rule, default: 0] += 1
    }

    /// Notes that the full picture is there.
    func hit(_ guess: FullSizeGuess, for id: PictureID) {
        left[id] = []
        lessons[id.section, default: Lessons()].proven = guess.rule
        lessons[id.section]?.misses[guess.rule] = nil
    }

    /// Forgets all of a section that is loaded anew.
    func forget(section: Int) {
        lessons[section] = nil
        left = left.filter { $0.key.section != section }
    }
}
