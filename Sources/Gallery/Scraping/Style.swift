import Basics
import Markup

/// The parts of inline styles that matter for pictures.
enum Style {
    static func hides(_ style: String) -> Bool {
        style.lowercased().filter { !$0.isWhitespace }.includes("display:none")
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
        content = content.trimming { $0 <= 0x20 }
        return content.isEmpty ? nil : String(utf8: content)
    }

    /// Returns the size at which a page shows an element, from `width` and `height` or an inline style; nil if not given in pixels.
    static func shownSize(of node: Int, _ tree: TreeReader) -> (width: Pixels?, height: Pixels?) {
        func side(_ name: Name, _ property: String) -> Pixels? {
            let value = tree.attribute(name, of: node)
            // Mostly a plain number.
            if let count = value?.plainNumber { return shown(count) }
            return value.flatMap { pixels(String(utf8: $0)) }
                ?? tree.attribute(.style, of: node).flatMap { style in
                    style.includes("px") ? pixels(property, in: String(utf8: style)) : nil
                }
        }
        return (side(.width, "width"), side(.height, "height"))
    }

    /// Returns the value of a property, such as `width: 120px`.
    private static func pixels(_ property: String, in style: String) -> Pixels? {
        for part in style.lowercased().split(separator: ";") {
            let pair = part.split(separator: ":", maxSplits: 1).map { Text.line($0) }
            if pair.count == 2, pair[0] == property, pair[1].hasSuffix("px") {
                return pixels(pair[1])
            }
        }
        return nil
    }

    /// Parses `120` or `120px`.
    private static func pixels(_ text: String) -> Pixels? {
        shown(Int(bounded: text.hasSuffix("px") ? text.dropLast(2) : text[...]))
    }

    /// Converts a length; an element of size zero is a tracker, like one of a single pixel.
    private static func shown(_ count: Int?) -> Pixels? {
        count.flatMap { $0 == 0 ? 1 : Pixels($0) }
    }
}
