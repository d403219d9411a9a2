import Markup
import Network

/// Finds the page after this one, by the most reliable sign there is (SCRAPING 4.4).
struct NextPage {
    private let document: Document
    private let context: PageContext
    /// By their order.
    private let links: [Int]
    private let marked: MarkedLinks

    init(document: Document, context: PageContext, links: [Int]) {
        self.document = document
        self.context = context
        self.links = links
        marked = document.view { MarkedLinks(links, $0) } ?? MarkedLinks()
    }

    /// The next page; nil if this is the last.
    ///
    /// - Parameter isDetail: the page shows one picture, where `rel=next` means the next picture.
    func find(isDetail: @autoclosure () -> Bool) -> Address? {
        if hasContents, isDetail() {
            context.log?.next(
                "-", by: "slide page", "one picture and a link to its contents: no next page")
            return nil
        }
        let rules: [(name: String, find: () -> Address?)] = [
            ("Link header", { header }), ("rel=next", { byRelation }),
            ("load-more element", { byWidget }), ("class", { byClass }), ("text", { byText }),
            (
                "page numbers",
                {
                    PageNumbers(context: context, links: links.lazy.map(document.node)).next
                }
            ),
            ("script settings", { ScrollSettings(document, context: context).next }),
        ]
        for rule in rules {
            guard let address = rule.find().flatMap(checked) else { continue }
            context.log?.next(address.text, by: rule.name, "chosen")
            return address
        }
        return nil
    }

    /// `Link: <…>; rel="next"` (RFC 8288).
    private var header: Address? {
        context.headers.lazy.filter { $0.name == "link" }
            .compactMap { LinkHeader.target(of: "next", in: $0.value) }
            .compactMap { accepted($0, by: "Link header") }.first
    }

    private var byRelation: Address? {
        first(of: document.elements(.link), by: "rel=next", where: isNext)
            ?? first(of: marked.related.map(document.node), by: "rel=next", where: isNext)
    }

    private func isNext(_ node: Node) -> Bool { relations(of: node).contains("next") }

    private func relations(of node: Node) -> [Substring] {
        node.attribute(.rel)?.lowercased().split(whereSeparator: \.isWhitespace) ?? []
    }

    /// Slide pages of static galleries name the page they belong to.
    private var hasContents: Bool {
        document.elements(.link).contains(where: namesContents)
            || marked.related.lazy.map(document.node).contains(where: namesContents)
    }

    private func namesContents(_ node: Node) -> Bool {
        relations(of: node).contains { $0 == "contents" || $0 == "index" || $0 == "up" }
    }

    private func first(
        of nodes: some Sequence<Node>, by rule: String, where condition: (Node) -> Bool
    ) -> Address? {
        for node in nodes where condition(node) {
            if let href = node.attribute(.href), let address = accepted(href, by: rule) {
                return address
            }
        }
        return nil
    }

    /// Buttons and boxes that scripts use to load more, as far as a plain GET does the same.
    private var byWidget: Address? {
        let names = [
            "data-next-url", "data-next-page", "data-infinite-scroll-url", "data-next-href",
            "hx-get", "data-load-more-url", "data-url-next",
        ]
        let numbers = names.compactMap { document.name($0) }
        let hasFrames = document.name("turbo-frame") != nil
        if !numbers.isEmpty || hasFrames {
            for node in document.root.descendants where !node.isText {
                var values = numbers.compactMap { node.attribute($0) }
                // A frame that loads when it is scrolled to.
                if hasFrames, node.tagName == "turbo-frame", node.attribute("loading") == "lazy" {
                    values += [node.attribute(.src)].compactMap { $0 }
                }
                for value in values {
                    if let address = accepted(value, by: "load-more element") { return address }
                }
            }
        }
        let more: Set<String> = [
            "load-more", "loadmore", "load_more", "show-more", "view-more", "infinite-more-link",
        ]
        return first(of: marked.more.map(document.node), by: "load-more class") { link in
            link.classes.contains { more.contains($0.lowercased()) }
        }
    }

    private var byClass: Address? {
        first(of: marked.next.map(document.node), by: "class") { _ in true }
            ?? NextClasses.afterCurrent(links.lazy.map(document.node)).flatMap {
                accepted($0, by: "after the current number")
            }
    }

    private var byText: Address? {
        // The pages of a gallery are linked below it; a "more" above it is a menu.
        first(of: links.lazy.reversed().map(document.node), by: "text") { link in
            NextWords.means(link) && !relations(of: link).contains("prev")
        }
    }

    /// Absolute, on this site, and another page than this one.
    private func accepted(_ reference: String, by rule: String) -> Address? {
        guard !reference.hasPrefix("#"), let address = context.resolve(reference) else {
            context.log?.next(reference, by: rule, "no page")
            return nil
        }
        let reason =
            address.isSamePage(as: context.address)
            ? "this page"
            : site(address) != site(context.address)
                ? "other site"
                : AddressHints(address).looksLikePicture ? "a picture" : nil
        if let reason { context.log?.next(address.text, by: rule, reason) }
        return reason == nil ? address : nil
    }

    /// What every rule's find must be: a page on this site other than this one.
    private func checked(_ address: Address) -> Address? {
        !address.isSamePage(as: context.address) && site(address) == site(context.address)
            ? address : nil
    }

    private func site(_ address: Address) -> Substring {
        let host = address.host
        return host.hasPrefix("www.") ? host.dropFirst(4) : host[...]
    }
}
