import Basics
import Markup

// Text beside a picture, outside its item: below it, after it, or in the next row of its table.
extension Titles {
    private static let maxBytes = 200
    /// Nodes after an item that may belong to its caption.
    private static let maxNodes = 4
    private static let captionTags = wordSet("dd span small em i b strong font p div a tt cite")

    static let headings = NameSet("h1 h2 h3 h4 h5 h6")
    private static let blocks = NameSet(
        """
        h1 h2 h3 h4 h5 h6 p div br figcaption figure header footer li ul ol section article table
        tr td th dl dt dd blockquote
        """)
    /// Classes of credits, which name a picture's author rather than its subject.
    private static let credits = Substrings(
        ["credit", "copyright", "byline"])
    /// Nodes of a card that are searched for text.
    private static let maxCard = 300

    /// Returns an element's heading: the heading or title in it, else its first line that is neither a date nor a shared text; later lines
    /// are descriptions, sizes and counts.
    func heading(of node: Int) -> String {
        let inside = tree.descendants(of: node, limit: Self.maxCard)
        let isStructured = inside.contains {
            Self.blocks.contains(tree.name(of: $0)) || tree.attribute(.class, of: $0) != nil
        }
        guard isStructured else { return pageIndex.node(node).textContent }
        if !Self.headings.contains(tree.name(of: node)) {
            for inner in inside
            where Self.headings.contains(tree.name(of: inner))
                || tree.attribute(.class, of: inner)?.includes("title") ?? false
            {
                let text = pageIndex.node(inner).textContent
                if !text.isEmpty, !shared.contains(text) { return text }
            }
        }
        let lines = lines(of: node)
        return lines.first { !Dates.isDay($0) && !shared.contains($0) } ?? lines.first ?? ""
    }

    /// Returns the non-empty lines between block boundaries and line breaks, without credits.
    private func lines(of node: Int) -> [String] {
        var lines = [""]
        var block = node
        var end = node
        for inner in tree.descendants(of: node, limit: Self.maxCard)
        where inner >= end && !tree.isInert(inner) {
            if let classes = tree.attribute(.class, of: inner), Self.credits.occur(in: classes) {
                end = tree.end(of: inner)
            } else if tree.isText(inner) {
                let own = tree.ancestors(of: inner).prefix(12).first {
                    $0 == node || Self.blocks.contains(tree.name(of: $0))
                }
                if own != block { lines.append("") }
                block = own ?? block
                lines[lines.count - 1] += pageIndex.node(inner).text(limit: 4_096)
            } else if tree.name(of: inner) == .br {
                lines.append("")
            }
        }
        return lines.map { Text.line($0) }.filter { !$0.isEmpty }
    }

    /// Returns the text of another link in the item with the same target as the picture's link.
    func linkBeside(_ candidate: Candidate) -> String? {
        guard let anchor = candidate.anchor, let href = tree.attribute(.href, of: anchor),
            !href.isEmpty, candidate.item != anchor
        else { return nil }
        for node in tree.descendants(of: candidate.item, limit: 200)
        where tree.name(of: node) == .a && node != anchor
            && tree.attribute(.href, of: node)?.equals(href) ?? false
        {
            // A time that links to the same target is not a caption.
            if let text = caption(pageIndex.node(node)), text.contains(where: \.isLetter) {
                return text
            }
        }
        return nil
    }

    /// Returns the text directly after an item, or below it in a table.
    func after(_ item: Node) -> String? {
        if item.tagName == "td" || item.tagName == "th" {
            // The cell after it may contain only its text.
            let next = item.nextElement.flatMap { $0.name == item.name ? $0 : nil }
            return below(item) ?? next.flatMap { $0.first(.a) == nil ? caption($0) : nil }
        }
        var text = ""
        var next = item.nextNode
        for _ in 0..<Self.maxNodes {
            guard let node = next, !holdsPicture(node) else { break }
            if node.name == .br || node.tagName == "hr" {
                if !Text.line(text).isEmpty { break }
            } else if node.isText || Self.captionTags.contains(node.tagName) {
                text +=
                    " " + (node.isText ? node.text(limit: Self.maxBytes) : heading(of: node.number))
            } else {
                break
            }
            next = node.nextNode
        }
        let line = Text.line(text)
        return line.utf8.count <= Self.maxBytes && line.contains(where: \.isLetter) ? line : nil
    }

    /// Returns the text of the cell in the same column of the next row, if that row has no pictures.
    private func below(_ cell: Node) -> String? {
        guard let row = cell.parent, let next = row.nextElement, next.name == row.name,
            next.first(.img) == nil
        else { return nil }
        let own = row.children.filter { !$0.isText }
        let cells = next.children.filter { !$0.isText }
        guard let place = own.firstIndex(of: cell), cells.count == own.count else { return nil }
        return caption(cells[place])
    }

    private func caption(_ node: Node) -> String? {
        node.shortText(limit: Self.maxBytes)?.line
    }

    private func holdsPicture(_ node: Node) -> Bool {
        node.name == .img || node.first(.img) != nil || node.name == .script
    }
}
