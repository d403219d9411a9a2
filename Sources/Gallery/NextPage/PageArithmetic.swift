import Markup
import Network

/// The link whose address is this one's with its page number one higher.
///
/// Believed only if the page links to yet another number of the same series, as a row of page numbers does.
struct PageArithmetic {
    private let context: PageContext
    private let links: [Node]

    /// Numbers above this are years and identifiers (Pagetual's guard).
    private static let maxPage = 999

    init(context: PageContext, links: [Node]) {
        self.context = context
        self.links = links
    }

    /// The next page of the series that this page belongs to; page one often bears no number.
    var next: Address? {
        var numbers: [Series: [Int: Address]] = [:]
        for link in links.prefix(5_000) {
            guard let text = link.shortText(limit: 12), Int(text) != nil,
                let href = link.attribute(.href),
                let address = context.resolve(href), let place = PageArithmetic.place(in: address)
            else { continue }
            numbers[place.series, default: [:]][place.number] = address
        }
        let own = PageArithmetic.place(in: context.address)
        if let own, let row = numbers[own.series] {
            return row.count >= 2 ? row[own.number + 1] : nil
        }
        guard own == nil else { return nil }
        // This page bears no number: it is the first, and its own number is linked by nobody or by itself.
        let rows = numbers.filter {
            $0.value.count >= 2 && $0.value[2] != nil && $0.key.mayStart(at: context.address)
        }
        return rows.count == 1 ? rows.first?.value[2] : nil
    }

    /// An address with its page number taken out.
    struct Series: Hashable {
        var before: String
        var after: String

        /// Whether an address without a number may be the first of the series.
        func mayStart(at address: Address) -> Bool {
            let start = before.prefix { $0 != "?" }
            return address.text.hasPrefix(start)
                || start.hasPrefix(address.text.prefix { $0 != "?" })
        }
    }

    /// The page number of an address: `/page/2/`, `?page=2`, `?paged=2`, `?p=2`, `?pg=2`, `page2.html`, `index2.html`.
    static func place(in address: Address) -> (series: Series, number: Int)? {
        let text = address.text.lowercased()
        let marks = [
            "/page/", "?page=", "&page=", "?paged=", "&paged=", "?p=", "&p=", "?pg=", "&pg=",
            "/page", "/index", "/p",
        ]
        for mark in marks {
            guard let range = text.lastRange(of: mark) else { continue }
            let digits = text[range...].prefix(while: \.isNumber)
            guard let number = Int(digits), (1...maxPage).contains(number) else { continue }
            return (
                Series(before: String(text[..<range]), after: String(text[digits.endIndex...])),
                number
            )
        }
        return nil
    }
}

extension String {
    /// Where the last occurrence of `part` ends.
    fileprivate func lastRange(of part: String) -> Index? {
        var at = endIndex
        while at > startIndex {
            at = index(before: at)
            if self[at...].hasPrefix(part) { return index(at, offsetBy: part.count) }
        }
        return nil
    }
}
