import Markup

/// The markup by which pages hand pictures to a lightbox script: PhotoSwipe, Fancybox, Lightbox2, GLightbox, Magnific, Colorbox, lightGallery.
struct Lightbox {
    /// Whether the link is one.
    private(set) var isOne = false
    /// The size of the picture it opens, where told.
    var size: (width: Int, height: Int)? {
        guard let width, let height, width > 0, height > 0 else { return nil }
        return (width, height)
    }

    private var width: Int?
    private var height: Int?

    private static let classes = WordSet([
        "glightbox", "swipebox", "thickbox", "colorbox", "fancybox", "lightbox", "magnific",
        "mfp-image",
        "image-popup", "popup-image", "lightgallery", "lg-item", "chocolat-image", "venobox",
        "highslide", "spotlight",
    ])
    private static let attributes = NameSet([
        "data-fancybox", "data-lightbox", "data-pswp-width", "data-pswp-src", "data-pswp-height",
        "data-lg-size", "data-glightbox",
        "data-featherlight", "data-fslightbox", "data-gallery", "data-size", "data-fancybox-group",
        "data-lightbox-gallery",
    ])

    /// Reads what the link `anchor` says of itself.
    static func read(_ anchor: Int, _ view: PageView) -> Lightbox {
        var lightbox = Lightbox()
        for place in view.attributes(of: anchor) {
            lightbox.read(view.attributeName(at: place), view.value(at: place))
        }
        return lightbox
    }

    private mutating func read(_ name: Name, _ value: UnsafeBufferPointer<UInt8>) {
        switch name {
        case .class: isOne = isOne || Lightbox.classes.containsWord(of: value)
        case .rel:
            isOne =
                isOne
                || ["lightbox", "shadowbox", "prettyphoto"].contains {
                    String(decoding: value, as: UTF8.self).lowercased().hasPrefix($0)
                }
        case .itemprop: isOne = isOne || value.equals("contentUrl")
        case _ where Lightbox.attributes.contains(name):
            isOne = true
            readSize(name, String(decoding: value, as: UTF8.self))
        default: break
        }
    }

    private mutating func readSize(_ name: Name, _ value: String) {
        switch name {
        case .dataPswpWidth: width = Int(value)
        case .dataPswpHeight: height = Int(value)
        case .dataSize, .dataLgSize:
            let pair = value.split(separator: ",").last.map(Lightbox.pair)
            width = pair?.0 ?? width
            height = pair?.1 ?? height
        default: break
        }
    }

    /// `1600x1067` or `1600-1067`; a third number is the screen width that the pair is for.
    private static func pair(_ text: Substring) -> (Int?, Int?) {
        let sides = text.split { $0 == "x" || $0 == "-" || $0 == " " }.compactMap { Int($0) }
        return sides.count >= 2 ? (sides[0], sides[1]) : (nil, nil)
    }
}
