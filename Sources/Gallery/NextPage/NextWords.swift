import Markup

/// Texts of links and buttons that lead to the next page.
///
/// In a newest-first gallery "older" is the way forward.
enum NextWords {
    private static let next = wordSet(
        """
        next older weiter vor suivant suivante siguiente seguinte próxima próximo avanti nästa næste neste
        dalej další ďalšia sonraki følgende következő далее вперед вперёд tiếp 다음 次へ 次の 次 下一页 下一頁
        下页 后页 次のページ 次のページへ
        """)
    /// Beginnings of words that are inflected: `zur nächsten Seite`.
    private static let inflected = wordList(
        "nächst successiv volgend seuraav następn следующ التالي")
    /// What there is a next one of, beside the word for "next": `Go to next comic`.
    private static let things = wordSet(
        """
        page pages comic comics strip chapter episode issue entries posts photos pictures images items
        results seite bilder fotos página pagina páginas strona strony stránka strana страница страницу
        sayfa side sidan sida sivu oldal 페이지 الصفحة trang
        """)
    private static let arrows = wordSet("» › → > >>")
    /// Longer texts are sentences.
    private static let maxWords = 5
    /// Words of links to further pages, but also of links to the subject of one part of the page.
    private static let vague = Set(
        phraseList(
            """
            more, load more, show more, view more, more photos, more pictures, more images
            """))

    /// What a link promises: the next page, or more of something.
    enum Meaning { case next, more }

    /// Returns what a link's text or label means, or what describes the arrow drawn in it.
    static func meaning(of link: Node) -> Meaning? {
        // 100 bytes are 25 characters of the longest scripts.
        guard let text = link.shortText(limit: 100) else { return nil }
        let image = text.isEmpty ? link.first(.img) : nil
        return [
            text, link.attribute(.ariaLabel), image?.attribute(.alt), image?.attribute(.title),
            text.isEmpty ? link.attribute(.title) ?? link.attribute("value") : nil,
        ].lazy.compactMap { $0.flatMap(meaning) }.first
    }

    private static func meaning(of text: String) -> Meaning? {
        let words = text.lowercased().split { !$0.isLetter }.map(String.init)
        guard words.count <= maxWords else { return nil }
        if words.isEmpty {
            return arrows.contains(text) ? .next : nil
        }
        let isNext = words.map { word in
            next.contains(word) || inflected.contains(where: word.hasPrefix)
        }
        let isTold = words.indices.dropFirst().contains { place in
            isNext[place] && things.contains(words[place - 1])
                || isNext[place - 1] && things.contains(words[place])
        }
        if isTold || isNext == [true] { return .next }
        return vague.contains(words.joined(separator: " ")) ? .more : nil
    }
}
