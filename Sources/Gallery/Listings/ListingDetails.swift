import Markup

/// The date and size that stand behind a name in a listing.
struct ListingDetails {
    /// When the file changed, as ISO 8601 without a zone: servers do not tell theirs.
    private(set) var date: String?
    /// The file's size; what is given in K, M or G is rounded.
    private(set) var bytes: Int?

    init(after link: Node) {
        let words = ListingDetails.text(after: link).split(whereSeparator: \.isWhitespace)
        for (index, word) in words.enumerated().prefix(8) {
            if date == nil, Dates.iso(String(word)) != nil {
                let time = index + 1 < words.count ? " " + words[index + 1] : ""
                date = Dates.iso(word + time)
            } else if date != nil, bytes == nil, !word.contains(":") {
                bytes = ListingDetails.bytes(word)
            }
        }
    }

    /// In a `pre` what follows up to the next link; in a table the cells that follow.
    private static func text(after link: Node) -> String {
        if let row = link.ancestors.prefix(3).first(where: { $0.name == .tr }) {
            return row.children.filter { $0.name == .td && !$0.contains(link) }
                .map(\.textContent).joined(separator: " ")
        }
        guard let next = link.nextNode, next.isText else { return "" }
        return Text.line(next.text(limit: 200))
    }

    /// `1234`, `1.2K`, `3M`; nil for `-` and whatever else.
    private static func bytes(_ word: Substring) -> Int? {
        if let count = Int(word) { return count >= 0 ? count : nil }
        let units: [Character: Double] = ["k": 1024, "m": 1_048_576, "g": 1_073_741_824]
        guard let unit = word.lowercased().last.flatMap({ units[$0] }),
            let number = Double(word.dropLast()),
            number >= 0, number < 1_000_000
        else { return nil }
        return Int(number * unit)
    }
}
