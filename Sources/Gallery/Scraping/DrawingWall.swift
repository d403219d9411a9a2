import Basics
import Markup

/// Tells drawings that are pictures from signs: the icons of buttons, menus and merits, the logos of partners.
///
/// Pictures are a wall: several of one structure, all different, with hardly more than a name at each.
struct DrawingWall {
    /// Drawings as large as pictures, or in figures.
    private static let figureCount = 3
    private static let plainCount = 6
    /// No menu, row of buttons or list of partners has as many.
    private static let signCount = 24
    /// Pixels a side, from which on a drawing is more than a sign.
    private static let figureSize = 96
    /// Bytes of a name; what is longer praises a merit.
    private static let maxWords = 100

    private let findings: Findings

    /// Those of the candidates that are pictures.
    static func pictures(among candidates: [Candidate], in findings: Findings) -> [Candidate] {
        let wall = DrawingWall(findings: findings)
        let groups = Repetition(candidates, in: findings).groups
        let members = Dictionary(grouping: candidates.indices) { groups[$0] }
        return members.values.filter { wall.isOne($0.map { candidates[$0] }) }.joined().sorted()
            .map { candidates[$0] }
    }

    private func isOne(_ group: [Candidate]) -> Bool {
        func isMost(_ isSo: (Candidate) -> Bool) -> Bool {
            group.count(where: isSo) * 10 >= group.count * 9
        }
        let different = Set(group.compactMap { findings.best(of: $0)?.address }).count
        guard different >= Self.figureCount, different * 10 >= group.count * 9 else { return false }
        if isMost(isFigure), !group.contains(where: isMarked) { return true }
        guard isMost(isNamedOnly) else { return false }
        return different >= (group.contains { isSign($0) } ? Self.signCount : Self.plainCount)
    }

    private func isFigure(_ candidate: Candidate) -> Bool {
        let sides = [candidate.shown.width, candidate.shown.height].compactMap { $0?.count }
        return candidate.surroundings.contains(.figure)
            || sides.contains { $0 >= Self.figureSize }
    }

    private func isNamedOnly(_ candidate: Candidate) -> Bool {
        let item = findings.document.node(candidate.item)
        return item.shortText(limit: 10 * Self.maxWords).map { $0.utf8.count <= Self.maxWords }
            ?? false
    }

    /// Whether it stands in a link or button, or its class says that it is one.
    private func isSign(_ candidate: Candidate) -> Bool {
        candidate.anchor != nil || isMarked(candidate)
            || findings.view.ancestors(of: candidate.node).prefix(4).contains {
                findings.view.name(of: $0) == .button
            }
    }

    private static let marks = Substrings(
        wordList("logo brand client partner sponsor payment social share rating badge"),
        ignoringCase: true)

    /// Whether the classes around it, or its own address, are those of ornaments.
    private func isMarked(_ candidate: Candidate) -> Bool {
        let view = findings.view
        let around = [candidate.node] + view.ancestors(of: candidate.node).prefix(6)
        let isMarked = around.contains { node in
            [.class, .id].contains { view.attribute($0, of: node).map(Self.marks.occur) ?? false }
        }
        // What is drawn in the page has no name that could say so.
        guard !isMarked, view.name(of: candidate.node) != .svg,
            let address = findings.best(of: candidate)?.address
        else { return isMarked }
        return findings.addresses.withText(of: address) { AddressWords($0).contains(.ornament) }
    }
}
