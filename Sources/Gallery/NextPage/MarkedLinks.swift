import Basics
import Markup

/// Links whose attributes may reveal where they lead, collected in one pass: nearly all links of a gallery have no such attributes.
struct MarkedLinks {
    /// Links whose `rel` suggests the next page or a parent page.
    private(set) var related: [Int] = []
    /// Links with a class that contains `more`.
    private(set) var more: [Int] = []
    /// Links with a class or label for the next page, on the link or its parent.
    private(set) var next: [Int] = []

    private static let relations: [StaticString] = ["next", "contents", "index", "up"]
    private static let sliders: [StaticString] = ["carousel", "slide", "swiper"]
    /// Classes that themes give the link to the next page.
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

    init(_ links: [Int], _ tree: TreeReader) {
        for link in links {
            if let relation = tree.attribute(.rel, of: link),
                MarkedLinks.relations.contains(where: relation.includes(ignoringCase:))
            {
                related.append(link)
            }
            let classes = tree.attribute(.class, of: link)
            let outer = tree.attribute(.class, of: tree.parent(of: link))
            if classes?.includes(ignoringCase: "more") ?? false { more.append(link) }
            let isNext =
                classes.map(MarkedLinks.own.containsWord) ?? false
                || outer.map(MarkedLinks.outer.containsWord) ?? false
                || MarkedLinks.isLabelled(link, tree)
            // A slider's arrow does not lead to another page.
            let isOfSlider = { (slider: StaticString) in
                classes?.includes(ignoringCase: slider) ?? false
            }
            if isNext, !MarkedLinks.sliders.contains(where: isOfSlider) { next.append(link) }
        }
    }

    private static func isLabelled(_ link: Int, _ tree: TreeReader) -> Bool {
        guard let label = tree.attribute(.ariaLabel, of: link), label.includes(ignoringCase: "next")
        else { return false }
        return ["next", "next page"].contains(Text.line(label).lowercased())
    }
}
