import Basics
import Markup

/// Separately headed parts of a page that show things other than its gallery.
struct RelatedParts {
    struct Part {
        var title: String
        var nodes: Range<Int>
    }

    private var parts: [Part] = []

    /// Each is matched at the beginning of a word.
    private static let phrases = Substrings(
        phraseList(
            """
            you may also like, you might also like, you may like, recommended, recommendations, related,
            more from, more like this, more galleries, similar, others also, also viewed, suggested,
            see also, also bought, customers also, people also, frequently bought, recently viewed,
            further galleries, other galleries, other collections, more collections, read also, also read,
            read next, more stories, more posts, other posts, more projects, other projects, lesen sie auch,
            mehr zum thema, lire aussi, leggi anche, lee también,
            das könnte, ähnliche, vous aimerez, también te, 関連, 相关
            """
        ).map { " \($0)" })

    private static let maxLevels = 12
    private static let maxParts = 20

    init(_ found: Assembler) {
        let nodes = found.candidates.map(\.node)
        let headings = found.collector.headings.map(found.pageIndex.document.node)
        // Skips headings that cannot add a part, so that thousands of them cost no more than a few.
        for heading in headings where parts.count < Self.maxParts && part(of: heading.number) == nil
        {
            // 200 bytes are sixty characters of the longest scripts.
            guard let title = heading.shortText(limit: 200) else { continue }
            var words = " \(title.lowercased())"
            guard words.withUTF8(Self.phrases.occur) else { continue }
            parts.append(
                Part(
                    title: title, nodes: Self.range(of: heading, among: headings, nodes: nodes)))
        }
        // If no candidate is left outside, the page itself is about related things.
        if nodes.allSatisfy({ part(of: $0) != nil }) { parts = [] }
    }

    func part(of node: Int) -> Part? { parts.first { $0.nodes.contains(node) } }

    /// Returns a heading's range, up to the end of the largest element around it without pictures before it, or to the next such heading.
    private static func range(
        of heading: Node, among headings: [Node], nodes: [Int]
    ) -> Range<Int> {
        var part = heading
        for ancestor in heading.ancestors.prefix(maxLevels) {
            let first = nodes.partitioningIndex { $0 >= ancestor.number }
            if first < nodes.count, nodes[first] < heading.number { break }
            guard ancestor.name != .body, ancestor.parent != nil else { break }
            part = ancestor
        }
        let end = (part == heading ? heading.parent ?? heading : part).end
        let next = headings.first { other in
            other.number > heading.number && other.number < end && other.tagName <= heading.tagName
        }
        return heading.number..<max(next?.number ?? end, heading.number + 1)
    }
}
