import Basics

/// The sides of a picture in pixels.
typealias PictureSides = (width: Pixels, height: Pixels)

/// The same, as far as they are known.
typealias KnownSides = (width: Pixels?, height: Pixels?)

/// A picture that may be part of the gallery: its element, and the range of its addresses in the page's index.
///
/// Consists of numbers instead of references, because the rules pass on lists of thousands many times.
struct Candidate {
    enum Kind {
        /// An `img`, or an equivalent element.
        case picture
        /// An element with a background.
        case background
        /// A link to a picture without a picture inside.
        case textLink
    }

    struct Offer {
        var address: Int
        var role: AttributeRole
        var width: Pixels?
        var height: Pixels?
    }

    /// The element by its number on the page, like all elements below.
    let node: Int
    let kind: Kind
    /// The range of its addresses in `PageIndex.offers`, in page order.
    var offers: Range<Int> = 0..<0
    var anchor: Int?
    /// The number of the address that the link leads to, if that is not a picture.
    var link: Int?
    /// The largest element that contains this candidate and no other.
    var item: Int
    /// The size at which the page shows the picture.
    var shown: KnownSides = (nil, nil)
    /// The size of the full picture, if the page specifies it.
    var fullSize: PictureSides?
    /// Whether the candidate is in the markup of a lightbox or gallery.
    var isExplicit = false
    /// Whether the link leads to the full picture.
    var linksToPicture = false
    /// The number of its group of equal structure, from 1; 0 if it is in none.
    var group = 0
    /// Whether this is the cover of a gallery of its own.
    var isAlbum = false

    /// Whether a side is that of a tracker or a spacer.
    var isTiny: Bool { nonNil(shown.width, shown.height).contains { $0 <= 2 } }

    /// Whether its size or its addresses are those of counters, spacers and advertisers.
    func isTracker(in index: borrowing PageIndex) -> Bool {
        isTiny
            || !offers.isEmpty
                && offers.allSatisfy {
                    index.addresses.withText(of: index.offers[$0].address, Self.trackers.occur)
                }
    }

    private static let trackers = Substrings(
        wordList(
            """
            doubleclick. adserver facebook.com/tr scorecardresearch. mediaplex. atdmt. google-analytics.
            googletagmanager. quantserve. stats.wp.com /pixel.gif pixel.wp.com /beacon. /beacon? /beacon/
            statcounter. /counter.php /count.cgi histats.
            """))
}
