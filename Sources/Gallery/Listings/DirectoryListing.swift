import Markup
import Network

/// The list that a web server makes of a folder: nginx, Apache, Python's `http.server` and their like.
struct DirectoryListing {
    private let document: Document
    private let context: PageContext
    /// Every link.
    private var links: [Node] { document.elements(.a).filter { $0.has(.href) } }

    /// Nil if the page is none.
    init?(_ document: Document, context: PageContext) {
        self.document = document
        self.context = context
        guard DirectoryListing.isOne(document) || hasNothingButFiles else { return nil }
    }

    /// Whether nearly all links name, by their texts, what stands in this very folder: servers that call their lists otherwise.
    private var hasNothingButFiles: Bool {
        guard context.address.text.prefix(while: { $0 != "?" }).hasSuffix("/"),
            document.root.first(.img) == nil
        else { return false }
        var named = 0
        var others = 0
        for link in links {
            guard let href = link.attribute(.href), !href.isEmpty, !href.hasPrefix("?"),
                !href.hasPrefix("#"), !href.hasPrefix("../"), let address = context.resolve(href),
                !address.isSamePage(as: context.address)
            else { continue }
            if isBelow(address), names(link, address) { named += 1 } else { others += 1 }
        }
        return named >= 2 && named >= others * 5
    }

    /// Whether a link's text is the name of the file or folder that it leads to, in full or cut.
    private func names(_ link: Node, _ address: Address) -> Bool {
        guard var text = link.shortText(limit: 1_000) else { return false }
        if text.hasSuffix("/") { text.removeLast() }
        let name = address.text.hasSuffix("/") ? folderName(address) : address.lastPathComponent
        return text == Text.line(name) || text.count >= 20 && name.hasPrefix(text.prefix(20))
    }

    /// Its folders as albums, then its pictures, each in natural order.
    func page() throws(PageError) -> Page {
        let sorted = ListingOrder.sorted(links.compactMap(entry))
        guard !sorted.isEmpty else { throw .noPictures }
        return Page(address: context.address, title: PageTitle.of(document), pictures: sorted)
    }

    private static func isOne(_ document: Document) -> Bool {
        let marks = ["index of /", "directory listing for", "directory listing of", "index of "]
        let titles = [document.root.first(.title), document.root.first(.h1)].compactMap {
            $0?.textContent.lowercased()
        }
        // A gallery may be called "Index of Wonders": the list must also lead upwards, or come in a `pre`, table or list.
        if titles.contains(where: { title in marks.contains { title.hasPrefix($0) } }) {
            return document.root.descendants.contains {
                $0.name == .pre || $0.tagName == "table" || $0.tagName == "ul"
            } && !document.root.descendants.contains { $0.name == .figure || $0.name == .picture }
        }
        guard let pre = document.root.first(.pre) else { return false }
        return pre.descendants.contains { $0.name == .a && $0.attribute(.href) == "../" }
    }

    private func entry(_ link: Node) -> Picture? {
        guard let href = link.attribute(.href), !href.hasPrefix("?"), !href.hasPrefix("#"),
            let address = context.resolve(href), isBelow(address)
        else { return nil }
        let details = ListingDetails(after: link)
        if address.text.hasSuffix("/") {
            return Picture(
                variants: [Picture.Variant(address: address)], link: address, page: context.address,
                title: folderName(address), date: details.date, kind: .album)
        }
        guard AddressHints(address).looksLikePicture else { return nil }
        var picture = Picture(
            variants: [Picture.Variant(address: address)], page: context.address,
            title: Text.line(address.lastPathComponent), date: details.date,
            byteCount: details.bytes)
        picture.isFullKnown = true
        return picture
    }

    /// Whether it is an entry of this folder, and not a way up or elsewhere.
    private func isBelow(_ address: Address) -> Bool {
        let folder = context.base.text.prefix { $0 != "?" }
        let own = folder.lastIndex(of: "/").map { folder[...$0] } ?? folder
        return address.text.hasPrefix(own) && address.text.utf8.count > own.utf8.count
            && !address.text.includes("?")
    }

    private func folderName(_ address: Address) -> String {
        Address(String(address.text.dropLast())).map { Text.line($0.lastPathComponent) } ?? ""
    }
}
