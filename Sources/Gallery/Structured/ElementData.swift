import Basics
import Markup

/// Pictures that only a page's scripts would make of its elements: `<div data-photo="/1.jpg" data-mini="/1s.jpg">`, lists of JSON in
/// an attribute, addresses in style sheets.
///
/// Names of attributes are anybody's invention, so they are read like the keys of objects.
struct ElementData {
    /// What `StateGallery` looks through: the elements as one list, then each list found in an attribute, then the style sheets.
    private(set) var values: [LooseValue] = []

    private static let maxElements = 100_000
    /// Bytes of style sheets that are looked at.
    private static let maxStyleBytes = 1 << 20
    private static let skipped: Set<String> = [
        "meta", "link", "script", "style", "base", "html", "body",
    ]

    init(of document: Document) {
        var elements: [LooseValue] = []
        var lists: [LooseValue] = []
        var styled: [LooseValue] = []
        var styleBytes = 0
        for node in document.root.descendants where !node.isText {
            if node.name == .style, styleBytes < ElementData.maxStyleBytes {
                let sheet = node.text(limit: ElementData.maxStyleBytes - styleBytes)
                styleBytes += sheet.utf8.count
                styled += ElementData.addresses(inStyle: sheet)
            }
            guard elements.count < ElementData.maxElements,
                !ElementData.skipped.contains(node.tagName)
            else { continue }
            read(node, into: &elements, &lists)
        }
        values = [.array(elements)] + lists + [.array(styled)]
    }

    private func read(
        _ node: Node, into elements: inout [LooseValue], _ lists: inout [LooseValue]
    ) {
        var members: [LooseValue.Member] = []
        var isPictured = false
        node.forEachNamedAttribute { name, value in
            guard !value.isEmpty, name != "class", name != "id", name != "style" else { return }
            if let first = value.utf8.first,
                first == UInt8(ascii: "[") || first == UInt8(ascii: "{"),
                let data = LooseParser.value(of: Array(value.utf8))
            {
                lists.append(data)
                return
            }
            // A link alone is a link.
            isPictured = isPictured || name != "href" && ElementData.looksLikePicture(value)
            let key = name.hasPrefix("data-") ? String(name.dropFirst(5)) : name
            members.append(LooseValue.Member(key: key, value: .text(value)))
        }
        guard isPictured else { return }
        if !members.contains(where: { $0.key == "title" || $0.key == "alt" || $0.key == "caption" }
        ),
            let text = node.shortText(limit: 200), !text.isEmpty
        {
            members.append(LooseValue.Member(key: "title", value: .text(text)))
        }
        elements.append(.object(members))
    }

    private static func looksLikePicture(_ value: String) -> Bool {
        guard value.utf8.count < 2_000, let point = value.lastIndex(of: ".") else { return false }
        let ending = value[value.index(after: point)...].prefix { $0 != "?" && $0 != "#" }
        return ["jpg", "jpeg", "png", "webp", "gif", "avif", "jxl"].contains(ending.lowercased())
    }

    /// What stands in `url(…)` of a style sheet.
    private static func addresses(inStyle sheet: String) -> [LooseValue] {
        sheet.split(separator: "}").compactMap { rule in
            Style.url(in: String(rule)).flatMap { looksLikePicture($0) ? .text($0) : nil }
        }
    }
}
