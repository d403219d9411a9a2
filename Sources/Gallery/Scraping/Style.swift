import Basics
import Markup

/// The parts of inline styles that matter for pictures.
enum Style {
    static let hiding = try? Pattern(#"(?s).*display\s*:\s*none.*"#)

    static func url(in style: String) -> String? { located?.match(style) }

    private static let located = try? Pattern(
        #"(?s).*?url\([\0- ]*+(?|\x22([^\x22]++)|'([^']++)|([^'\x22)][^)]*+)).*"#)

    /// Returns the size at which a page shows an element, from `width` and `height` or an inline style; nil if not given in pixels.
    static func shownSize(of node: Int, _ tree: TreeReader) -> KnownSides {
        func side(_ name: Name, _ property: String) -> Pixels? {
            let value = tree.attribute(name, of: node)
            // Mostly a plain number.
            if let count = value?.plainNumber { return shown(count) }
            if let side = value.flatMap({ pixels(String(utf8: $0)) }) { return side }
            guard let style = tree.attribute(.style, of: node), style.includes("px") else {
                return nil
            }
            let declarations = String(utf8: style).lowercased().split(separator: ";").map {
                $0.split(separator: ":").map { Text.line(String($0)) }
            }
            let declared = declarations.first { $0.count == 2 && $0[0] == property }?[1]
            return declared.flatMap { $0.hasSuffix("px") ? pixels($0) : nil }
        }
        return (side(.width, "width"), side(.height, "height"))
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
