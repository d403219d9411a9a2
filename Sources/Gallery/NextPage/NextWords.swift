import Basics
import Markup

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
