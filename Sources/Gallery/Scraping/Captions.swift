import Basics
import Markup
import Network

/// Text beside a picture, outside its item: below it, after it, or in the next row of its table.
enum AdjacentText {
    private static let maxBytes = 200
    /// Nodes after an item that may belong to its caption.
    private static let maxNodes = 4
    private static let captionTags: Set<String> = [
        "dd", "span", "small", "em", "i", "b", "strong", "font", "p", "div", "a", "tt", "cite",
    ]
    private static let headingTags: Set<String> = ["h2", "h3", "h4", "h5", "h6", "dt"]

    private static let headings = NameSet(["h1", "h2", "h3", "h4", "h5", "h6"])
    private static let blocks = NameSet([
        "h1", "h2", "h3", "h4", "h5", "h6", "p", "div", "br", "figcaption", "figure", "header",
        "footer",
        "li", "ul", "ol", "section", "article", "table", "tr", "td", "th", "dl", "dt", "dd",
        "blockquote",
    ])
    /// Classes of credits, which name a picture's author rather than its subject.
    private static let credits = Substrings(
        ["credit", "copyright", "byline"], ignoringCase: true)
    /// Nodes of a card that are searched for text.
    private static let maxCard = 300

    /// Returns an element's heading: the heading or title in it, else its first line that is neither a date nor one of `labels`; later
    /// lines are descriptions, sizes and counts.
    static func heading(
        of node: Int, in findings: Findings, besides labels: Set<String> = []
    ) -> String {
        let view = findings.view
        let inside = view.descendants(of: node, limit: maxCard)
        guard inside.contains(where: { blocks.contains(view.name(of: $0)) }) else {
            return inlineHeading(of: node, in: findings)
        }
        let heading = inside.lazy.filter { order in
            headings.contains(view.name(of: order))
                || view.attribute(.class, of: order)?.includes("title") ?? false
        }.map { findings.document.node($0).textContent }.first {
            !$0.isEmpty && !labels.contains($0)
        }
        if let heading, !headings.contains(view.name(of: node)) { return heading }
        let lines = lines(of: node, in: findings)
        return lines.first { !Dates.isDay($0) && !labels.contains($0) } ?? lines.first ?? ""
    }

    /// Returns the heading of an element without blocks: the part marked as the title, else all text except credits.
    private static func inlineHeading(of node: Int, in findings: Findings) -> String {
        let view = findings.view
        let inside = view.descendants(of: node, limit: maxCard)
        guard let classed = inside.first(where: { view.attribute(.class, of: $0) != nil }) else {
            return findings.document.node(node).textContent
        }
        let title = inside[classed...].first {
            view.attribute(.class, of: $0)?.includes("title") ?? false
        }
        let text = title.map { findings.document.node($0).textContent } ?? ""
        if !text.isEmpty { return text }
        return lines(of: node, in: findings).first ?? findings.document.node(node).textContent
    }

    /// Returns the non-empty lines between block boundaries and line breaks, without credits.
    private static func lines(of node: Int, in findings: Findings) -> [String] {
        let view = findings.view
        var lines = [""]
        var block = node
        var end = node
        for order in view.descendants(of: node, limit: maxCard)
        where order >= end && !view.isInert(order) {
            if let classes = view.attribute(.class, of: order), credits.occur(in: classes) {
                end = view.end(of: order)
            } else if view.isText(order) {
                let own = view.ancestors(of: order).prefix(12).first {
                    $0 == node || blocks.contains(view.name(of: $0))
                }
                if own != block { lines.append("") }
                block = own ?? block
                lines[lines.count - 1] += findings.document.node(order).text(limit: 4_096)
            } else if view.name(of: order) == .br {
                lines.append("")
            }
        }
        return lines.map { Text.line($0) }.filter { !$0.isEmpty }
    }

    /// Returns the text of another link in the item with the same target as the picture's link.
    static func linkBeside(_ candidate: Candidate, in findings: Findings) -> String? {
        let view = findings.view
        guard let anchor = candidate.anchor, let href = view.attribute(.href, of: anchor),
            !href.isEmpty, candidate.item != anchor
        else { return nil }
        for node in view.descendants(of: candidate.item, limit: 200)
        where view.name(of: node) == .a && node != anchor
            && view.attribute(.href, of: node)?.equals(href) ?? false
        {
            // A time that links to the same target is not a caption.
            if let text = caption(findings.document.node(node)), text.contains(where: \.isLetter) {
                return text
            }
        }
        return nil
    }

    /// Returns the text directly after an item, or below it in a table.
    static func after(_ item: Node, in findings: Findings) -> String? {
        if item.tagName == "td" || item.tagName == "th" { return below(item) ?? beside(item) }
        var text = ""
        var next = item.nextNode
        for _ in 0..<maxNodes {
            guard let node = next, !holdsPicture(node) else { break }
            if node.name == .br || node.tagName == "hr" {
                if !Text.line(text).isEmpty { break }
            } else if node.isText || captionTags.contains(node.tagName) {
                text +=
                    " "
                    + (node.isText
                        ? node.text(limit: maxBytes) : heading(of: node.order, in: findings))
            } else {
                break
            }
            next = node.nextNode
        }
        let line = Text.line(text)
        return line.utf8.count <= maxBytes && line.contains(where: \.isLetter) ? line : nil
    }

    /// Returns the heading directly before an item, if it belongs to it alone: the item is followed by another heading or nothing.
    static func before(_ item: Node) -> String? {
        guard let heading = item.previousElement, headingTags.contains(heading.tagName),
            item.nextElement.map({ $0.name == heading.name }) ?? true
        else { return nil }
        return caption(heading)
    }

