import Markup

/// Inline styles, as far as pictures need them.
enum Style {
    /// The attribute.
    static let name = Name.styleAttribute

    /// Whether it takes the element off the page.
    static func hides(_ style: String) -> Bool {
        guard style.utf8.count >= 12, style.includes("none") else { return false }
        let compact = style.lowercased().filter { !$0.isWhitespace }
        return compact.includes("display:none")
    }

    /// What stands in the first `url(…)`.
    static func url(in style: String) -> String? {
        let bytes = Array(style.utf8)
        let mark = Array("url(".utf8)
        guard bytes.count > mark.count else { return nil }
        let start = (0...bytes.count - mark.count).first {
            bytes[$0..<$0 + mark.count].elementsEqual(mark)
        }
        guard let start else { return nil }
        var content = bytes[(start + mark.count)...].drop { $0 <= 0x20 }
        if let quote = content.first, quote == 0x22 || quote == 0x27 {
            content = content.dropFirst().prefix { $0 != quote }
        } else {
            content = content.prefix { $0 != UInt8(ascii: ")") }
        }
        while let last = content.last, last <= 0x20 { content.removeLast() }
        return content.isEmpty ? nil : String(decoding: content, as: UTF8.self)
    }

    /// A length in pixels, as `width: 120px`.
    static func pixels(_ property: String, in style: String) -> Int? {
        for part in style.lowercased().split(separator: ";") {
            let pair = part.split(separator: ":", maxSplits: 1).map { Text.line($0) }
            if pair.count == 2, pair[0] == property, pair[1].hasSuffix("px") {
                return Int(pair[1].dropLast(2))
            }
        }
        return nil
    }
}

/// The size at which a page shows a picture.
enum ShownSize {
    /// From `width` and `height`, or an inline style; nil where it does not say, or not in pixels.
    static func of(_ node: Int, _ view: PageView) -> (width: Int?, height: Int?) {
        let width = view.attribute(.width, of: node)
        let height = view.attribute(.height, of: node)
        let style = view.attribute(Style.name, of: node)
        if width == nil, height == nil, !(style?.includes("px") ?? false) { return (nil, nil) }
        // Plain numbers, as they mostly are.
        if let width = width?.plainNumber, let height = height?.plainNumber, width <= 100_000,
            height <= 100_000
        {
            return (width, height)
        }
        let text = style.map { String(decoding: $0, as: UTF8.self) }
        return (side(width, "width", text), side(height, "height", text))
    }

    private static func side(
        _ attribute: UnsafeBufferPointer<UInt8>?, _ property: String, _ style: String?
    ) -> Int? {
        if let attribute {
            let value = String(decoding: attribute, as: UTF8.self)
            let digits = value.hasSuffix("px") ? value.dropLast(2) : value[...]
            if let pixels = Int(digits), (0...100_000).contains(pixels) { return pixels }
        }
        return style.flatMap { Style.pixels(property, in: $0) }
    }
}
