import Markup

/// What an attribute says about a picture's whereabouts (names collected from lazy loaders and lightboxes in the wild).
enum AttributeRole: UInt8 {
    /// A small version, explicitly.
    case thumbnail
    /// `src`: the real thing, or the placeholder of a lazy one.
    case plain
    /// Where a lazy loader takes the real thing from.
    case lazy
    /// The same by a name that others use for pages too: counts only if it looks like a picture.
    case weak
    /// A version between thumbnail and full.
    case medium
    /// A large version.
    case large
    /// The full picture.
    case full
    /// Several versions, as `srcset` has it.
    case set
    /// Several versions with bare numbers for widths (lightGallery).
    case looseSet
    /// An inline style that may hold a background.
    case style
    /// A background picture: an address or `url(…)`.
    case background

    static let named: [String: AttributeRole] = {
        let lists: [(AttributeRole, [String])] = [
            (.plain, ["src", "poster"]),
            (
                .thumbnail,
                ["data-thumb", "data-thumbnail", "data-external-thumb-image", "data-thumb-src"]
            ),
            (
                .lazy,
                [
                    "data-src", "data-lazy-src", "data-lazy", "data-lazyload", "data-lazyload-src",
                    "data-original", "data-echo", "data-actualsrc", "data-defer-src", "data-isrc",
                    "data-ks-lazyload", "lazysrc", "data-img-src", "data-flickity-lazyload",
                    "data-lazy-original",
                ]
            ),
            (.weak, ["data-image", "data-imageurl", "data-url", "data-source", "_src", "file"]),
            (.medium, ["data-medium-file"]),
            (.large, ["data-large-file", "data-large", "data-large-src"]),
            (
                .full,
                [
                    "data-orig-file", "data-full", "data-full-url", "data-full-src",
                    "data-hi-res-src",
                    "data-zoom-image", "data-zoom-src", "data-large_image", "data-pswp-src",
                    "data-highres", "data-mfp-src", "data-hires", "data-fullsrc",
                    "data-download-url",
                    "real_src", "zoomfile", "data-big", "data-max-src",
                ]
            ),
            (
                .set,
                [
                    "srcset", "data-srcset", "data-lazy-srcset", "data-pswp-srcset",
                    "data-original-set", "data-bgset",
                ]
            ),
            (.looseSet, ["data-responsive"]),
            (.style, ["style", "data-style"]),
            (.background, ["data-bg", "data-background-image", "data-background", "data-bg-src"]),
        ]
        return Dictionary(
            uniqueKeysWithValues: lists.flatMap { role, names in names.map { ($0, role) } })
    }()

    /// The roles of a document's names, each at its name's number, so that an attribute costs one look.
    static func table(for document: Document) -> [AttributeRole?] {
        document.names.map { named[$0] }
    }
}
