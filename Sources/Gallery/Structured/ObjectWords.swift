import Basics
import Markup

/// The title, text and date that an object of a page's data gives.
struct ObjectWords {
    /// One line, not empty.
    let title: String?
    /// A longer text.
    let summary: String?
    /// As ISO 8601.
    let date: String?

    private static let titles = [
        "title", "name", "caption", "headline", "label", "alt", "alt_text", "altText", "imgalt",
        "description", "summary", "text", "desc",
    ]
    private static let summaries = ["description", "summary", "caption", "text", "desc", "excerpt"]
    private static let dates = [
        "date", "dateCreated", "date_taken", "dateTaken", "taken", "taken_at", "datetaken",
        "datePublished",
        "date_published", "uploadDate", "created_at", "createdAt", "published", "published_at",
        "created",
    ]

    init(_ object: LooseValue) {
        let title = ObjectWords.first(ObjectWords.titles, in: object, maxBytes: 300)
        self.title = title
        summary = ObjectWords.first(ObjectWords.summaries, in: object, maxBytes: 4_000).flatMap {
            $0 == title ? nil : $0
        }
        date = ObjectWords.dates.lazy.compactMap { object[$0]?.text }.compactMap(Dates.iso).first
    }

    private static func first(_ keys: [String], in object: LooseValue, maxBytes: Int) -> String? {
        for key in keys {
            // `{rendered: …}` and `{_content: …}` hold texts too.
            let value = object[key]
            guard let text = value?.text ?? value?["rendered"]?.text ?? value?["_content"]?.text,
                text.utf8.count <= maxBytes * 4
            else { continue }
            let line = Text.line(plain(text))
            if !line.isEmpty, line.utf8.count <= maxBytes { return line }
        }
        return nil
    }

    /// Texts in data are often markup.
    private static func plain(_ text: String) -> String {
        text.includes("<") || text.includes("&")
            ? Document(html: Array(text.utf8), charset: "utf-8").root.textContent : text
    }
}
