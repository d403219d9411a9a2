import Network

/// The words by which a picture's file is called, for telling whether two files are the same picture in two sizes.
struct NameWords {
    private var words: Set<String> = []
    private var numbers: Set<String> = []

    /// Say how large a version is, or what camera wrote it, and nothing of which picture it is.
    private static let empty: Set<String> = [
        "thumb", "thumbs", "thumbnail", "thumbnails", "small", "medium", "large", "full",
        "original", "orig",
        "preview", "scaled", "big", "web", "img", "image", "images", "dsc", "dscn", "dscf", "photo",
        "photos",
        "picture", "pictures", "media", "uploads", "files", "jpg", "jpeg", "png", "webp", "gif",
        "cache",
        "resize", "crop", "max", "min", "size", "sq", "square",
    ]

    /// The last two parts of the path: where every file is called `large.jpg`, its folder tells.
    init(_ address: Address) {
        let path = address.text.prefix { $0 != "?" }
        for part in path.split(separator: "/").dropFirst(2).suffix(2) {
            for word in part.lowercased().split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
                add(word)
            }
        }
    }

    private mutating func add(_ word: Substring) {
        if word.allSatisfy({ ("0"..."9").contains($0) }) {
            numbers.insert(String(word))
        } else if word.count > 1, !NameWords.empty.contains(String(word)), !NameWords.isSize(word) {
            words.insert(String(word))
        }
    }

    /// `640x480`, `w640`, `640px`, `2x`.
    private static func isSize(_ word: Substring) -> Bool {
        let letters = word.filter(\.isLetter)
        return word.contains(where: \.isNumber) && ["x", "w", "h", "px", "p"].contains(letters)
    }

    /// How sure it is that both are the same picture, from 0 to 1.
    ///
    /// Numbers decide where both have them: `harbour-12` and `harbour-13` differ in nothing else.
    func likeness(to other: NameWords) -> Double {
        if !numbers.isEmpty, !other.numbers.isEmpty, numbers.isDisjoint(with: other.numbers) {
            return 0
        }
        let own = words.union(numbers)
        let others = other.words.union(other.numbers)
        guard !own.isEmpty, !others.isEmpty else { return 0 }
        return Double(own.intersection(others).count) / Double(min(own.count, others.count))
    }
}
