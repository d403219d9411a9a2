import Markup

/// Words that stand beside a picture and not in its item: below it, after it, in the next row of its table.
enum SideTexts {
    /// Longer texts are no captions.
    private static let maxBytes = 200
    /// Nodes after an item that may still be its caption.
    private static let reach = 4

    /// The text up to the first line break, if the element has one of its own: what follows are sizes and counts.
    static func firstLine(of node: Int, in findings: Findings) -> String {
        let view = findings.view
        let isBroken = view.children(of: node).contains { view.name(of: $0) == .br }
        let node = findings.document.node(node)
        return isBroken ? firstLine(of: node) : node.textContent
    }

    private static func firstLine(of node: Node) -> String {
        guard node.children.contains(where: { $0.tagName == "br" }) else { return node.textContent }
        var line = ""
        for child in node.children {
            if child.tagName == "br" {
                if !Text.line(line).isEmpty { break }
            } else {
                line += child.isText ? child.text(limit: 4_096) : child.textContent
            }
        }
        return Text.line(line)
    }

    /// The text of another link in the item that leads where the picture's own does.
    static func linkBeside(_ candidate: Candidate, in findings: Findings) -> String? {
        let view = findings.view
        guard let anchor = candidate.anchor, let href = view.attribute(.href, of: anchor),
            !href.isEmpty, candidate.item != anchor
        else { return nil }
        for node in view.descendants(of: candidate.item, limit: 200)
        where view.name(of: node) == .a && node != anchor
            && view.attribute(.href, of: node)?.equals(href) ?? false
        {
            let link = findings.document.node(node)
            if let text = link.shortText(limit: maxBytes), !text.isEmpty { return text }
        }
        return nil
    }

    /// The text directly after an item, or below it in a table.
    static func after(_ item: Node) -> String? {
        if item.tagName == "td" || item.tagName == "th" { return below(item) }
        var text = ""
        var next = item.nextNode
        for _ in 0..<reach {
            guard let node = next, !holdsPicture(node) else { break }
            if node.tagName == "br" || node.tagName == "hr" {
                if !Text.line(text).isEmpty { break }
            } else if node.isText || isCaption(node) {
                text += " " + (node.isText ? node.text(limit: maxBytes) : firstLine(of: node))
            } else {
                break
            }
            next = node.nextNode
        }
        let line = Text.line(text)
        return line.isEmpty || line.utf8.count > maxBytes || !line.contains(where: \.isLetter)
            ? nil : line
    }

    /// The heading directly before an item, if it belongs to it alone: another heading, or nothing, comes after the item.
    static func before(_ item: Node) -> String? {
        let headings: Set<String> = ["h2", "h3", "h4", "h5", "h6", "dt"]
        guard let heading = item.previousElement, headings.contains(heading.tagName) else {
            return nil
        }
        if let next = item.nextElement, next.tagName != heading.tagName { return nil }
        return heading.shortText(limit: maxBytes).flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func isCaption(_ node: Node) -> Bool {
        [
            "dd", "span", "small", "em", "i", "b", "strong", "font", "p", "div", "a", "tt", "cite",
        ].contains(node.tagName)
    }

    private static func holdsPicture(_ node: Node) -> Bool {
        !node.isText && (node.name == .img || node.first(.img) != nil || node.name == .script)
    }

    /// The cell at the same place of the next row, if that row has no pictures.
    private static func below(_ cell: Node) -> String? {
        guard let row = cell.parent, let next = row.nextElement, next.name == row.name,
            next.first(.img) == nil
        else { return nil }
        let place = row.children.filter { !$0.isText }.firstIndex(of: cell)
        let cells = next.children.filter { !$0.isText }
        guard let place, place < cells.count,
            cells.count == row.children.count(where: { !$0.isText })
        else { return nil }
        return cells[place].shortText(limit: maxBytes).flatMap { $0.isEmpty ? nil : $0 }
    }
}
