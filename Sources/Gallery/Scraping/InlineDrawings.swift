import Basics
import Markup
import Network

/// The `<svg>` drawings in a page's markup, each as a document with its own address, including what it references with `<use>`.
///
/// A document contains no scripts, other pictures or external references, however it is opened after saving.
struct InlineDrawings {
    private let view: PageView
    private let document: Document
    /// The elements of all drawings, by their `id`.
    private var named: [String: Int] = [:]
    /// The remaining budget for addresses, in bytes.
    private var left = 4 << 20

    // The drawing being written.
    private var xml = ""
    private var isShown = false
    private var keepsClasses = false
    /// Referenced elements that are yet to be written, and all elements that are included so far.
    private var waiting: [Int] = []
    private var known: Set<Int> = []

    private static let maxBytes = 24 << 10
    private static let maxReferences = 60

    init(_ document: Document, view: PageView) {
        self.document = document
        self.view = view
        var end = 0
        for svg in document.elements(.svg) where svg.order >= end {
            end = view.end(of: svg.order)
            for node in svg.order..<end {
                guard let id = view.attribute(.id, of: node), named.count < 10_000 else { continue }
                let name = String(utf8: id)
                named[name] = named[name] ?? node
            }
        }
    }

    /// Returns the address of an `svg` element's drawing; nil if it shows nothing, like a symbol store, or is too large.
    mutating func address(of svg: Int) -> Address? {
        guard let text = text(of: svg), let address = Address(drawing: text),
            address.text.utf8.count <= left
        else { return nil }
        left -= address.text.utf8.count
        return address
    }

    /// Returns the drawing's name: that of the symbol it uses, else its own id.
    static func name(of svg: Node) -> String {
        let reference = svg.descendants.prefix(20).lazy.compactMap(reference).first
        let name = reference?.drop { $0 == "#" } ?? svg.attribute(.id)?[...] ?? ""
        var words = name.split { "-_ ".contains($0) }
        if words.count > 1, wordList("icon i svg symbol").contains(String(words[0])) {
            words.removeFirst()
        }
        return Text.line(words.joined(separator: " "))
    }
}

extension InlineDrawings {
    /// Writes a drawing with everything that it references; anything not known to be harmless is omitted.
    private mutating func text(of svg: Int) -> String? {
        let all = svg..<view.end(of: svg)
        (known, waiting, isShown) = (Set(all), [], false)
        keepsClasses = all.contains { view.name(of: $0) == .style }
        xml =
            "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink'"
            + attributes(ofRoot: svg) + ">"
        write(all.dropFirst())
        guard isShown else { return nil }
        while let next = waiting.popLast(), known.count - all.count <= Self.maxReferences {
            xml += "<defs>"
            write(next..<view.end(of: next))
            xml += "</defs>"
        }
        xml += "</svg>"
        return xml.utf8.count <= Self.maxBytes ? xml : nil
    }

    private mutating func write(_ nodes: Range<Int>) {
        var open: [(tag: String, end: Int)] = []
        var at = nodes.lowerBound
        func closed(to place: Int) -> String {
            var tags = ""
            while let last = open.last, last.end <= place { tags += "</\(open.removeLast().tag)>" }
            return tags
        }
        while at < nodes.upperBound, xml.utf8.count <= Self.maxBytes {
            xml += closed(to: at)
            if view.isText(at) {
                xml += Text.line(document.node(at).text(limit: Self.maxBytes)).escapedForMarkup
                at += 1
            } else if let tag = Self.tags[document.node(at).tagName], isHarmless(at) {
                isShown =
                    isShown
                    || Self.shown.contains(tag) && !open.contains { Self.stores.contains($0.tag) }
                        && (tag != "use" || target(of: at) != nil)
                xml += "<" + tag + attributes(of: at) + ">"
                open.append((tag, view.end(of: at)))
                at += 1
            } else {
                at = view.end(of: at)
            }
        }
        xml += closed(to: nodes.upperBound)
    }

    /// Whether the element is harmless; styles may reference files.
    private func isHarmless(_ node: Int) -> Bool {
        guard view.name(of: node) == .style else { return true }
        let text = document.node(node).text(limit: Self.maxBytes)
        return !text.includes("url(") && !text.includes("@") && !text.includes("\\")
    }
}

// Attributes.
extension InlineDrawings {
    private static let placement = wordSet("viewbox width height style x y")
    private static let invisible = wordSet("role tabindex focusable xmlns version title")

