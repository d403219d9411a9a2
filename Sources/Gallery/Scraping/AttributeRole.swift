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
            (
                .weak,
                [
                    "data-image", "data-imageurl", "data-url", "data-source", "_src", "file",
                    "full",
                    "image", "large", "big", "photo", "picture",
                ]
            ),
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
}

/// What the names of one document's attributes mean for the collector: an attribute costs one look.
struct AttributeTable {
    /// What an attribute is looked at for.
    struct Use {
        fileprivate var bits: UInt8 = 0
        /// Whether it may say what part of the page the element is.
        var placesElement: Bool { bits & 0x80 != 0 }
        /// What it says about a picture's whereabouts.
        var role: AttributeRole? {
            bits & 0x7F == 0 ? nil : AttributeRole(rawValue: (bits & 0x7F) - 1)
        }
    }

    /// At each name's number.
    private let uses: [Use]

    private static let placing: Set<String> = [
        "class", "id", "hidden", "aria-hidden", "role", "style",
    ]

    init(_ document: Document) {
        uses = document.names.map { name in
            var use = Use()
            if let role = AttributeRole.named[name] { use.bits = role.rawValue + 1 }
            if AttributeTable.placing.contains(name) { use.bits |= 0x80 }
            return use
        }
    }

    /// What an attribute of that name is looked at for.
    func use(of name: Name) -> Use { uses[name.number] }
}
