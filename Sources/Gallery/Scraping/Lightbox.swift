import Basics
import Markup

/// Markup that passes pictures to a lightbox script: PhotoSwipe, Fancybox, Lightbox2, GLightbox, Magnific, Colorbox, lightGallery.
struct Lightbox {
    var isOne = false
    private var width: Pixels?
    private var height: Pixels?

    /// The size of the picture that it opens, if specified.
    var size: PictureSides? {
        guard let width, let height else { return nil }
        return (width, height)
    }

    private static let marks = Substrings(
        wordList(
            """
            lightbox swipebox thickbox colorbox fancybox magnific mfp-image image-popup popup-image
            lightgallery lg-item chocolat-image venobox highslide spotlight shadowbox prettyphoto
            """))
    private static let attributes = NameSet(
        """
        data-fancybox data-lightbox data-pswp-width data-pswp-src data-pswp-height data-lg-size
        data-glightbox data-featherlight data-fslightbox data-gallery data-size
        data-fancybox-group data-lightbox-gallery
        """)

    init(_ anchor: Int, _ tree: TreeReader) {
        for place in tree.attributes(of: anchor) {
            let name = tree.attributeName(at: place)
            let value = tree.value(at: place)
            isOne = isOne || Lightbox.attributes.contains(name)
            switch name {
            case .class, .rel: isOne = isOne || Lightbox.marks.occur(in: value)
            case .dataPswpWidth: width = value.pixels
            case .dataPswpHeight: height = value.pixels
            case .dataSize, .dataLgSize:
                // `1600x1067` or `1600-1067`, the last of several for different screen widths; a third number is that width.
                let size = String(utf8: value).split(separator: ",").last ?? ""
                let sides = size.split { "x- ".contains($0) }.compactMap {
                    Pixels($0)
                }
                if sides.count >= 2 {
                    width = sides[0]
                    height = sides[1]
                }
            default: break
            }
        }
    }
}
