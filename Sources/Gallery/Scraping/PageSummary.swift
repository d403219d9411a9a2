import Basics
import Markup
import Network

/// What is known of a page as a whole.
struct PageSummary {
    /// Its running text, if it is about one thing.
    let text: ArticleText?
    let related: RelatedParts
    /// Its title in lower case.
    let title: String
    /// Whether its title names a gallery.
    let isTitledGallery: Bool
    /// The hosts of its site: its own, and the one that most of its links lead to, since it may be a copy.
    private let hosts: [Substring]

    private static let galleries = Substrings(
        wordList("galler photo album portfolio picture image"))
    private static let maxLinks = 2_000
    private static let maxTitle = 300

    init(_ found: Assembler, preview: OpenGraph) {
        text = ArticleText(found, preview: preview)
        related = RelatedParts(found)
        var title = String(found.pageIndex.document.title.lowercased().prefix(Self.maxTitle))
        isTitledGallery = title.withUTF8(Self.galleries.occur)
        self.title = title
        let links = found.collector.links.prefix(Self.maxLinks)
        let linked = links.compactMap { link -> Substring? in
            guard let href = found.tree.attribute(.href, of: link), href.begins(with: "http") else {
                return nil
            }
            let host = href.split(separator: 0x2F, maxSplits: 2).dropFirst().first
            return Self.site(String(utf8: host ?? href[..<0]))
        }
        let named = linked.counts.max { ($0.value, $0.key) < ($1.value, $1.key) }
            .flatMap { 2 * $0.value > links.count && $0.value > 4 ? $0.key : nil }
        hosts = nonNil(Self.site(found.context.address.host), named)
    }

    /// Returns the end of a host's name that a site's hosts share: the last two labels, or three if the second is as short as `co`.
    static func site(_ host: String) -> Substring {
        let labels = host.split(separator: ".")
        let count = labels.count > 2 && labels[labels.count - 2].utf8.count < 4 ? 3 : 2
        return labels.suffix(count).first.map { host[$0.startIndex...] } ?? host[...]
    }

    func isOfSite(_ address: Address) -> Bool { hosts.contains(Self.site(address.host)) }
}
