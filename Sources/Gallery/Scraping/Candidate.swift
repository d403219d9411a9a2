/// A picture that may be part of the gallery: an element, and where the addresses found for it stand among the page's findings.
///
/// Numbers and no references, because the rules hand lists of thousands on many times.
struct Candidate {
    /// What kind of element it was found on.
    enum Kind {
        /// An `img`, or what stands for one.
        case picture
        /// An element with a background.
        case background
        /// A link to a picture without a picture in it.
        case textLink
    }

    /// One address found, by its number.
    struct Found {
        var address: Int
        var role: AttributeRole
        var width: Int?
        var height: Int?
    }

    /// The element, by its order on the page, as all elements below.
    let node: Int
    let kind: Kind
    /// What surrounds it.
    let surroundings: Surroundings
    /// The places in `Findings.found` of what the picture is offered by, in page order.
    var places = 0..<0
    /// The link around it.
    var anchor: Int?
    /// The number of the address where that link leads, if not to a picture.
    var link: Int?
    /// The largest part of the page that holds this candidate and no other.
    var item: Int
    /// The size at which the page shows it.
    var shown: (width: Int?, height: Int?) = (nil, nil)
    /// The size of the full picture, where the page tells.
    var fullSize: (width: Int, height: Int)?
    /// Whether it stands in the markup of a lightbox or gallery.
    var isExplicit = false
    /// Whether its link leads to the picture in full.
    var linksToPicture = false

    init(node: Int, kind: Kind, surroundings: Surroundings) {
        self.node = node
        self.kind = kind
        self.surroundings = surroundings
        item = node
    }
}

/// What an element stands in, inherited from outside to inside.
struct Surroundings: OptionSet, Hashable {
    let rawValue: UInt16
    /// The page's own frame: navigation, header, footer, sidebar, comments, sharing.
    static let chrome = Surroundings(rawValue: 1 << 0)
    /// Not shown.
    static let hidden = Surroundings(rawValue: 1 << 1)
    /// `figure`.
    static let figure = Surroundings(rawValue: 1 << 2)
    /// A class or id that speaks of pictures.
    static let gallery = Surroundings(rawValue: 1 << 3)
    /// The part with the content: `main`, `article`; a header in it is not the page's.
    static let content = Surroundings(rawValue: 1 << 4)
    /// A part whose class says that it recommends other things.
    static let related = Surroundings(rawValue: 1 << 5)
}