    /// Returns the text of the cell in the same column of the next row, if that row has no pictures.
    private static func below(_ cell: Node) -> String? {
        guard let row = cell.parent, let next = row.nextElement, next.name == row.name,
            next.first(.img) == nil
        else { return nil }
        let own = row.children.filter { !$0.isText }
        let cells = next.children.filter { !$0.isText }
        guard let place = own.firstIndex(of: cell), cells.count == own.count else { return nil }
        return caption(cells[place])
    }

    /// Returns the text of the cell after a picture's, if it contains only text.
    private static func beside(_ cell: Node) -> String? {
        guard let next = cell.nextElement, next.name == cell.name, next.first(.a) == nil else {
            return nil
        }
        return caption(next)
    }

    private static func caption(_ node: Node) -> String? {
        node.shortText(limit: maxBytes).flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func holdsPicture(_ node: Node) -> Bool {
        !node.isText && (node.name == .img || node.first(.img) != nil || node.name == .script)
    }
}

/// File names as titles: extracts their words, and decides whether another text is more informative.
enum FileNameText {
    private static let small: Set<Substring> = [
        "thumb", "thumbs", "thumbnail", "thumbnails", "tn", "th", "preview",
    ]
    private static let marks: Set<Substring> = small.union([
        "image", "photo", "picture", "foto", "bild",
    ])
    /// Removed at the end of a name only, where they are not part of a title.
    private static let tails: Set<Substring> = [
        "small", "medium", "large", "sm", "lg", "scaled", "web",
    ]
    private static let units: Set<String> = [
        "kb", "mb", "kib", "mib", "bytes", "b", "k", "px", "x", "placeholder", "img",
    ]

    /// Suffixes of the larger of two pictures' otherwise equal names.
    private static let large: Set<Substring> = [
        "wide", "large", "big", "full", "lg", "xl", "hd", "orig", "original", "zoom", "hires",
        "highres", "b", "o", "l", "fullsize", "max",
    ]

    static func isLarge(_ addition: Substring) -> Bool {
        large.contains(addition.drop { !$0.isLetter })
    }

    static func isMark(_ word: Substring) -> Bool { marks.contains(Substring(word.lowercased())) }

    static func isSmall(_ word: Substring) -> Bool { small.contains(Substring(word.lowercased())) }

    /// Returns the words of the name without extension, size and marks.
    static func words(of address: Address) -> String {
        let hints = AddressHints(address)
        var name = (hints.ending == .program ? queried(address) : address.lastPathComponent)[...]
        // A percent-encoded slash.
        if let slash = name.lastIndex(of: "/") { name = name[slash...].dropFirst() }
        if let point = name.lastIndex(of: "."), point > name.startIndex { name = name[..<point] }
        if hints.size != nil,
            let dash = name.lastIndex(where: { $0 == "-" || $0 == "_" }),
            dash > name.startIndex
        {
            name = name[..<dash]
        }
        let text = Text.line(
            String(name.map { $0 == "_" || $0 == "-" || $0 == "+" ? " " : $0 }))
        let all = text.split(separator: " ")
        var words = all[...]
        if words.count > 1, let last = words.last,
            isMark(last) || tails.contains(Substring(last.lowercased()))
        {
            words.removeLast()
        }
        if words.count > 1, let first = words.first, isMark(first) { words.removeFirst() }
        // If nothing was removed, keep the text's original spelling.
        return words.count == all.count ? text : words.joined(separator: " ")
    }

    /// Returns the requested file's name: the query value that is one, else the last value.
    private static func queried(_ address: Address) -> String {
        let query = address.text.drop { $0 != "?" }.dropFirst()
        let values = query.split(separator: "&").map { $0.drop { $0 != "=" }.dropFirst() }
        let value = values.last { isFileName(String($0)) } ?? values.last ?? ""
        let name = value.split { $0 == "/" || $0 == ":" }.last ?? ""
        return String(decoding: PercentEncoding.decode(name.utf8), as: UTF8.self)
    }

    /// Whether `text` is more informative than a number, a size, or the name of one of the candidate's own files.
    static func isMore(_ text: String, than candidate: Candidate, in findings: Findings) -> Bool {
        guard isWorded(text), !isFileName(text) else { return false }
        let addresses = findings.found(of: candidate).prefix(8).map(\.address)
        return !(addresses + [candidate.link].compactMap { $0 }).contains {
            isName(text, of: findings.address($0).lastPathComponent)
        }
    }

    /// Whether `text` is exactly the file's name: `Red kite` beside `red-kite.jpg` was written by a person.
    private static func isName(_ text: String, of name: String) -> Bool {
        let bytes = name.utf8
        let stem = bytes.lastIndex(of: UInt8(ascii: ".")).map { bytes[..<$0] } ?? bytes[...]
        return bytes.elementsEqual(text.utf8) || stem.elementsEqual(text.utf8)
    }

    /// Whether the text looks like `photo-17.jpg`, which was generated by a program.
    private static func isFileName(_ text: String) -> Bool {
        !text.contains(" ") && text.withoutPictureEnding != text
    }

    /// Whether a text has a word other than sizes and marks: `[1]`, `310 KB`, `1200x800` and `Photo 1` have none.
    private static func isWorded(_ text: String) -> Bool {
        text.utf8.count > 24
            || text.split { !$0.isLetter }.contains {
                let word = $0.lowercased()
                return !units.contains(word) && !marks.contains(Substring(word))
            }
    }
}
