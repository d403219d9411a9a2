import Markup

/// Words by which links lead on.
///
/// In a newest-first gallery "older" is the way forward.
enum NextWords {
    private static let words: Set<String> = [
        "next", "next page", "more", "load more", "show more", "view more", "more photos",
        "more pictures", "more images", "older",
        "older posts", "older entries", "older photos", "»", "›", "→", ">", ">>", "next »",
        "next ›", "next →",
        "next >", "next >>", "下一页", "下一頁", "下页", "后页", "次へ", "次の", "次のページ", "次", "다음", "다음 페이지",
        "далее",
        "вперед", "вперёд", "следующая", "следующая страница", "weiter", "nächste", "nächste seite",
        "vor", "suivant",
        "page suivante", "suivante", "siguiente", "página siguiente", "próxima", "próximo",
        "seguinte", "avanti",
        "successiva", "successivo", "pagina successiva", "volgende", "nästa", "næste", "neste",
        "seuraava", "następna",
        "dalej", "další", "następna strona", "ďalšia", "sonraki", "følgende", "következő",
        "الصفحة التالية", "التالي", "tiếp",
    ]

    private static let forward: Set<Unicode.Scalar> = ["»", "›", "→", ">"]

    /// Whether the whole text of a link, its arrows aside, is one of them.
    static func means(_ link: Node) -> Bool {
        // 25 characters of the longest scripts.
        guard let text = link.shortText(limit: 100)?.lowercased() else { return false }
        if text.isEmpty { return imageMeans(link) }
        if words.contains(text) { return true }
        guard text.unicodeScalars.contains(where: forward.contains) else { return false }
        let bare = String(
            String.UnicodeScalarView(text.unicodeScalars.filter { !forward.contains($0) }))
        return words.contains(Text.line(bare))
    }

    /// An arrow drawn as a picture speaks by its `alt`.
    private static func imageMeans(_ link: Node) -> Bool {
        guard let image = link.children.first(where: { $0.name == .img }),
            let alt = image.attribute(.alt)
        else { return false }
        return words.contains(Text.line(alt).lowercased())
    }
}
