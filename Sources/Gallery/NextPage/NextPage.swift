import Markup
import Network

/// Finds the page after this one, by the most reliable sign there is (SCRAPING 4.4).
struct NextPage {
    private let document: Document
    private let context: PageContext
    private let links: [Node]

    init(document: Document, context: PageContext, links: [Node]) {
        self.document = document
        self.context = context
        self.links = links
    }

    /// The next page; nil if this is the last.
    ///
    /// - Parameter isDetail: the page shows one picture, where `rel=next` means the next picture.
    func find(isDetail: Bool) -> Address? {
        if isDetail, hasContents { return nil }
        return header ?? byRelation ?? byWidget ?? byClass ?? byText
            ?? PageArithmetic(context: context, links: links).next
    }

    /// `Link: <…>; rel="next"` (RFC 8288).
    private var header: Address? {
        context.headers.lazy.filter { $0.name == "link" }
            .compactMap { LinkHeader.target(of: "next", in: $0.value) }
            .compactMap { accepted($0) }.first
    }

    private var byRelation: Address? {
        let elements = document.root.descendants.lazy.filter { $0.name == .link }
        return first(of: elements, where: isNext) ?? first(of: links, where: isNext)
    }

    private func isNext(_ node: Node) -> Bool { relations(of: node).contains("next") }

    private func relations(of node: Node) -> [Substring] {
        node.attribute(.rel)?.lowercased().split(whereSeparator: \.isWhitespace) ?? []
    }

    /// Slide pages of static galleries name the page they belong to.
    private var hasContents: Bool {
        document.root.descendants.contains { node in
            (node.name == .link || node.name == .a)
                && relations(of: node).contains { $0 == "contents" || $0 == "index" || $0 == "up" }
        }
    }

    private func first(of nodes: some Sequence<Node>, where condition: (Node) -> Bool) -> Address? {
        for node in nodes where condition(node) {
            if let href = node.attribute(.href), let address = accepted(href) { return address }
        }
        return nil
    }

    /// Buttons and boxes that scripts use to load more, as far as a plain GET does the same.
    private var byWidget: Address? {
        let names = [
            "data-next-url", "data-next-page", "data-infinite-scroll-url", "data-next-href",
            "hx-get",
        ]
        let numbers = names.filter { document.names.contains($0) }
        if !numbers.isEmpty {
            for node in document.root.descendants where !node.isText {
                for value in numbers.compactMap({ node.attribute($0) }) {
                    if let address = accepted(value) { return address }
                }
            }
        }
        let more: Set<String> = [
            "load-more", "loadmore", "load_more", "show-more", "view-more", "infinite-more-link",
        ]
        return first(of: links) { link in
            link.classes.contains { more.contains($0.lowercased()) }
        }
    }

    private var byClass: Address? {
        first(of: links, where: NextClasses.marks)
            ?? NextClasses.afterCurrent(links).flatMap { accepted($0) }
    }

    private var byText: Address? {
        // The pages of a gallery are linked below it; a "more" above it is a menu.
        first(of: links.reversed()) { link in
            NextWords.means(link) && !relations(of: link).contains("prev")
        }
    }

    /// Absolute, on this site, and another page than this one.
    private func accepted(_ reference: String) -> Address? {
        guard !reference.hasPrefix("#"), let address = context.resolve(reference),
            !address.isSamePage(as: context.address), site(address) == site(context.address),
            !AddressHints(address).looksLikePicture
        else { return nil }
        return address
    }

    private func site(_ address: Address) -> Substring {
        let host = address.host
        return host.hasPrefix("www.") ? host.dropFirst(4) : host[...]
    }
}
