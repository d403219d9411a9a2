/// The first tag of an XML document, if that is SVG's.
struct SVGRoot {
    /// Width, height and viewBox as they are written, by name.
    private let attributes: [String: String]

    /// Comments and declarations in front of the first tag that are looked through.
    private static let mostBytes = 1 << 16

    /// Nil unless the document's first tag is `svg`.
    init?(_ bytes: some Collection<UInt8>) {
        var scanner = XMLScanner(Array(bytes.prefix(Self.mostBytes)))
        guard scanner.skipProlog(), let name = scanner.tagName(), name.local == "svg" else {
            return nil
        }
        attributes = scanner.attributes()
    }

    /// The sides of the document, in CSS pixels; browsers' 300 × 150 if it names none.
    var size: (width: Double, height: Double) {
        let box = viewBox
        let width = attributes["width"].flatMap(Self.pixels)
        let height = attributes["height"].flatMap(Self.pixels)
        switch (width, height, box) {
        case (let width?, let height?, _): return (width, height)
        case (let width?, nil, let box?): return (width, width * box.height / box.width)
        case (nil, let height?, let box?): return (height * box.width / box.height, height)
        case (nil, nil, let box?): return box
        default: return (width ?? 300, height ?? 150)
        }
    }

    private var viewBox: (width: Double, height: Double)? {
        let numbers = (attributes["viewBox"] ?? "")
            .split { $0 == "," || $0.isWhitespace }.compactMap { Double($0) }
        guard numbers.count == 4, numbers[2] > 0, numbers[3] > 0, numbers[2] < 1e9, numbers[3] < 1e9
        else { return nil }
        return (numbers[2], numbers[3])
    }

    /// A length with a unit of CSS; nil for shares of what is not known.
    private static func pixels(_ text: String) -> Double? {
        let units: [(String, Double)] = [
            ("px", 1), ("pt", 4.0 / 3), ("pc", 16), ("in", 96), ("cm", 96 / 2.54),
            ("mm", 9.6 / 2.54),
            ("em", 16), ("ex", 8), ("", 1),
        ]
        let text = text.trimmed
        guard let (unit, factor) = units.first(where: { text.hasSuffix($0.0) }),
            let number = Double(text.dropLast(unit.count).trimmed), number > 0, number < 1e9
        else { return nil }
        return number * factor
    }
}

extension StringProtocol {
    fileprivate var trimmed: Substring {
        let start = drop { $0.isWhitespace }
        guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return Substring(start[...end])
    }
}
