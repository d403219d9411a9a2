import Markup

extension StoredHeader {
    /// The valid lengths, such that no ratio or product of two overflows.
    private static let lengths = 0x1p-24...0x1p24

    /// Reads the size of an SVG from its root tag; nil if that is another's.
    ///
    /// A drawing has no pixels, so its longer side gets at least 2048, to be shown at any size, and at most 4096.
    init?(svg file: FileBytes) {
        guard let root = Document.drawing(file) else { return nil }
        let (width, height) = Self.size(of: root)
        let longer = max(width, height)
        let scale = min(max(longer, 2048), 4096) / longer
        self.init(
            width: max(1, Int((width * scale).rounded())),
            height: max(1, Int((height * scale).rounded())))
    }

    /// Returns the size in CSS pixels; the browsers' default of 300 × 150 if unspecified.
    private static func size(of root: Node) -> (width: Double, height: Double) {
        let box = (root.attribute("viewBox") ?? "")
            .split { $0 == "," || $0.isWhitespace }.compactMap { Double($0) }
        let width = root.attribute("width").flatMap(pixels)
        let height = root.attribute("height").flatMap(pixels)
        guard box.count == 4, box[2...].allSatisfy(lengths.contains) else {
            return (width ?? 300, height ?? 150)
        }
        return (
            width ?? height.map { $0 * box[2] / box[3] } ?? box[2],
            height ?? width.map { $0 * box[3] / box[2] } ?? box[3]
        )
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
