import Basics
import Markup
import Network

/// The role of a picture's address, by its attribute (names collected from lazy loaders and lightboxes in the wild).
enum AttributeRole: UInt8 {
    /// An explicitly small version.
    case thumbnail
    /// `src`: the picture, or a lazily loaded picture's placeholder.
    case plain
    /// The picture's address for a lazy loader.
    case lazy
    /// Like `lazy`, in an attribute used for pages too: counts only if the address looks like a picture.
    case weak
    /// A version between thumbnail and full.
    case medium
    /// A large version.
    case large
    /// The full picture.
    case full
    /// Several versions in the form of `srcset`.
    case set
    /// Several versions with unitless widths (lightGallery).
    case looseSet
    /// An inline style that may contain a background.
    case style
    /// A background picture, as an address or `url(…)`.
    case background

    static let named: [String: AttributeRole] = meanings([
        .plain: "src poster",
        .thumbnail: "data-thumb data-thumbnail data-external-thumb-image data-thumb-src",
        .lazy:
            """
        data-src data-lazy-src data-lazy data-lazyload data-lazyload-src data-original
        data-echo data-actualsrc data-defer-src data-isrc data-ks-lazyload lazysrc data-img-src
        data-flickity-lazyload data-lazy-original
        """,
        .weak:
            """
        data-image data-imageurl data-url data-source _src file full image large big photo
        picture
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
        """,
        .looseSet: "data-responsive",
        .style: "style data-style",
        .background: "data-bg data-background-image data-background data-bg-src",
    ])
}

extension AttributeRole {
    /// Derives the role of an unlisted attribute from the words of its name, like that of a data key: `data-full-image`, `data-href`.
    init?(wordsOf name: String) {
        guard name.hasPrefix("data-") else { return nil }
        switch KeyRole(String(name.dropFirst(5))) {
        case .thumbnail: self = .thumbnail
        case .medium: self = .medium
        case .plain: self = .lazy
        case .large: self = .large
        case .full, .link: self = .full
        case .foreign, nil: return nil
        }
    }
}

/// The meanings of one document's attribute names for the collector: an attribute costs one look-up.
struct AttributeTable {
    struct Use {
        var role: AttributeRole?
        /// Whether the role is derived from the name's words, so that it counts only if the value looks like a picture.
        var isGuessed = false
    }

    /// Indexed by the name's number.
    private let uses: [Use]

    init(_ document: Document) {
        uses = document.names.map { name in
            let role = AttributeRole.named[name]
            let guess = role == nil ? AttributeRole(wordsOf: name) : nil
            return Use(role: role ?? guess, isGuessed: guess != nil)
        }
    }

    func use(of name: Name) -> Use { uses[name.number] }
}

/// Reads the addresses in an attribute's value, working on the page's bytes where a page has thousands of them.
struct Offers {
    let context: PageContext
    /// Whether only SVG files are accepted.
    let takesDrawings: Bool

    func read(_ value: Bytes, as role: AttributeRole, into pageIndex: inout PageIndex) {
        switch role {
        case .set, .looseSet:
            Srcset.forEach(in: value, areLoose: role == .looseSet) { candidate in
                let isDoubled = (candidate.density ?? 1) > 1
                add(
                    candidate.url, isDoubled ? .large : .set, candidate.width, candidate.height,
                    into: &pageIndex)
            }
        case .style, .background:
            if value.includes("url(") {
                guard var url = Style.url(in: String(utf8: value)) else { return }
                url.withUTF8 { add($0, .background, into: &pageIndex) }
            } else if role == .background {
                add(value, .background, into: &pageIndex)
            }
        default: add(value, role, into: &pageIndex)
        }
    }

    private func add(
        _ reference: Bytes, _ role: AttributeRole, _ width: Pixels? = nil, _ height: Pixels? = nil,
        into pageIndex: inout PageIndex
    ) {
        // Inline placeholders are the most common references that lead nowhere.
        guard !reference.begins(with: "data:"),
            let number = pageIndex.addresses.insert(reference, in: context)
        else { return }
        let hints = pageIndex.addresses.hints(of: number)
        guard takesDrawings ? hints.ending == .vector : hints.couldBeShown,
            role != .weak || hints.looksLikePicture
        else { return }
        pageIndex.found.append(
            Candidate.Offer(
                address: number, role: role == .weak ? .lazy : role,
                width: width ?? hints.size?.width, height: height ?? hints.size?.height))
    }
}