    /// Returns the root's attributes without position and size, since the same drawing at another size is the same picture.
    private mutating func attributes(ofRoot svg: Int) -> String {
        let uses = view.descendants(of: svg, limit: 20).compactMap { target(of: $0) }
        let boxes = ([svg] + uses).compactMap { document.node($0).attribute("viewbox") }
        guard let box = boxes.first else { return attributes(of: svg) { $0 != "style" } }
        return " viewBox='\(box.escapedForMarkup)'"
            + attributes(of: svg) { !Self.placement.contains($0) }
    }

    private mutating func attributes(
        of node: Int, where isWanted: (String) -> Bool = { _ in true }
    ) -> String {
        var text = ""
        for place in view.attributes(of: node) {
            let name = document.names[view.attributeName(at: place).number]
            let value = String(utf8: view.value(at: place))
            if name == "href" || name == "xlink:href" {
                guard let id = Self.fragment(value), refer(to: id) else { continue }
                text += " xlink:href='#\(id.escapedForMarkup)'"
            } else if isKept(name), isWanted(name), mayStand(value) {
                text += " \(Self.names[name] ?? name)='\(value.escapedForMarkup)'"
            }
        }
        return text
    }

    /// Whether an attribute may affect how a drawing looks.
    private func isKept(_ name: String) -> Bool {
        !name.hasPrefix("on") && !name.hasPrefix("data-") && !name.hasPrefix("aria-")
            && !Self.invisible.contains(name)
            && (name != "class" || keepsClasses)
            && name.isPlainName
    }

    /// Whether a value references only elements of the page.
    private mutating func mayStand(_ value: String) -> Bool {
        guard value.includes("(") else { return true }
        guard !value.includes("\\"), !value.includes("image") else { return false }
        var rest = value[...]
        while let mark = rest.firstRange(of: "url(") {
            rest = rest[mark.upperBound...]
            guard let id = Self.fragment(rest.prefix { $0 != ")" }), refer(to: id) else {
                return false
            }
        }
        return true
    }

    /// Returns `name` of `#name`, which may be quoted.
    private static func fragment(_ reference: some StringProtocol) -> String? {
        let text = String(reference).filter { !$0.isWhitespace && $0 != "\"" && $0 != "'" }
        return text.hasPrefix("#") ? String(text.dropFirst()) : nil
    }

    /// Returns what a `use` element references.
    private static func reference(of use: Node) -> String? {
        use.tagName == "use" ? use.attribute(.href) ?? use.attribute("xlink:href") : nil
    }

    private func target(of use: Int) -> Int? {
        Self.reference(of: document.node(use)).flatMap(Self.fragment).flatMap { named[$0] }
    }

    /// Records that an element is needed; returns false if there is none.
    private mutating func refer(to id: String) -> Bool {
        guard let node = named[id] else { return false }
        if known.insert(node).inserted { waiting.append(node) }
        return true
    }
}

// SVG's names by their lowercase spelling in HTML.
extension InlineDrawings {
    private static let tags: [String: String] = {
        var tags = written(
            """
            g defs symbol svg use path rect circle ellipse line polyline polygon text tspan textPath style switch
            linearGradient radialGradient stop clipPath mask pattern marker filter feGaussianBlur feOffset feBlend
            feFlood feComposite feMerge feMergeNode feColorMatrix feDropShadow feComponentTransfer feFuncA
            """)
        // A link's contents without the link.
        tags["a"] = "g"
        return tags
    }()
    private static let shown = wordSet(
        "use path rect circle ellipse line polyline polygon text")
    private static let stores = wordSet(
        "defs symbol clipPath mask pattern marker filter linearGradient radialGradient")
    private static let names = written(
        """
        viewBox preserveAspectRatio gradientUnits gradientTransform spreadMethod clipPathUnits maskUnits
        maskContentUnits patternUnits patternContentUnits patternTransform markerUnits markerWidth markerHeight
        refX refY stdDeviation filterUnits primitiveUnits startOffset textLength lengthAdjust pathLength tableValues
        """)

    private static func written(_ words: String) -> [String: String] {
        Dictionary(uniqueKeysWithValues: wordList(words).map { ($0.lowercased(), $0) })
    }
}

extension String {
    /// The text as it is written in XML and HTML, also in attributes between apostrophes.
    package var escapedForMarkup: String {
        var escaped = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case "'": escaped += "&#39;"
            case _ where scalar.value < 0x20 || scalar.value & 0xFFFE == 0xFFFE: escaped += " "
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
