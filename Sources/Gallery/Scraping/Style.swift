import Basics
import Markup
import Network

/// The parts of inline styles that matter for pictures.
enum Style {
    static func hides(_ style: String) -> Bool {
        guard style.utf8.count >= 12, style.includes("none") else { return false }
        return style.lowercased().filter { !$0.isWhitespace }.includes("display:none")
    }

    static func url(in style: String) -> String? {
        let bytes = Array(style.utf8)
        guard let mark = bytes.firstRange(of: "url(".utf8) else { return nil }
        var content = bytes[mark.upperBound...].drop { $0 <= 0x20 }
        if let quote = content.first, quote == 0x22 || quote == 0x27 {
            content = content.dropFirst().prefix { $0 != quote }
        } else {
            content = content.prefix { $0 != ")" }
        }
        while let last = content.last, last <= 0x20 { content.removeLast() }
        return content.isEmpty ? nil : String(utf8: content)
    }

    /// Returns a length in pixels, such as `width: 120px`.
    private static func pixels(_ property: String, in style: String) -> Pixels? {
        for part in style.lowercased().split(separator: ";") {
            let pair = part.split(separator: ":", maxSplits: 1).map { Text.line($0) }
            if pair.count == 2, pair[0] == property, pair[1].hasSuffix("px") {
                return shown(Int(bounded: pair[1].dropLast(2)))
            }
        }
        return nil
    }

    /// Returns the size at which a page shows an element, from `width` and `height` or an inline style; nil if not given in pixels.
    static func shownSize(of node: Int, _ view: PageView) -> (width: Pixels?, height: Pixels?) {
        let (width, height) = (view.attribute(.width, of: node), view.attribute(.height, of: node))
        // Mostly plain numbers.
        if let width = shown(width?.plainNumber), let height = shown(height?.plainNumber) {
            return (width, height)
        }
        let style = view.attribute(.style, of: node).flatMap { $0.includes("px") ? $0 : nil }
        if width == nil, height == nil, style == nil { return (nil, nil) }
        let text = style.map { String(utf8: $0) }
        return (side(width, "width", text), side(height, "height", text))
    }

    private static func side(
        _ attribute: Bytes?, _ property: String, _ style: String?
    ) -> Pixels? {
        if let attribute {
            let value = String(utf8: attribute)
            let digits = value.hasSuffix("px") ? value.dropLast(2) : value[...]
            if let pixels = shown(Int(bounded: digits)) { return pixels }
        }
        return style.flatMap { pixels(property, in: $0) }
    }

    /// Converts a length; an element of size zero is a tracker, like one of a single pixel.
    private static func shown(_ count: Int?) -> Pixels? {
        count.flatMap { $0 == 0 ? 1 : Pixels($0) }
    }
}
