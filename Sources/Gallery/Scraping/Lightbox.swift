import Basics
import Markup
import Network

/// Markup that passes pictures to a lightbox script: PhotoSwipe, Fancybox, Lightbox2, GLightbox, Magnific, Colorbox, lightGallery.
struct Lightbox {
    private(set) var isOne = false
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
    private static let attributes = NameSet(
        """
        data-fancybox data-lightbox data-pswp-width data-pswp-src data-pswp-height data-lg-size
        data-glightbox data-featherlight data-fslightbox data-gallery data-size
        data-fancybox-group data-lightbox-gallery
        """)

    init(_ anchor: Int, _ tree: TreeReader) {
        for place in tree.attributes(of: anchor) {
            let (name, value) = (tree.attributeName(at: place), tree.value(at: place))
            isOne = isOne || Lightbox.attributes.contains(name)
            switch name {
            case .class: isOne = isOne || Lightbox.classes.containsWord(of: value)
            case .rel:
                let relation = String(utf8: value).lowercased()
                isOne =
                    isOne
                    || ["lightbox", "shadowbox", "prettyphoto"].contains(where: relation.hasPrefix)
            case .dataPswpWidth: width = value.plainNumber.flatMap { Pixels($0) }
            case .dataPswpHeight: height = value.plainNumber.flatMap { Pixels($0) }
            case .dataSize, .dataLgSize:
                // `1600x1067` or `1600-1067`, the last of several for different screen widths; a third number is that width.
                let size = String(utf8: value).split(separator: ",").last ?? ""
                let sides = size.split { $0 == "x" || $0 == "-" || $0 == " " }.compactMap {
                    Pixels($0)
                }
                if sides.count >= 2 { (width, height) = (sides[0], sides[1]) }
            default: break
            }
        }
    }
}

// Microdata with `itemtype=…/ImageObject` (https://html.spec.whatwg.org/#microdata), which assigns a `contentUrl` to a picture.
extension Assembler {
    /// Levels above a picture that are searched for its item, and elements of that.
    private static let (maxScope, maxElements) = (8, 100)

    mutating func adoptMicrodata(_ candidate: inout Candidate) {
        guard let scope,
            let item = sequence(first: pageIndex.node(candidate.node), next: \.parent)
                .prefix(Self.maxScope).first(where: { $0.has(scope) }),
            let type = item.attribute(scope),
            type.hasSuffix("ImageObject") || type.hasSuffix("Photograph")
        else { return }
        for node in item.descendants.prefix(Self.maxElements) where !node.isText {
            switch node.attribute(.itemprop) {
            case "contentUrl", "contentURL", "image":
                let text = node.attribute(.content) ?? node.attribute(.href) ?? node.attribute(.src)
                guard let address = context.resolve(text) else { continue }
                let number = pageIndex.addresses.insert(address)
                let hints = pageIndex.addresses.hints(of: number)
                guard
                    hints.looksLikePicture
                        || hints.couldBePicture && pageIndex.isSameHost(number, as: candidate)
                else { continue }
                pageIndex.add(full: number, to: &candidate)
                candidate.isExplicit = true
            case "name", "caption", "caption description", "headline":
                let text = node.attribute(.content).map { Text.line($0) } ?? node.textContent
                if pageIndex.captions[candidate.node] == nil, (1...300).contains(text.utf8.count) {
                    pageIndex.captions[candidate.node] = text
                }
            default: break
            }
        }
    }
}
