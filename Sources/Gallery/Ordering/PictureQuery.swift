import Basics
import Markup
import Network

/// A query for finding and filtering pictures: terms separated by spaces, all of which must match.
///
/// A word matches in the title, file name or caption, or in the address if it has a slash; a word without capitals matches regardless of
/// case and diacritics. `w>=800`, `h<600`, `date>2024`, `.png` and `host:example` compare what they name; an unknown value never matches.
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
        case taken(Comparison, String)
        case sensitivity(Comparison, Int)
        case camera(FoldedText)
        case lens(FoldedText)
        /// A comparison with something else than a number or date, which nothing matches.
        case mistaken(String)

        var isWord: Bool {
            switch self {
            case .folded, .exact: true
            case .mistaken: false
            default: false
            }
        }
    }

    private enum Comparison: String, CaseIterable {
        // Longer operators first, for parsing.
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

    /// Parses what was typed; an unfinished comparison matches everything.
    public init(_ text: String) {
        terms = text.split(whereSeparator: \.isWhitespace).compactMap { Self.term(String($0)) }
    }

    /// What is wrong with a condition, in one line; nil if all are understood.
    public var mistake: String? {
        for case .mistaken(let word) in terms {
            let isDate = word.hasPrefix("date") || word.hasPrefix("taken")
            let number = word.hasPrefix("iso") ? "a number" : "pixels"
            let wanted = isDate ? "a date, as 2024-05" : "\(number), as 800"
            return "\(word): compare with \(wanted)"
        }
        return nil
    }

    /// Whether the query matches all pictures.
    public var isEmpty: Bool { terms.isEmpty }

    /// Whether the query compares sizes in pixels.
    var needsSizes: Bool {
        terms.contains {
            if case .width = $0 { true } else if case .height = $0 { true } else { false }
        }
    }

    /// Whether the query compares what a camera wrote into the files.
    var needsCamera: Bool {
        terms.contains {
            switch $0 {
            case .taken, .sensitivity, .camera, .lens: true
            default: false
            }
        }
    }

    private static func term(_ word: String) -> Term? {
        for (name, make) in comparisons where word.hasPrefix(name) {
            let rest = word.dropFirst(name.count)
            guard let comparison = Comparison.allCases.first(where: { rest.hasPrefix($0.rawValue) })
            else { continue }
            let value = String(rest.dropFirst(comparison.rawValue.count))
            return value.isEmpty ? nil : make(comparison, value) ?? .mistaken(word)
        }
        if word.hasPrefix("camera:") { return .camera(FoldedText(String(word.dropFirst(7)))) }
        if word.hasPrefix("lens:") { return .lens(FoldedText(String(word.dropFirst(5)))) }
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
            ("date", { $1.first?.isNumber == true ? .date($0, $1) : nil }),
            ("taken", { $1.first?.isNumber == true ? .taken($0, $1) : nil }),
            ("iso", { comparison, text in Int(text).map { .sensitivity(comparison, $0) } }),
            ("width", width), ("w", width), ("height", height), ("h", height),
        ]

    private static let width: @Sendable (Comparison, String) -> Term? = { comparison, text in
        Int(text).map { .width(comparison, $0) }
    }

    private static let height: @Sendable (Comparison, String) -> Term? = { comparison, text in
        Int(text).map { .height(comparison, $0) }
    }

    /// Returns the file type in lower case, with `jpeg` as `jpg`.
    private static func kind(_ suffix: some StringProtocol) -> String {
        suffix.lowercased().replacing("jpeg", with: "jpg")
    }

    /// Whether every picture that this query matches also matches `other`, for example when another letter was typed.
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

    /// Whether the picture at `place` matches; `scratch` is reusable storage.
    ///
    /// Words take about 0.1 µs; any other term unpacks the picture.
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
        case .mistaken: false
        case .inAddress(let text): FoldedText(picture.image.text).contains(text)
        case .host(let host): picture.image.host.lowercased().contains(host)
        case .type(let type):
            kind(picture.image.lastPathComponent.split(separator: ".").dropFirst().last ?? "")
                .hasPrefix(type)
        case .width(let comparison, let value):
            picture.knownSize.width.map { comparison.holds($0, value) } ?? false
        case .height(let comparison, let value):
            picture.knownSize.height.map { comparison.holds($0, value) } ?? false
        case .date(let comparison, let value): isDate(picture.date, comparison, value)
        case .taken(let comparison, let value): isDate(picture.camera?.taken, comparison, value)
        case .sensitivity(let comparison, let value):
            picture.camera?.sensitivity.map { comparison.holds($0, value) } ?? false
        case .camera(let text): picture.camera?.model.map { FoldedText($0).contains(text) } ?? false
        case .lens(let text): picture.camera?.lens.map { FoldedText($0).contains(text) } ?? false
        }
    }

    /// Compares a date as far as `value` was typed: 2024 means the whole year.
    private static func isDate(
        _ date: String?, _ comparison: Comparison, _ value: String
    ) -> Bool {
        date.map { comparison.holds(String($0.prefix(value.count)), value) } ?? false
    }
}

extension Picture {
    var pixelCount: Int? {
        let (width, height) = knownSize
        return width.flatMap { width in height.map { width * $0 } }
    }

    /// Whether nothing says how large the full picture is.
    public var isSizeUnknown: Bool { knownSize == (nil, nil) }

    /// The size in pixels of the full picture, or else the one that the page claims for the largest variant, as far as known.
    var knownSize: (width: Int?, height: Int?) {
        let largest = full ?? variants.last
        return ((width ?? largest?.width)?.count, (height ?? largest?.height)?.count)
    }
}

extension PictureList {
    /// Returns the first of `places` whose picture matches `query`.
    public func first(of places: some Sequence<Int>, holding query: PictureQuery) -> Int? {
        var scratch: [UInt8] = []
        return places.first { query.holds(at: $0, of: self, scratch: &scratch) }
    }

    /// Returns all `places` whose pictures match `query`.
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
