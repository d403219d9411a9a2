import Markup

/// The root tag of an XML document, if it is SVG's.
struct SVGRoot {
    /// The attributes as written, by name; width, height and viewBox are used.
    private let attributes: [String: String]

    /// The valid lengths, such that no ratio or product of two overflows.
    private static let lengths = 0x1p-24...0x1p24
    /// Parses the root tag; nil unless it is `svg`, with any prefix.
    init?(_ bytes: some Collection<UInt8>) {
        guard let root = RootTag(bytes), root.isDrawing else { return nil }
        attributes = root.attributes
    }

    /// The header: a drawing has no pixels, so its longer side gets at least 2048, to be shown at any size, and at most 4096.
    var header: StoredHeader {
        let (width, height) = size
        let longer = max(width, height)
        let scale = min(max(longer, 2048), 4096) / longer
        return StoredHeader(
            width: max(1, Int((width * scale).rounded())),
            height: max(1, Int((height * scale).rounded())), isHeldWhole: true)
    }

    /// The document's size in CSS pixels; the browsers' default of 300 × 150 if unspecified.
    private var size: (width: Double, height: Double) {
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
        guard numbers.count == 4, numbers[2...].allSatisfy(Self.lengths.contains) else {
            return nil
        }
        return (numbers[2], numbers[3])
    }

    /// Parses a CSS length with a unit; nil for percentages.
    private static func pixels(_ text: String) -> Double? {
        let factors = [
            "": 1, "px": 1, "pt": 4.0 / 3, "pc": 16, "in": 96, "cm": 96 / 2.54, "mm": 9.6 / 2.54,
            "em": 16, "ex": 8,
        ]
        let text = text.filter { !$0.isWhitespace }
        let end = text.lastIndex { $0.isNumber || $0 == "." }.map(text.index(after:))
        guard let end, let factor = factors[String(text[end...])],
            let number = Double(text[..<end]), lengths.contains(number)
        else { return nil }
        return number * factor
    }
}
