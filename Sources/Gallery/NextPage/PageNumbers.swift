import Basics
import Markup

/// Rows of page numbers: the links `1 2 3 … 9` of a page.
enum PageNumbers {
    /// Larger numbers are years and identifiers rather than pages (Pagetual's guard).
    private static let maxPage = 999

    /// Whether a link's number follows that of the current page: `1 <a>2</a>`, `li.active + li > a`, `[aria-current=page] + a`.
    ///
    /// A number that does not follow the current one may be a vote, or a day.
    static func follows(_ link: Node) -> Bool {
        guard let text = link.shortText(limit: 12), let number = Int(bounded: text) else {
            return false
        }
        return (2...maxPage).contains(number) && currentNumber(before: link) == number - 1
            && day?.match(link.attribute(.href) ?? "") == nil
    }

    /// The address of a day, as the links of a calendar have.
    private static let day = try? Pattern(
        "(?s)(?:.*[/=-])?(?:19|20|21(?=00))[0-9]{2}(?:[/=-]+[0-9]+){2}[/=-]*")

    /// Returns the current page's number directly before a link or the cell around it.
    private static func currentNumber(before node: Node) -> Int? {
        var place = node
        for _ in 0..<3 {
            if let before = place.previousNode {
                guard before.isText else { return currentNumber(in: before) }
                // Skip separators between numbers and brackets around this one: `[1] 2 | 3`.
                let word = Text.line(before.text(limit: 60)).split { !$0.isAlphanumeric }.last
                return word.map { Int(bounded: $0) }
                    ?? place.previousElement.flatMap(currentNumber(in:))
            }
            guard let parent = place.parent, ["li", "td", "span"].contains(parent.tagName) else {
                return nil
            }
            place = parent
        }
        return nil
    }

    private static let currentClasses = wordSet(
        "current active selected current-page is-active is-current disabled")

    /// Returns the number in an element that is not a link, unless that is marked as the current page's.
    private static func currentNumber(in node: Node) -> Int? {
        guard let text = node.shortText(limit: 20),
            node.name != .a && node.first(.a) == nil
                || node.classes.contains(where: { currentClasses.contains($0.lowercased()) })
                || ([node] + node.descendants.prefix(4)).contains(where: {
                    $0.attribute("aria-current") == "page"
                })
        else { return nil }
        let digits = text.filter(\.isNumber)
        return text.count <= digits.count + 2 ? Int(bounded: digits) : nil
    }
}
