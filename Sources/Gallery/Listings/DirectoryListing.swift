import Basics
import Markup
import Network

/// A web server's directory listing, as made by nginx, Apache, Python's `http.server` and similar servers.
struct DirectoryListing {
    private let document: Document
    private let context: PageContext

    init?(_ document: Document, context: PageContext) {
        self.document = document
        self.context = context
        guard isTitled || hasNothingButFiles else { return nil }
    }

    /// Whether nearly all link texts name entries of this very folder, for servers with unusual titles.
    private var hasNothingButFiles: Bool {
        guard context.address.isFolder, document.elements(.img).isEmpty else { return false }
        var named = 0
        var others = 0
        for link in document.elements(.a) {
            guard let address = target(of: link), address != context.address,
                link.attribute(.href)?.hasPrefix("../") != true
            else { continue }
            if isBelow(address), names(link, address) { named += 1 } else { others += 1 }
        }
        return named >= 2 && named >= others * 5
    }

    /// Returns where a link leads, unless it sorts the listing or stays on the page.
    private func target(of link: Node) -> Address? {
        link.attribute(.href).flatMap { href in
            href.hasPrefix("?") || href.hasPrefix("#") ? nil : context.resolve(href)
        }
    }

    /// Whether a link's text is the name of the file or folder that it leads to, complete or truncated.
    private func names(_ link: Node, _ address: Address) -> Bool {
        guard var text = link.shortText(limit: 1_000) else { return false }
        if text.hasSuffix("/") { text.removeLast() }
        let name = Self.name(of: address)
        return text == Text.line(name) || text.count >= 20 && name.hasPrefix(text.prefix(20))
    }

    func page() throws(PageError) -> Page {
        try Page(
            listing: document.elements(.a).lazy.compactMap(entry), title: document.title,
            address: context.address)
    }

    /// Whether its title is that of a listing, or a link in a `pre` leads to the folder above.
    private var isTitled: Bool {
        let marks = ["directory listing for", "directory listing of", "index of "]
        let titles = [document.root.first(.title), document.root.first(.h1)].compactMap {
            $0?.textContent.lowercased()
        }
        // A gallery may be called "Index of Wonders": the page must also have a `pre`, table or list, and no figures.
        if titles.contains(where: { marks.contains(where: $0.hasPrefix) }) {
            return !document.elements(called: "pre table ul").isEmpty
                && document.elements(called: "figure picture").isEmpty
        }
        return document.elements(called: "pre").first?.descendants
            .contains { $0.name == .a && $0.attribute(.href) == "../" } ?? false
    }

    private func entry(_ link: Node) -> Picture? {
        guard let address = target(of: link), isBelow(address) else { return nil }
        let details = Self.details(after: link)
        return Picture(
            entry: address, title: Self.name(of: address), date: details.date,
            byteCount: details.bytes, page: context.address)
    }

    /// Whether the address is below this folder, not above it or elsewhere.
    private func isBelow(_ address: Address) -> Bool {
        let own = context.base.folder
        return address.text.hasPrefix(own) && address.text.utf8.count > own.utf8.count
            && !address.text.includes("?")
    }

    /// Returns the name of a file, or of a folder, whose address ends with a slash.
    static func name(of address: Address) -> String {
        guard address.text.hasSuffix("/") else { return address.lastPathComponent }
        return Address(normal: String(address.text.dropLast()), pathStart: address.pathStart)
            .lastPathComponent
    }

    /// Returns the modification date in ISO 8601 without a time zone, which servers do not report, and the size in bytes; rounded if given
    /// in K, M or G.
    private static func details(after link: Node) -> (date: String?, bytes: Int?) {
        let words = text(after: link).split(whereSeparator: \.isWhitespace)
        guard let place = words.prefix(8).firstIndex(where: { Dates.iso(String($0)) != nil }) else {
            return (nil, nil)
        }
        let rest = words[place...].dropFirst()
        let date = Dates.iso(words[place] + " " + (rest.first ?? ""))
        let bytes = rest.prefix(7).lazy.filter { !$0.contains(":") }.compactMap { Int(bytes: $0) }
            .first
        return (date, bytes)
    }

    /// Returns the text up to the next link in a `pre`, or the other cells of a table row.
    private static func text(after link: Node) -> String {
        if let row = link.ancestors.prefix(3).first(where: { $0.tagName == "tr" }) {
            return row.children.filter { $0.tagName == "td" && !$0.contains(link) }
                .map(\.textContent).joined(separator: " ")
        }
        guard let next = link.nextNode, next.isText else { return "" }
        return Text.line(next.text(limit: 200))
    }
}
