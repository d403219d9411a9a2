import Markup

/// The markup by which pages hand pictures to a lightbox script: PhotoSwipe, Fancybox, Lightbox2, GLightbox, Magnific, Colorbox, lightGallery.
struct Lightbox {
    /// Whether the link is one.
    let isOne: Bool
    /// The size of the picture it opens, where told.
    let size: (width: Int, height: Int)?

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
    private static let telling = NameSet(["class", "rel", "itemprop"]).union(attributes)

    /// Reads what `anchor` says of itself.
    static func read(_ anchor: Node) -> Lightbox {
        guard anchor.hasAttribute(in: telling) else { return Lightbox(isOne: false, size: nil) }
        var isOne = false
        var width: Int?
        var height: Int?
        anchor.forEachNamedAttribute(where: telling.contains) { name, value in
            switch name {
            case "class":
                isOne = isOne || anchor.hasClass(in: classes)
            case "rel":
                isOne =
                    isOne
                    || ["lightbox", "shadowbox", "prettyphoto"].contains {
                        value.lowercased().hasPrefix($0)
                    }
            case "itemprop": isOne = isOne || value == "contentUrl"
            default: isOne = isOne || Name.wellKnown(name).map(attributes.contains) ?? false
            }
            switch name {
            case "data-pswp-width": width = Int(value)
            case "data-pswp-height": height = Int(value)
            case "data-size", "data-lg-size":
                let pair = value.split(separator: ",").last.map(Lightbox.pair)
                width = pair?.0 ?? width
                height = pair?.1 ?? height
            default: break
            }
        }
        guard let width, let height, width > 0, height > 0 else {
            return Lightbox(isOne: isOne, size: nil)
        }
        return Lightbox(isOne: isOne, size: (width, height))
    }

    /// `1600x1067` or `1600-1067`; a third number is the screen width that the pair is for.
    private static func pair(_ text: Substring) -> (Int?, Int?) {
        let sides = text.split { $0 == "x" || $0 == "-" || $0 == " " }.compactMap { Int($0) }
        return sides.count >= 2 ? (sides[0], sides[1]) : (nil, nil)
    }
}
