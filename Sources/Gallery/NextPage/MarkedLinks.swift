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

    init(_ links: [Int], _ view: PageView) {
        for link in links {
            if let relation = view.attribute(.rel, of: link),
                MarkedLinks.relations.contains(where: relation.includes(ignoringCase:))
            {
                related.append(link)
            }
            let classes = view.attribute(.class, of: link)
            let outer = view.attribute(.class, of: view.parent(of: link))
            if classes?.includes(ignoringCase: "more") ?? false { more.append(link) }
            let isNext =
                classes.map(MarkedLinks.own.containsWord) ?? false
                || outer.map(MarkedLinks.outer.containsWord) ?? false
                || MarkedLinks.isLabelled(link, view)
            // A slider's arrow does not lead to another page.
            let isOfSlider = { (slider: StaticString) in
                classes?.includes(ignoringCase: slider) ?? false
            }
            if isNext, !MarkedLinks.sliders.contains(where: isOfSlider) { next.append(link) }
        }
    }

    private static func isLabelled(_ link: Int, _ view: PageView) -> Bool {
        guard let label = view.attribute(.ariaLabel, of: link), label.includes(ignoringCase: "next")
        else { return false }
        return ["next", "next page"].contains(Text.line(label).lowercased())
    }
}

/// Link texts that lead to the next page.
///
/// In a newest-first gallery "older" is the way forward.
enum NextWords {
    private static let words = Set(
        phraseList(
            """
            next, next page, older, older posts, older entries, older photos, », ›, →, >, >>, next »,
            next ›, next →, next >, next >>, 下一页, 下一頁, 下页, 后页, 次へ, 次の, 次のページ, 次, 다음, 다음 페이지, далее,
            вперед, вперёд, следующая, следующая страница, weiter, nächste, nächste seite, vor, suivant,
            page suivante, suivante, siguiente, página siguiente, próxima, próximo, seguinte, avanti,
            successiva, successivo, pagina successiva, volgende, nästa, næste, neste, seuraava,
            następna, dalej, další, następna strona, ďalšia, sonraki, følgende, következő,
            الصفحة التالية, التالي, tiếp
            """))
    /// Words of links to further pages, but also of links to the subject of one part of the page.
    private static let vague = Set(
        phraseList(
            """
            more, load more, show more, view more, more photos, more pictures, more images
            """))
    /// In both directions, since "older" often has an arrow to the left.
    private static let arrows = "»›→>«‹←<"

    /// Whether the link is a double arrow after a single one, which leads to the last page.
    static func meansLast(_ link: Node) -> Bool {
        guard let text = link.shortText(limit: 8), text == ">>" || text == "»" else { return false }
        let place = link.parent.flatMap { $0.tagName == "li" ? $0 : nil } ?? link
        let before = place.previousElement?.shortText(limit: 8)
        return before == ">" || before == "›"
    }

    /// What a link promises: the next page, or more of something.
    enum Meaning { case next, more }

    /// Returns what a link's whole text means, arrows aside, if it is one of these words; for an arrow drawn as an image, what describes it.
    static func meaning(of link: Node) -> Meaning? {
        // 100 bytes are 25 characters of the longest scripts.
        guard let text = link.shortText(limit: 100) else { return nil }
        guard text.isEmpty else { return meaning(of: text) }
        let image = link.children.first { $0.name == .img }
        return [image?.attribute(.alt), image?.attribute(.title), link.attribute(.title)].lazy
            .compactMap { $0.flatMap { meaning(of: Text.line($0)) } }.first
    }

    private static func meaning(of text: String) -> Meaning? {
        let text = text.lowercased()
        if words.contains(text) { return .next }
        let bare = Text.line(text.filter { !arrows.contains($0) })
        return words.contains(bare) ? .next : vague.contains(bare) ? .more : nil
    }
}
