import Basics
import Markup
import Network

/// Rows of page numbers: the links `1 2 3 … 9` of a page, grouped by their addresses.
///
/// The varying part is found by comparing the addresses, whatever its name: `/page/2/`, `?start=40`, `index3.html`.
struct PageNumbers {
    private struct Link {
        var node: Node
        var number: Int
        var address: Address
    }

    /// An address with one of its numbers removed.
    struct Series: Hashable {
        var before: String
        var after: String

        /// Returns the number that `text` has in the gap; nil if it is not a member.
        func value(in text: String) -> Int? {
            guard text.utf8.count > before.utf8.count + after.utf8.count, text.hasPrefix(before),
                text.hasSuffix(after)
            else { return nil }
            let digits = text.dropFirst(before.count).dropLast(after.count)
            return digits.utf8.count <= 7 && digits.utf8.allSatisfy(\.isDigit)
                ? Int(bounded: digits) : nil
        }
    }

    private let context: PageContext
    private let links: [Link]

    /// Larger numbers are years and identifiers rather than pages (Pagetual's guard).
    private static let maxPage = 999
    private static let maxLinks = 5_000
    /// Numbers in one address that are considered as the page number.
    private static let maxRuns = 6

    init(context: PageContext, links: some Sequence<Node>) {
        self.context = context
        self.links = links.prefix(PageNumbers.maxLinks).compactMap { node in
            guard let text = node.shortText(limit: 12), let number = Int(bounded: text),
                (1...PageNumbers.maxPage).contains(number),
                let address = context.resolve(node.attribute(.href)), address != context.address,
                address.host == context.address.host
            else { return nil }
            return Link(node: node, number: number, address: address)
        }
    }

    /// The next page in the row that this page belongs to.
    var next: Address? { bySeries ?? afterCurrent }

    private var bySeries: Address? {
        var rows: [Series: [Int: (number: Int, address: Address)]] = [:]
        for link in links {
            for (series, value) in PageNumbers.series(of: link.address.text) {
                rows[series, default: [:]][value] = (link.number, link.address)
            }
        }
        let own = context.address.text
        var found: Set<Address> = []
        for (series, members) in rows where members.count >= 2 {
            let row = members.sorted { $0.key < $1.key }
            let steps = zip(row, row.dropFirst()).map { left, right in
                (values: right.key - left.key, numbers: right.value.number - left.value.number)
            }
            // Larger numbers must lead to larger values.
            guard steps.allSatisfy({ $0.numbers > 0 }) else { continue }
            if let value = series.value(in: own) {
                // A larger step than the smallest crosses a gap (`1 2 … 9`).
                guard let step = steps.map({ $0.values / $0.numbers }).min(), step > 0,
                    let next = row.first(where: { $0.key > value }), next.key - value <= step
                else { return nil }
                found.insert(next.value.address)
            } else if let second = row.first(where: { $0.value.number == 2 }),
                PageNumbers.mayStart(series, at: own)
            {
                found.insert(second.value.address)
            }
        }
        return found.count == 1 ? found.first : nil
    }

    /// Whether an address without a number may be the first page of the series.
    private static func mayStart(_ series: Series, at own: String) -> Bool {
        let start = series.before.prefix { $0 != "?" }
        let page = own.prefix { $0 != "?" }
        return page.hasPrefix(start) || start.hasPrefix(page)
            // `album.html` and `album2.html` are in the same folder.
            || start.folder == page.folder
    }

    /// Returns every way to remove one number from an address, from the end; numbers in the host stay.
    private static func series(of text: String) -> [(Series, Int)] {
        let bytes = Array(text.utf8)
        var found: [(Series, Int)] = []
        var end = bytes.count
        while end > 9, found.count < maxRuns {
            guard bytes[end - 1].isDigit else {
                end -= 1
                continue
            }
            var start = end
            while start > 9, bytes[start - 1].isDigit { start -= 1 }
            if end - start <= 7,
                let value = Int(bounded: String(utf8: bytes[start..<end]))
            {
                let series = Series(
                    before: String(utf8: bytes[..<start]),
                    after: String(utf8: bytes[end...]))
                found.append((series, value))
            }
            end = start
        }
        return found
    }

    /// The link after the current page's number: `1 <a>2</a>`, `li.active + li > a`, `[aria-current=page] + a`.
    private var afterCurrent: Address? {
        links.first {
            $0.number >= 2 && PageNumbers.currentNumber(before: $0.node) == $0.number - 1
        }?
        .address
    }

    /// Returns the current page's number directly before a link or the cell around it.
    private static func currentNumber(before node: Node) -> Int? {
        var place = node
        for _ in 0..<3 {
            if let before = place.previousNode {
                guard before.isText else { return currentNumber(in: before) }
                let text = Text.line(before.text(limit: 60))
                // Skip separators between numbers and brackets around this one: `[1] 2 | 3`.
                let word = text.split { !$0.isNumber && !$0.isLetter }.last
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

/// The next page from an infinite-scroll script's settings: `{"path": "https://…/page/%d/"}`, or `{{#}}` for the number.
///
/// Infinite Scroll and Jetpack use this form; only what a plain GET fetches is followed.
struct ScrollSettings {
    let next: Address?

    private static let keys = wordSet("path nextUrl next_url pageUrl loadMoreUrl")
    private static let marks = wordList("%d %25d {{#}} {page} {{page}} __page__ [page]")
    private static let maxVisits = 2_000

    init(_ document: Document, context: PageContext) {
        let scrolls = document.elements(.script).contains {
            $0.text(limit: 1 << 18).lowercased().includes("nfinite")
        }
        let values = scrolls ? ScriptLiterals(of: document).values : []
        next = ScrollSettings.template(in: values).flatMap {
            ScrollSettings.fill($0, context: context)
        }
    }

    private static func template(in values: [LooseValue]) -> String? {
        var open = values
        var visits = 0
        while let value = open.popLast(), visits < maxVisits {
            visits += 1
            for member in value.members {
                if keys.contains(member.key), let text = member.value.text,
                    marks.contains(where: text.contains)
                {
                    return text
                }
                open.append(member.value)
            }
            open += value.elements
        }
        return nil
    }

    private static func fill(_ template: String, context: PageContext) -> Address? {
        guard let place = marks.lazy.compactMap({ template.firstRange(of: $0) }).first else {
            return nil
        }
        let before = String(template[..<place.lowerBound])
        let after = String(template[place.upperBound...])
        guard let other = context.resolve(before + "2" + after),
            let base = context.resolve(before + "0" + after)
        else { return nil }
        // Resolved, what is before and after the number may be written differently.
        let prefix = String(zip(base.text, other.text).prefix { $0 == $1 }.map(\.0))
        let series = PageNumbers.Series(
            before: prefix, after: String(base.text.dropFirst(prefix.count + 1)))
        guard let own = series.value(in: context.address.text) else { return other }
        return context.resolve(before + "\(own + 1)" + after)
    }
}
