/// The role of a picture's address, by its attribute (names collected from lazy loaders and lightboxes in the wild).
enum AttributeRole: UInt8 {
    /// An explicitly small version.
    case thumbnail
    /// `src`: the picture, or a lazily loaded picture's placeholder.
    case plain
    /// The picture's address for a lazy loader.
    case lazy
    /// A version between thumbnail and full.
    case medium
    /// A large version.
    case large
    /// The full picture.
    case full
    /// Several versions in the form of `srcset`.
    case set
    /// An inline style that may contain a background.
    case style
    /// A background picture, as an address or `url(…)`.
    case background

    static let named: [String: AttributeRole] = meanings([
        .plain: "src poster xlink:href data",
        .thumbnail: "data-thumb data-thumbnail data-external-thumb-image data-thumb-src",
        .lazy:
            """
        data-src data-lazy-src data-lazy data-lazyload data-lazyload-src data-original
        data-echo data-actualsrc data-defer-src data-isrc data-ks-lazyload lazysrc data-img-src
        data-flickity-lazyload data-lazy-original
        """,
        .medium: "data-medium-file",
        .large:
            """
        data-large-file data-large data-large-src data-hi-res data-retina data-2x
        data-src-retina data-at2x data-src2x
        """,
        .full:
            """
        data-orig-file data-full data-full-url data-full-src data-hi-res-src data-zoom-image
        data-zoom-src data-large_image data-pswp-src data-highres data-mfp-src data-hires
        data-fullsrc data-download-url real_src zoomfile data-big data-max-src
        """,
        .set:
            """
        srcset data-srcset data-lazy-srcset data-pswp-srcset data-original-set data-bgset
        data-responsive
        """,
        .style: "style data-style",
        .background: "data-bg data-background-image data-background data-bg-src",
    ])

    /// Derives the role of an unlisted attribute from the words of its name, like that of a data key: `data-full-image`, `data-href`.
    init?(wordsOf name: String) {
        guard name != "href" else { return nil }
        switch KeyRole(String(name.trimmingPrefix("data-"))) {
        case .thumbnail: self = .thumbnail
        case .medium: self = .medium
        case .plain, .link: self = .lazy
        case .large: self = .large
        case .full: self = .full
        case .foreign, nil: return nil
        }
    }
}

/// The meaning of an attribute's name for the collector.
struct AttributeUse {
    let role: AttributeRole?
    /// Whether the name is unknown, so that it counts only if the value looks like a picture.
    let isGuessed: Bool

    init(_ name: String) {
        let known = AttributeRole.named[name]
        role = known ?? AttributeRole(wordsOf: name)
        isGuessed = known == nil
    }
}
