import Basics
import Markup
import Network

/// Finds the next page by the most reliable sign available.
struct NextPage {
    private let document: Document
    private let context: PageContext
    private let links: [Int]
    private let marked: MarkedLinks

    init(document: Document, context: PageContext, links: [Int]) {
        self.document = document
        self.context = context
        self.links = links
        marked = document.read { MarkedLinks(links, $0) }
    }

    /// Returns the next page; nil if this is the last.
    ///
    /// - Parameter isDetail: whether the page shows one picture, so that `rel=next` means the next picture.
    func find(isDetail: @autoclosure () -> Bool) -> Address? {
        if hasContents, isDetail() {
            context.log?.next(
                "-", by: "slide page", "one picture and a link to its contents: no next page")
            return nil
        }
        let links = links.lazy.map(document.node)
        func targets(of nodes: some Sequence<Node>) -> any Sequence<String> {
            nodes.lazy.compactMap { $0.attribute(.href) }
        }
        let rules: [(name: String, references: () -> any Sequence<String>)] = [
            ("Link header", { LinkHeader.targets(of: "next", in: context.headers) }),
            ("rel=next", { targets(of: document.elements(.link).filter(namesNext)) }),
            ("rel=next", { targets(of: marked.related.map(document.node).filter(isNext)) }),
            ("load-more element", { widgets }),
            ("load-more class", { targets(of: marked.more.map(document.node).filter(loadsMore)) }),
            ("class", { targets(of: marked.next.lazy.map(document.node)) }),
            // Pagination links are below the gallery; a "more" above it is a menu.
            (
                "text",
                { targets(of: self.links.lazy.reversed().map(document.node).filter(saysNext)) }
            ),
            (
                "page numbers",
                { [PageNumbers.next(among: links, context: context)?.text].compactMap { $0 } }
            ),
        ]
        for rule in rules {
            for reference in rule.references() {
                guard let address = accepted(reference, by: rule.name) else { continue }
                context.log?.next(address.text, by: rule.name, "chosen")
                return address
            }
        }
        return nil
    }

    private func namesNext(_ link: Node) -> Bool {
        // With a title, it is WordPress's link to the next post, not to the next page.
        isNext(link) && (!link.has(.title) || leadsFurther(link))
    }

    private func isNext(_ node: Node) -> Bool { node.relations.contains("next") }

    /// Whether a link leads to a further part of this page.
    private func leadsFurther(_ link: Node) -> Bool {
        context.resolve(link.attribute(.href)).map(isFurtherPart) ?? false
    }

    /// Whether the page names its contents, as slide pages of static galleries do.
    private var hasContents: Bool {
        document.elements(.link).contains(where: namesContents)
            || marked.related.lazy.map(document.node).contains(where: namesContents)
    }

    private func namesContents(_ node: Node) -> Bool {
        node.relations.contains { $0 == "contents" || $0 == "index" || $0 == "up" }
    }

    private static let more = wordSet(
        "load-more loadmore load_more show-more view-more infinite-more-link")

    private func loadsMore(_ node: Node) -> Bool {
        node.classes.contains { NextPage.more.contains($0.lowercased()) }
    }

    /// The targets of buttons and boxes that scripts use to load more, if a plain GET does the same.
    private var widgets: [String] {
        let names = document.names(
            in:
                """
                data-next-url data-next-page data-infinite-scroll-url data-next-href hx-get
                data-load-more-url data-url-next
                """)
        let ofButtons = document.names(in: "data-url data-href")
        guard !names.isEmpty || !ofButtons.isEmpty else { return [] }
        return document.root.descendants.flatMap { node in
            let isMore = !ofButtons.isEmpty && loadsMore(node)
            return (names + (isMore ? ofButtons : []))
                .compactMap { node.attribute($0) }
        }
    }

    private func saysNext(_ link: Node) -> Bool {
        guard let meaning = NextWords.meaning(of: link), !NextWords.meansLast(link),
            !link.relations.contains("prev")
        else { return false }
        return meaning == .next || leadsFurther(link)
    }

    private func accepted(_ reference: String, by rule: String) -> Address? {
        guard !reference.hasPrefix("#"), !reference.hasSuffix("#comments"),
            let address = context.resolve(reference)
        else {
            context.log?.next(reference, by: rule, "no page")
            return nil
        }
        guard let objection = objection(to: address) else { return address }
        context.log?.next(address.text, by: rule, objection)
        return nil
    }

    /// Returns why an address cannot be the next page, which must be a different page of this site, and no picture; nil if it can.
    private func objection(to address: Address) -> String? {
        if address == context.address { return "this page" }
        if site(address) != site(context.address) { return "other site" }
        if isArticle, !isContinuation(address) { return "another article" }
        return AddressHints(address).looksLikePicture ? "a picture" : nil
    }

    /// Whether the page is one article of several, so that its "next" is the following article.
    private var isArticle: Bool {
        document.root.first(.body)?.classes.contains("single") ?? false
            // WordPress's links to the previous and next post; lists use `posts-navigation`.
            || document.elements(.nav).contains { $0.classes.contains("post-navigation") }
            || OpenGraph(of: document, context: context).type == "article"
    }

    /// Whether an address differs from this one only in its query or numbers, or extends it by a number: `/page/2/`, `-3.html`.
    private func isFurtherPart(_ address: Address) -> Bool {
        let (own, other) = (path(of: context.address), path(of: address))
        if own == other || words(own) == words(other) { return address != context.address }
        let number = other.split(separator: "/").last.flatMap { Int(bounded: $0) } ?? 0
        return number > 1 && isContinuation(address)
    }

    /// Returns an address up to its query, without the index file of a mirrored folder.
    private func path(of address: Address) -> Substring {
        let (path, folder) = (address.withoutQuery, address.folder)
        return path.dropFirst(folder.count).hasPrefix("index.") ? folder : path
    }

    private func words(_ text: Substring) -> String { text.filter { !$0.isNumber } }

    /// Whether an address differs from this one only in its numbers, extends it, or names a page of a list: `/trip/2/` after `/trip/`.
    private func isContinuation(_ address: Address) -> Bool {
        let parts = path(of: address).split(separator: "/").suffix(2)
        return address.text.hasPrefix(path(of: context.address))
            || parts.first == "page" && parts.last.flatMap { Int(bounded: $0) } != nil
            || words(address.text[...]) == words(context.address.text[...])
    }

    private func site(_ address: Address) -> Substring {
        let host = address.host
        return host.hasPrefix("www.") ? host.dropFirst(4) : host[...]
    }
}

/// Parses the `Link` header field (RFC 8288, section 3).
enum LinkHeader {
    static func targets(of relation: Substring, in headers: HeaderFields) -> [String] {
        headers.filter { $0.name == "link" }.flatMap { field in
            field.value.prefix(20_000).split(separator: "<").compactMap { link in
                let sides = link.split(separator: ">", maxSplits: 1).map(String.init)
                let relations = sides.count == 2 ? FieldValue(sides[1])["rel"]?.lowercased() : nil
                let words = relations?.split { $0.isWhitespace || $0 == "," } ?? []
                return words.contains(relation) ? sides[0] : nil
            }
        }
    }
}
