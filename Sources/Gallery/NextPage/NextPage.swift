import Basics
import Markup
import Network

/// Finds the next page by the most reliable sign available.
struct NextPage {
    let document: Document
    let context: PageContext
    let links: [Node]

    /// Returns the next page; nil if this is the last.
    ///
    /// - Parameter isDetail: whether the page shows one picture, so that `rel=next` means the next picture.
    func find(isDetail: @autoclosure () -> Bool) -> Address? {
        let related = document.elements(.link) + links.filter { $0.has(.rel) }
        // As on slide pages of static galleries.
        let contents: Set<Substring> = ["contents", "index", "up"]
        if related.contains(where: { !contents.isDisjoint(with: $0.relations) }), isDetail() {
            context.log?.next(
                "-", by: "slide page", "one picture and a link to its contents: no next page")
            return nil
        }
        let rules: [(name: String, references: () -> [String])] = [
            ("Link header", { LinkHeader.nextPages(in: context.headers) }),
            ("rel=next", { related.filter(namesNext).compactMap(target) }),
            ("class", { links.filter(isNext).compactMap(target) }),
            ("text", { (links + buttons).filter(saysNext).compactMap(target) }),
            ("page numbers", { links.filter(PageNumbers.follows).compactMap(target) }),
        ]
        for rule in rules {
            for reference in rule.references() {
                if let address = accepted(reference, by: rule.name) { return address }
            }
        }
        return nil
    }

    private func namesNext(_ link: Node) -> Bool {
        // With a title, a `<link>` is WordPress's to the next post, not to the next page.
        link.relations.contains("next")
            && (link.name == .a || !link.has(.title) || leadsFurther(link))
    }

    /// Whether a link leads to a further part of this page.
    private func leadsFurther(_ link: Node) -> Bool {
        context.resolve(link.attribute(.href)).map(isFurtherPart) ?? false
    }

    /// Classes that themes give the link to the next page, or the element around it.
    private static let own = WordSet(
        """
        next next_page next-page nextpage pagination-next pagination__next page-next pager-next
        nextpostslink next-link pagination-link-next older-posts btn-next paging-next
        """)
    private static let outer = WordSet(
        """
        next pagination-next pager-next page-next nav-previous next-page older pager__item--next
        nav-next-page pagination__next
        """)

    private func isNext(_ link: Node) -> Bool {
        // Without copying the attributes, since a page may have many links.
        document.read { tree in
            func hasClass(_ node: Int, _ fulfils: (Bytes) -> Bool) -> Bool {
                tree.attribute(.class, of: node).map(fulfils) ?? false
            }
            return hasClass(link.number, Self.own.containsWord)
                || hasClass(tree.parent(of: link.number), Self.outer.containsWord)
        }
    }

    /// Buttons that run a script.
    private var buttons: [Node] {
        document.name("onclick") == nil ? [] : document.elements(called: "input button")
    }

    /// Returns where a link leads, or the address in quotes in the script that it or a button runs: `onclick="openLink('3.html')"`.
    private func target(of node: Node) -> String? {
        let href = node.attribute(.href) ?? ""
        guard href.isEmpty || href == "#" || href.hasPrefix("javascript:") else { return href }
        return Self.quoted?.match(node.attribute("onclick") ?? href)
    }

    /// The first text in quotes that may be an address; those before are passed over in pairs of quotes.
    private static let quoted = try? Pattern(
        #"""
        (?xs) [^'\x22]*+ (?: ['\x22] [^'\x22]*+ ['\x22] [^'\x22]*+ )*?
        ['\x22] ([^'\x22]+ [.=/] [^'\x22]*) (?: ['\x22] .* )?
        """#)

    private func saysNext(_ link: Node) -> Bool {
        guard let meaning = NextWords.meaning(of: link), !link.relations.contains("prev") else {
            return false
        }
        return meaning == .next || leadsFurther(link)
    }

    private func accepted(_ reference: String, by rule: String) -> Address? {
        let isPart = reference.hasPrefix("#") || reference.hasSuffix("#comments")
        let address = isPart ? nil : context.resolve(reference)
        let objection = address.map(objection) ?? "no page"
        context.log?.next(address?.text ?? reference, by: rule, objection ?? "chosen")
        return objection == nil ? address : nil
    }

    /// Returns why an address cannot be the next page, which must be a different page of this site, and no picture; nil if it can.
    private func objection(to address: Address) -> String? {
        if address == context.address { return "this page" }
        if acts(address) { return "an action" }
        if PageSummary.site(address.host) != PageSummary.site(context.address.host) {
            return "other site"
        }
        if isArticle, !isContinuation(address) { return "another article" }
        return AddressHints(address).looksLikePicture ? "a picture" : nil
    }

    private static let actions = wordSet("vote rate rating stars logout delete cart")

    /// Whether an address asks the site to do something, as the links of a rating do.
    private func acts(_ address: Address) -> Bool {
        func parts(_ address: Address) -> [String] {
            address.text.split { "/?&=".contains($0) }.map(String.init)
        }
        return !NextPage.actions.subtracting(parts(context.address)).isDisjoint(
            with: parts(address))
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
        let other = path(of: address)
        if words(path(of: context.address)) == words(other) { return address != context.address }
        let number = other.split(separator: "/").last.flatMap { Int(bounded: $0) } ?? 0
        return number > 1 && isContinuation(address)
    }

    /// Returns an address up to its query, without the index file of a mirrored folder.
    private func path(of address: Address) -> Substring {
        let path = address.withoutQuery
        let folder = address.folder
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
}

/// Parses the `Link` header field (RFC 8288, section 3).
enum LinkHeader {
    static func nextPages(in headers: HeaderFields) -> [String] {
        headers.filter { $0.name == "link" }.flatMap { field in
            field.value.prefix(20_000).split(separator: "<").compactMap { link in
                let (target, parameters) = link.halves(at: ">")
                let relations = parameters.flatMap { FieldValue($0)["rel"]?.lowercased() } ?? ""
                let words = relations.split { $0.isWhitespace || $0 == "," }
                return words.contains("next") ? target : nil
            }
        }
    }
}
