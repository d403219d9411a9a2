import Basics
import Markup
import Network

/// What pictures are found and filtered by: words with spaces between them, all of which must hold.
///
/// A word is in the title, the file's name or the caption, or with a slash in it in the address; one without capitals whatever
/// the case and diacritics there. `w>=800`, `h<600`, `date>2024`, `.png` and `host:example` ask for what they say: what is not
/// known of a picture does not hold.
public struct PictureQuery: Hashable, Sendable {
    private enum Term: Hashable {
        case folded(FoldedText)
        case exact([UInt8])
        case inAddress(FoldedText)
        case host(String)
        case type(String)
        case width(Comparison, Int)
        case height(Comparison, Int)
        case date(Comparison, String)

        var isWord: Bool {
            switch self {
            case .folded, .exact: true
            default: false
            }
        }
    }

    private enum Comparison: String, CaseIterable {
        // The longer ones first, for reading.
        case atLeast = ">="
        case atMost = "<="
        case more = ">"
        case less = "<"
        case equal = "="

        func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
            switch self {
            case .atLeast: left >= right
            case .atMost: left <= right
            case .more: left > right
            case .less: left < right
            case .equal: left == right
            }
        }
    }

    private let terms: [Term]

    /// Reads what was typed; a comparison that is not finished holds for all.
    public init(_ text: String) {
        terms = text.split(whereSeparator: \.isWhitespace).compactMap { Self.term(String($0)) }
    }

    /// Whether it holds for all pictures.
    public var isEmpty: Bool { terms.isEmpty }

    private static func term(_ word: String) -> Term? {
        for (name, make) in comparisons where word.hasPrefix(name) {
            let rest = word.dropFirst(name.count)
            guard let comparison = Comparison.allCases.first(where: { rest.hasPrefix($0.rawValue) })
            else { continue }
            let value = String(rest.dropFirst(comparison.rawValue.count))
            return value.isEmpty ? nil : make(comparison, value)
        }
        if word.hasPrefix("host:") { return .host(word.dropFirst(5).lowercased()) }
        if word.hasPrefix("."), word.dropFirst().allSatisfy({ $0.isLetter || $0.isNumber }) {
            return .type(kind(word.dropFirst()))
        }
        if word.contains("/") { return .inAddress(FoldedText(word)) }
        return word.contains(where: \.isUppercase)
            ? .exact(Array(word.utf8)) : .folded(FoldedText(word))
    }

    private static let comparisons:
        [(name: String, make: @Sendable (Comparison, String) -> Term?)] = [
            ("date", { .date($0, $1) }),
            ("w", { comparison, text in Int(text).map { .width(comparison, $0) } }),
            ("h", { comparison, text in Int(text).map { .height(comparison, $0) } }),
        ]

    /// The two spellings of one file type are the same.
    private static func kind(_ suffix: some StringProtocol) -> String {
        suffix.lowercased().replacing("jpeg", with: "jpg")
    }

    /// Whether all that it holds for is held by `other`, as when a word of it was typed further.
    func narrows(_ other: PictureQuery) -> Bool {
        other.terms.allSatisfy { old in
            terms.contains { new in
                switch (old, new) {
                case (.folded(let old), .folded(let new)): new.contains(old)
                case (.exact(let old), .exact(let new)): FoldedText.includes(new, old)
                default: old == new
                }
            }
        }
    }

    /// Whether it holds for the picture at `place`; `scratch` is only there to be used again.
    ///
    /// Words take about 0.1 µs, everything else unpacks the picture.
    func holds(at place: Int, of pictures: PictureList, scratch: inout [UInt8]) -> Bool {
        if terms.contains(where: \.isWord) {
            pictures.readWords(at: place, into: &scratch)
            for case .exact(let word) in terms where !FoldedText.includes(scratch, word) {
                return false
            }
            for case .folded(let word) in terms where !word.isIn(&scratch) { return false }
        }
        if terms.allSatisfy(\.isWord) { return true }
        let picture = pictures[place]
        return terms.allSatisfy { Self.holds($0, for: picture) }
    }

    private static func holds(_ term: Term, for picture: Picture) -> Bool {
        switch term {
        case .folded, .exact: true
        case .inAddress(let text): FoldedText(picture.image.text).contains(text)
        case .host(let host): picture.image.host.lowercased().contains(host)
        case .type(let type):
            kind(picture.image.lastPathComponent.split(separator: ".").dropFirst().last ?? "")
                .hasPrefix(type)
        case .width(let comparison, let value):
            picture.knownSize.width.map { comparison.holds($0, value) } ?? false
        case .height(let comparison, let value):
            picture.knownSize.height.map { comparison.holds($0, value) } ?? false
        case .date(let comparison, let value):
            // As far as it was typed: 2024 is the whole year.
            picture.date.map { comparison.holds(String($0.prefix(value.count)), value) } ?? false
        }
    }
}

extension Picture {
    var pixelCount: Int? {
        let (width, height) = knownSize
        return width.flatMap { width in height.map { width * $0 } }
    }

    /// The pixels of the full picture, or of the largest size offered, as far as they are known.
    var knownSize: (width: Int?, height: Int?) {
        let largest = full ?? variants.last
        return ((width ?? largest?.width)?.count, (height ?? largest?.height)?.count)
    }
}

extension PictureList {
    /// The first of `places` whose picture `query` holds for.
    public func first(of places: some Sequence<Int>, holding query: PictureQuery) -> Int? {
        var scratch: [UInt8] = []
        return places.first { query.holds(at: $0, of: self, scratch: &scratch) }
    }

    /// Those of `places` whose pictures `query` holds for.
    public func all(of places: some Sequence<Int>, holding query: PictureQuery) -> [UInt32] {
        var scratch: [UInt8] = []
        var found: [UInt32] = []
        for place in places
        where query.isEmpty || query.holds(at: place, of: self, scratch: &scratch) {
            found.append(UInt32(place))
        }
        return found
    }
}
