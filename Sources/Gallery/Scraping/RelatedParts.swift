import Basics
import Markup

/// Separately headed parts of a page that show things other than its gallery.
struct RelatedParts {
    struct Part {
        var title: String
        var nodes: Range<Int>
    }

    private(set) var parts: [Part] = []

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
        ).map { " " + $0 })

    private static let maxLevels = 12
    private static let maxParts = 20

    /// - Parameter text: the page's text, if it is about one thing.
    init(_ found: Assembler, text: ArticleText? = nil) {
        let (collector, candidates) = (found.collector, found.candidates)
        let document = found.pageIndex.document
        let nodes = candidates.map(\.node)
        let headings = collector.headings.map(document.node)
        // Skips headings that cannot add a part, so that thousands of them cost no more than a few.
        for heading in headings where parts.count < Self.maxParts && part(of: heading.number) == nil
        {
            // 200 bytes are sixty characters of the longest scripts.
            guard let title = heading.shortText(limit: 200), RelatedParts.recommends(title)
            else { continue }
            add(heading, RelatedParts.range(of: heading, among: headings, nodes: nodes))
        }
        for block in collector.relatedBlocks.map(document.node) where parts.count < Self.maxParts {
            add(headings.first { block.contains($0) }, block.number..<block.end)
        }
        // If no candidate is left outside, the page itself is about related things.
        if nodes.allSatisfy({ part(of: $0) != nil }) { parts = [] }
        if let text {
            let teasers = candidates.filter { candidate in
                part(of: candidate.node) == nil && text.isTeaser(candidate, in: found.pageIndex)
            }
            addTeasers(teasers, beside: text, found, headings)
        }
        parts.sort { $0.nodes.lowerBound < $1.nodes.lowerBound }
    }

    /// Adds a part for each run of teasers without other pictures between them.
    private mutating func addTeasers(
        _ teasers: [Candidate], beside text: ArticleText, _ found: Assembler, _ headings: [Node]
    ) {
        let (candidates, tree) = (found.candidates, found.tree)
        var rest = teasers[...]
        while let first = rest.first {
            let start = candidates.partitioningIndex { $0.node >= first.node }
            let run = zip(rest, candidates[start...]).prefix { $0.node == $1.node }.count
            let last = rest[rest.startIndex + run - 1]
            rest = rest.dropFirst(run)
            // A list of which only some items look like teasers may be what an undeclared page is about.
            let beside = [start - 1, start + run].filter(candidates.indices.contains)
            let list = tree.parent(of: first.item)
            guard
                text.isDeclared
                    || beside.allSatisfy({ tree.parent(of: candidates[$0].item) != list })
            else { continue }
            add(headings.last { $0.number < first.item }, first.item..<tree.end(of: last.item))
        }
    }

    /// Returns the candidates outside all parts, then those of each part.
    func divide(_ candidates: [Candidate]) -> [[Candidate]] {
        guard !parts.isEmpty else { return [candidates] }
        var divided = [[Candidate]](repeating: [], count: parts.count + 1)
        for candidate in candidates {
            divided[part(of: candidate.node).map { $0 + 1 } ?? 0].append(candidate)
        }
        return divided
    }

    func part(of node: Int) -> Int? { parts.firstIndex { $0.nodes.contains(node) } }

    /// Adds a part, whose heading is looked for only if it overlaps with no other.
    private mutating func add(_ heading: @autoclosure () -> Node?, _ nodes: Range<Int>) {
        guard !parts.contains(where: { $0.nodes.overlaps(nodes) }) else { return }
        parts.append(Part(title: heading()?.textContent ?? "Related", nodes: nodes))
    }

    private static func recommends(_ title: String) -> Bool {
        var words = " " + title.lowercased()
        return words.withUTF8(phrases.occur)
    }

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
