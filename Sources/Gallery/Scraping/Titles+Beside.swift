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
    static let controls = NameSet("button label script style noscript template")
    /// Classes of texts that are not about a picture: of buttons, and of credits, which name its author.
    static let besides = Substrings(
        wordList("credit copyright byline tooltip button"))
    /// Nodes of a card that are searched for text.
    private static let maxCard = 300

    /// Returns an element's heading: the heading or title in it, else its first line that is neither a date nor a shared text; later lines
    /// are descriptions, sizes and counts.
    mutating func heading(of node: Int) -> String {
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
                if text.count > 1, !shared.contains(text) { return text }
            }
        }
        let lines = lines(of: node)
        return lines.first { !Dates.isDay($0) && !shared.contains($0) } ?? lines.first ?? ""
    }

    /// Returns the non-empty lines between block boundaries and line breaks, without buttons and credits.
    private mutating func lines(of node: Int) -> [String] {
        var lines = [""]
        var end = node
        var block = Int.max
        for inner in tree.descendants(of: node, limit: Self.maxCard) where inner >= end {
            let isBlock = Self.blocks.contains(tree.name(of: inner))
            if isBlock || inner >= block {
                lines.append("")
                block = isBlock ? tree.end(of: inner) : .max
            }
            if isBeside(inner) {
                end = tree.end(of: inner)
            } else if tree.isText(inner) {
                lines[lines.count - 1] += pageIndex.node(inner).text(limit: 4_096)
            }
        }
        return lines.compactMap(\.line)
    }

    /// Returns the text directly after an item, or below it in a table.
    mutating func after(_ item: Node) -> String? {
        if item.tagName == "td" {
            let text = item.nextElement.flatMap {
                $0.name == item.name && $0.first(.a) == nil ? $0 : nil
            }
            return (below(item) ?? text)?.shortText(limit: Self.maxBytes)
        }
        var text = ""
        var next = item.nextNode
        for _ in 0..<Self.maxNodes {
            guard let node = next, node.name != .img, node.name != .script,
                node.first(.img) == nil
            else { break }
            if node.name == .br || node.tagName == "hr" {
                if text.line != nil { break }
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

    /// Returns the cell in the same column of the next row, if that row has no pictures.
    private func below(_ cell: Node) -> Node? {
        func cells(_ row: Node?) -> [Node] { row?.children.filter { !$0.isText } ?? [] }
        let own = cells(cell.parent)
        let next = cells(cell.parent?.nextElement)
        guard own.count == next.count, let place = own.firstIndex(of: cell),
            next.allSatisfy({ $0.first(.img) == nil })
        else { return nil }
        return next[place]
    }
}
