import Markup
import Network

/// A picture that may be part of the gallery: an element, and every address found for it.
///
/// A class because the rules hand lists of them on many times, and each is worked on by one page's thread alone.
final class Candidate {
    /// What kind of element it was found on.
    enum Kind {
        /// An `img`, or what stands for one.
        case picture
        /// An element with a background.
        case background
        /// A link to a picture without a picture in it.
        case textLink
    }

    /// One address found.
    struct Found {
        var address: Address
        var role: AttributeRole
        var width: Int?
        var height: Int?
    }

    /// The element.
    let node: Node
    let kind: Kind
    /// What surrounds it.
    let surroundings: Surroundings
    /// Where the picture is offered, in page order.
    var found: [Found] = []
    /// The link around it.
    var anchor: Node?
    /// Where that link leads, if not to a picture.
    var link: Address?
    /// The largest part of the page that holds this candidate and no other.
    var item: Node
    /// The size at which the page shows it.
    var shown: (width: Int?, height: Int?) = (nil, nil)
    /// The size of the full picture, where the page tells.
    var fullSize: (width: Int, height: Int)?
    /// What its own data calls it.
    var caption: String?
    /// Whether it stands in the markup of a lightbox or gallery.
    var isExplicit = false
    /// Whether its link leads to the picture in full.
    var linksToPicture = false

    /// The address that says most about the picture: one that is not only what stands in `src` while others load.
    var best: Found? {
        let place = found.lastIndex { $0.role != .plain } ?? found.indices.last
        return place.map { found[$0] }
    }

    init(node: Node, kind: Kind, surroundings: Surroundings) {
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
