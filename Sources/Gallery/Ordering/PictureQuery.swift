import Basics
import Network

/// A query for finding and filtering pictures: terms separated by spaces, all of which must match.
///
/// A word matches in the title, file name or caption, or in the address if it has a slash; a word without capitals matches regardless of
/// case and diacritics. `w>=800`, `h<600`, `date>2024`, `.png` and `host:example` compare what they name; an unknown value never matches.
/// `is:new` matches what is new in a followed gallery.
public struct PictureQuery: Hashable, Sendable {
    private enum Term: Hashable {
        case folded(FoldedText)
        case exact([UInt8])
        case type(String)
        case number(Field, Comparison, Int)
        case date(Field, Comparison, String)
        case text(Field, FoldedText)
        /// A condition that cannot be meant, which nothing matches; the reason is one line.
        case mistaken(String)

        var isWord: Bool {
            switch self {
            case .folded, .exact: true
            default: false
            }
        }

        var field: Field? {
            switch self {
            case .number(let field, _, _), .date(let field, _, _), .text(let field, _): field
            default: nil
            }
        }
    }

    /// What a condition compares.
    private enum Field: String {
        case width, height, size, iso, rating, date, taken, camera, lens, host, have
        case state = "is"
        case address = "/"

        /// Conditions on it: an example, or all that there are.
        var conditions: [String] {
            switch self {
            case .rating: ["rating>=3"]
            case .date, .taken: ["\(rawValue)>2024-05"]
            case .camera, .lens, .host, .address: ["\(rawValue):x100"]
            case .have: ["have:yes", "have:no", "have:smaller"]
            case .state: ["is:new", "is:video"]
            default: ["\(rawValue)>=800"]
            }
        }

        func number(of picture: Picture) -> Int? {
            switch self {
            case .width: picture.knownSize.width
            case .height: picture.knownSize.height
            case .size: picture.byteCount
            case .rating: picture.camera?.rating
            default: picture.camera?.sensitivity
            }
        }

        func text(of picture: Picture) -> String? {
            switch self {
            case .date: picture.date
            case .taken: picture.camera?.taken
            case .camera: picture.camera?.model
            case .host: picture.image.host
            case .address: picture.image.text
            case .state: (picture.isNew ? "new " : "") + (picture.largest.videoType ?? "")
            case .have: picture.twin.map { $0.isSmaller ? "yes smaller" : "yes" } ?? "no"
            default: picture.camera?.lens
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
        /// For words rather than numbers and dates.
        case within = ":"

        func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
            switch self {
            case .atLeast: left >= right
            case .atMost: left <= right
            case .more: left > right
            case .less: left < right
            case .equal, .within: left == right
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
        for case .mistaken(let reason) in terms { return reason }
        return nil
    }

    /// Whether the query compares sizes in pixels.
    var needsSizes: Bool { compares([.width, .height]) }

    /// Whether the query compares what cameras and people wrote into the files.
    var needsCamera: Bool {
        compares([.taken, .iso, .rating, .camera, .lens])
            || terms.contains(where: \.isWord)
    }

    private func compares(_ fields: Set<Field>) -> Bool {
        terms.contains { $0.field.map(fields.contains) ?? false }
    }

    private static func term(_ word: String) -> Term? {
        let name = String(word.prefix(while: \.isLetter))
        let rest = word.dropFirst(name.count)
        if let field = Field(rawValue: ["w": "width", "h": "height"][name] ?? name),
            let comparison = Comparison.allCases.first(where: { rest.hasPrefix($0.rawValue) })
        {
            let value = String(rest.dropFirst(comparison.rawValue.count))
            if value.isEmpty { return nil }
            let conditions = field.conditions
            let term: Term? =
                switch field {
                case .date, .taken:
                    value.first?.isNumber == true ? .date(field, comparison, value) : nil
                case .have, .state:
                    conditions.contains { $0.hasPrefix(word) }
                        ? .text(field, FoldedText(value)) : nil
                case .camera, .lens, .host, .address: .text(field, FoldedText(value))
                default: Int(bytes: value).map { .number(field, comparison, $0) }
                }
            let isMeant = (comparison == .within) == conditions[0].contains(":")
            if isMeant, let term { return term }
            return .mistaken("\(word): as \(conditions.joined(separator: " or "))")
        }
        if word.hasPrefix("."), word.dropFirst().allSatisfy(\.isAlphanumeric) {
            return .type(kind(word.dropFirst()))
        }
        if word.contains("/") { return .text(.address, FoldedText(word)) }
        return word.contains(where: \.isUppercase)
            ? .exact(word.bytes) : .folded(FoldedText(word))
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

    /// Whether `picture` matches; `scratch` is reusable storage.
    ///
    /// Takes about 0.2 µs.
    func holds(for picture: Picture, scratch: inout [UInt8]) -> Bool {
        if terms.contains(where: \.isWord) {
            picture.readWords(into: &scratch)
            for case .exact(let word) in terms where !FoldedText.includes(scratch, word) {
                return false
            }
            for case .folded(let word) in terms where !word.isIn(&scratch) { return false }
        }
        return terms.allSatisfy { Self.holds($0, for: picture) }
    }

    private static func holds(_ term: Term, for picture: Picture) -> Bool {
        switch term {
        case .folded, .exact: true
        case .mistaken: false
        case .type(let type):
            kind(picture.image.lastPathComponent.ending).hasPrefix(type)
        case .number(let field, let comparison, let value):
            field.number(of: picture).map { comparison.holds($0, value) } ?? false
        // A date is compared as far as it was typed: 2024 means the whole year.
        case .date(let field, let comparison, let value):
            field.text(of: picture).map { comparison.holds(String($0.prefix(value.count)), value) }
                ?? false
        case .text(let field, let part):
            field.text(of: picture).map { FoldedText($0).contains(part) } ?? false
        }
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
        let largest = full ?? lastVariant
        return ((width ?? largest.width)?.count, (height ?? largest.height)?.count)
    }
}

extension PictureList {
    /// Returns the first of `indices` whose picture matches `query`.
    public func first(of indices: some Sequence<Int>, holding query: PictureQuery) -> Int? {
        var scratch: [UInt8] = []
        return indices.first { query.holds(for: self[$0], scratch: &scratch) }
    }

    /// Returns all `indices` whose pictures match `query`.
    public func all(of indices: some Sequence<Int>, holding query: PictureQuery) -> [UInt32] {
        var scratch: [UInt8] = []
        return indices.filter { query.holds(for: self[$0], scratch: &scratch) }.map(UInt32.init)
    }
}
