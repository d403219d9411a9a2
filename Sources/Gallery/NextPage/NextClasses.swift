import Markup

/// Classes by which themes mark the link to the next page.
enum NextClasses {
    private static let own = WordSet([
        "next", "next_page", "next-page", "nextpage", "pagination-next", "pagination__next",
        "page-next", "pager-next", "nextpostslink",
        "next-link", "pagination-link-next", "older-posts", "btn-next", "paging-next",
    ])
    private static let outer = WordSet([
        "next", "pagination-next", "pager-next", "page-next", "nav-previous", "next-page", "older",
        "pager__item--next", "nav-next-page",
        "pagination__next",
    ])

    /// Whether the link, or what is directly around it, is marked so.
    static func marks(_ link: Int, _ view: PageView) -> Bool {
        isMarked(link, view) && !isArrow(link, view)
    }

    /// A slider's arrow is no page.
    private static func isArrow(_ link: Int, _ view: PageView) -> Bool {
        let arrows: [StaticString] = ["carousel", "slide", "swiper"]
        guard let classes = view.attribute(.class, of: link) else { return false }
        return arrows.contains { classes.includes(ignoringCase: $0) }
    }

    private static func isMarked(_ link: Int, _ view: PageView) -> Bool {
        if let classes = view.attribute(.class, of: link) {
            if own.containsWord(of: classes) { return true }
            if classes.includes(ignoringCase: "next"), classes.includes(ignoringCase: "paginat") {
                return true
            }
        }
        if let label = view.attribute(.ariaLabel, of: link), label.includes(ignoringCase: "next"),
            ["next", "next page"].contains(Text.line(label).lowercased())
        {
            return true
        }
        return view.attribute(.class, of: view.parent(of: link)).map(outer.containsWord) ?? false
    }

    /// The link after the current page's number: `.current + a`, `li.active + li > a`, `[aria-current=page] + a`.
    static func afterCurrent(_ links: some Sequence<Node>) -> String? {
        for link in links {
            guard isNumber(link) else { continue }
            let place = link.parent.flatMap { $0.name == .li ? $0 : nil } ?? link
            guard let before = place.previousElement, isCurrent(before) else { continue }
            if let href = link.attribute(.href) { return href }
        }
        return nil
    }

    private static func isCurrent(_ node: Node) -> Bool {
        if node.attribute("aria-current") == "page" { return true }
        let names: Set<String> = [
            "current", "active", "selected", "current-page", "is-active", "is-current", "disabled",
        ]
        guard
            node.classes.contains(where: { names.contains($0.lowercased()) })
                || node.descendants.prefix(4).contains(where: {
                    !$0.isText && $0.attribute("aria-current") == "page"
                })
        else { return false }
        return isNumber(node)
    }

    /// Whether the text is the number of a page.
    private static func isNumber(_ node: Node) -> Bool {
        node.shortText(limit: 12).flatMap { Int($0) }.map { (1...9_999).contains($0) } ?? false
    }
}
