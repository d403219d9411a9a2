import Basics
import Markup

/// Distinguishes drawings that are pictures from symbols: icons of buttons, menus and features, logos of partners.
///
/// Pictures form a wall: several of the same structure, all different, each with little more than a name.
struct DrawingGallery {
    /// The minimum number of drawings that are as large as pictures or in figures.
    private static let figureCount = 3
    private static let plainCount = 6
    /// The minimum if some are links or buttons; no menu, row of buttons or list of partners has as many.
    private static let signCount = 24
    /// In pixels; a drawing with such a side is more than a symbol.
    private static let figureSize: Pixels = 96
    /// The maximum length of a name in bytes; a longer text describes a feature.
    private static let maxWords = 100

    private let pageIndex: PageIndex

    /// Returns the candidates that are pictures.
    static func pictures(among candidates: [Candidate], in pageIndex: PageIndex) -> [Candidate] {
        let wall = DrawingGallery(pageIndex: pageIndex)
        let groups = Repetition(candidates, in: pageIndex).groups
        let members = Dictionary(grouping: candidates.indices) { groups[$0] }
        return members.values.filter { wall.isOne($0.map { candidates[$0] }) }.joined().sorted()
            .map { candidates[$0] }
    }

    private func isOne(_ group: [Candidate]) -> Bool {
        func isMost(_ isSo: (Candidate) -> Bool) -> Bool {
            group.count(where: isSo) * 10 >= group.count * 9
        }
        let different = Set(group.compactMap { pageIndex.best(of: $0)?.address }).count
        guard different >= Self.figureCount, different * 10 >= group.count * 9 else { return false }
        if isMost(isFigure), !group.contains(where: isMarked) { return true }
        guard isMost(isNamedOnly) else { return false }
        return different >= (group.contains { isSign($0) } ? Self.signCount : Self.plainCount)
    }

    private func isFigure(_ candidate: Candidate) -> Bool {
        candidate.landmarks.contains(.figure)
            || candidate.hasSide { $0 >= Self.figureSize }
    }

    private func isNamedOnly(_ candidate: Candidate) -> Bool {
        let item = pageIndex.node(candidate.item)
        return item.shortText(limit: 10 * Self.maxWords).map { $0.utf8.count <= Self.maxWords }
            ?? false
    }

    /// Whether the drawing is in a link or button, or its classes mark it as an ornament.
    private func isSign(_ candidate: Candidate) -> Bool {
        candidate.anchor != nil || isMarked(candidate)
            || pageIndex.view.ancestors(of: candidate.node).prefix(4).contains {
                pageIndex.node($0).tagName == "button"
            }
    }

    private static let marks = Substrings(
        wordList("logo brand client partner sponsor payment social share rating badge"))

    /// Whether the classes around the drawing, or its own address, are those of ornaments.
    private func isMarked(_ candidate: Candidate) -> Bool {
        let view = pageIndex.view
        let around = [candidate.node] + view.ancestors(of: candidate.node).prefix(6)
        let isMarked = around.contains { node in
            [.class, .id].contains { view.attribute($0, of: node).map(Self.marks.occur) ?? false }
        }
        // Inline drawings have no address with words.
        guard !isMarked, view.name(of: candidate.node) != .svg,
            let address = pageIndex.best(of: candidate)?.address
        else { return isMarked }
        return pageIndex.addresses.withText(of: address) { AddressWords($0).contains(.ornament) }
    }
}
