import Basics
import Markup

// Cards with several pictures.
extension Assembler {
    /// Classes of pictures that say whose a card is rather than what it shows.
    private static let marks = Substrings(
        wordList("avatar logo badge author profile userpic branding"))
    /// The most pictures of a card: the one that it is about, its author's and some badges.
    private static let maxInCard = 4

    /// Returns the pictures beside the one that each of three or more cards is about, by their numbers: they are marked as somebody's, or
    /// are the smaller of two.
    func secondPictures() -> Set<Int> {
        var second: [Int: [Int]] = [:]
        for (index, candidate) in candidates.enumerated() where candidate.kind == .picture {
            let outer = tree.ancestors(of: candidate.node).prefix(Assembler.maxLevels)
            guard let card = outer.first(where: { counts[$0] > 1 }),
                counts[card] <= Assembler.maxInCard, tree.name(of: card) != .body
            else { continue }
            let others = candidates[max(0, index - 3)..<min(candidates.count, index + 4)].filter {
                $0.node != candidate.node && tree.contains(card, $0.node)
            }
            let isMarked = isMarked(candidate, in: card)
            guard
                others.contains(where: { other in
                    isMarked
                        ? !self.isMarked(other, in: card)
                        : others.count == 1 && isSmaller(candidate, than: other)
                })
            else { continue }
            let around = [candidate.node, tree.parent(of: candidate.node), card]
            second[around.reduce(0, tree.hash), default: []].append(candidate.node)
        }
        return Set(second.values.lazy.filter { $0.count >= Selection.galleryCount }.joined())
    }

    private func isMarked(_ candidate: Candidate, in card: Int) -> Bool {
        ([candidate.node] + tree.ancestors(of: candidate.node).prefix { $0 != card }).contains {
            tree.attribute(.class, of: $0).map(Assembler.marks.occur) ?? false
        }
    }

    /// Whether a picture is shown at most half as wide as another, or has such a size in its address.
    private func isSmaller(_ candidate: Candidate, than other: Candidate) -> Bool {
        let widths = [candidate, other].map {
            ($0.shown.width ?? pageIndex.best(of: $0)?.width)?.count
        }
        guard let width = widths[0], let otherWidth = widths[1] else { return false }
        return 2 * width <= otherWidth
    }
}
