import Basics
import Markup
import Network

/// Markup that passes pictures to a lightbox script: PhotoSwipe, Fancybox, Lightbox2, GLightbox, Magnific, Colorbox, lightGallery.
struct Lightbox {
    private var isMarked = false
    private var isNamed = false

    var isOne: Bool { isMarked || isNamed }
    /// Whether the only sign is microdata, which sometimes names the page about the picture.
    var isMicrodata: Bool { isNamed && !isMarked }
    private var width: Pixels?
    private var height: Pixels?

    /// The size of the picture that it opens, if specified.
    var size: (width: Pixels, height: Pixels)? {
        guard let width, let height else { return nil }
        return (width, height)
    }

    private static let classes = WordSet(
        """
        glightbox swipebox thickbox colorbox fancybox lightbox magnific mfp-image image-popup
        popup-image lightgallery lg-item chocolat-image venobox highslide spotlight
        """)
    private static let attributes = NameSet([
        "data-fancybox", "data-lightbox", "data-pswp-width", "data-pswp-src", "data-pswp-height",
        "data-lg-size", "data-glightbox", "data-featherlight", "data-fslightbox", "data-gallery",
        "data-size", "data-fancybox-group", "data-lightbox-gallery",
    ])

    init(_ anchor: Int, _ view: PageView) {
        for place in view.attributes(of: anchor) {
            read(view.attributeName(at: place), view.value(at: place))
        }
    }

    private mutating func read(_ name: Name, _ value: UnsafeBufferPointer<UInt8>) {
        switch name {
        case .class: isMarked = isMarked || Lightbox.classes.containsWord(of: value)
        case .rel:
            let relation = String(decoding: value, as: UTF8.self).lowercased()
            isMarked =
                isMarked
                || ["lightbox", "shadowbox", "prettyphoto"].contains(where: relation.hasPrefix)
        case .itemprop: isNamed = value.equals("contentUrl")
        case _ where Lightbox.attributes.contains(name):
            isMarked = true
            readSize(name, value)
        default: break
        }
    }

    private mutating func readSize(_ name: Name, _ value: UnsafeBufferPointer<UInt8>) {
        switch name {
        case .dataPswpWidth: width = value.plainNumber.flatMap { Pixels($0) }
        case .dataPswpHeight: height = value.plainNumber.flatMap { Pixels($0) }
        case .dataSize, .dataLgSize:
            // `1600x1067` or `1600-1067`, the last of several for different screen widths; a third number is that width.
            let size = String(decoding: value, as: UTF8.self).split(separator: ",").last ?? ""
            let sides = size.split { $0 == "x" || $0 == "-" || $0 == " " }.compactMap { Pixels($0) }
            if sides.count >= 2 { (width, height) = (sides[0], sides[1]) }
        default: break
        }
    }
}

/// Microdata with `itemtype=…/ImageObject` (https://html.spec.whatwg.org/#microdata), which assigns a `contentUrl` to a picture.
struct Microdata {
    private let context: PageContext
    private let scope: Name?

    /// Levels above a picture that are searched for its item.
    private static let maxLevels = 8
    private static let maxElements = 100

    init(_ document: Document, context: PageContext) {
        self.context = context
        scope = document.name("itemtype")
    }

    func enrich(_ candidate: inout Candidate, in findings: inout Findings) {
        guard let scope,
            let item = findings.document.node(candidate.node).ancestors
                .prefix(Microdata.maxLevels).first(where: { $0.has(scope) }),
            let type = item.attribute(scope),
            type.hasSuffix("ImageObject") || type.hasSuffix("Photograph")
        else { return }
        for node in item.descendants.prefix(Microdata.maxElements) where !node.isText {
            switch node.attribute(.itemprop) {
            case "contentUrl", "contentURL":
                guard let address = address(of: node),
                    AddressHints(address).looksLikePicture
                        || findings.found(of: candidate).contains(where: { found in
                            findings.address(found.address).host == address.host
                        })
                else { continue }
                let number = findings.addresses.insert(address)
                findings.add(Candidate.Found(address: number, role: .full), to: &candidate)
                candidate.isExplicit = true
            case "name", "caption", "caption description", "headline":
                let known = findings.captions[candidate.node]
                findings.captions[candidate.node] = known ?? caption(of: node)
            default: break
            }
        }
    }

    private func address(of node: Node) -> Address? {
        let text = node.attribute(.content) ?? node.attribute(.href) ?? node.attribute(.src)
        return text.flatMap { context.resolve($0) }.flatMap {
            AddressHints($0).couldBePicture ? $0 : nil
        }
    }

    private func caption(of node: Node) -> String? {
        let text = node.attribute(.content).map { Text.line($0) } ?? node.textContent
        return text.isEmpty || text.utf8.count > 300 ? nil : text
    }
}

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
            content = content.prefix { $0 != UInt8(ascii: ")") }
        }
        while let last = content.last, last <= 0x20 { content.removeLast() }
        return content.isEmpty ? nil : String(decoding: content, as: UTF8.self)
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
        let text = style.map { String(decoding: $0, as: UTF8.self) }
        return (side(width, "width", text), side(height, "height", text))
    }

    private static func side(
        _ attribute: UnsafeBufferPointer<UInt8>?, _ property: String, _ style: String?
    ) -> Pixels? {
        if let attribute {
            let value = String(decoding: attribute, as: UTF8.self)
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
