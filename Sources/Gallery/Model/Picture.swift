public import Basics
public import Network

/// One picture (or album) of a gallery, as its page describes it.
///
/// Nothing of it has been fetched.
public struct Picture: Hashable, Sendable {
    /// A picture or a further gallery; the raw value is the word in `--json`.
    public enum Kind: String, Sendable {
        case picture
        /// A gallery of its own, opened by Enter.
        case album
    }

    /// One of the sizes in which a picture is offered.
    public struct Variant: Hashable, Sendable {
        /// Where.
        public var address: Address
        /// The width in pixels, where known.
        public var width: Pixels?
        /// The height in pixels, where known.
        public var height: Pixels?

        /// Makes a variant.
        public init(address: Address, width: Pixels? = nil, height: Pixels? = nil) {
            self.address = address
            self.width = width
            self.height = height
        }
    }

    /// The sizes offered, smallest first; the first is the thumbnail, the last the largest known.
    ///
    /// Never empty.
    public var variants: [Variant]
    /// The detail page, or the album's page.
    public var link: Address?
    /// The page it was found on.
    public var page: Address
    /// The title: one line of valid text without control characters; empty if unknown.
    public var title: String
    /// A longer text.
    public var summary: String?
    /// The date as ISO 8601.
    public var date: String?
    /// Width of the full picture in pixels, where known.
    public var width: Pixels?
    /// Height of the full picture in pixels, where known.
    public var height: Pixels?
    /// Size of the file in bytes, where a listing or folder tells.
    public var byteCount: Int?
    /// Picture or album.
    public var kind: Kind
    /// Whether the page that it was found on names its full size: then there is nothing to look for elsewhere.
    public var isFullKnown = false
    /// The full size, once it was found behind the link or at a guessed address; only the viewer asks for it.
    public var full: Variant?
    /// Whether `full` was guessed from the thumbnail's address, and proved right.
    public var isFullGuessed = false

    /// Makes a picture; `variants` must not be empty.
    public init(
        variants: [Variant], link: Address? = nil, page: Address, title: String,
        summary: String? = nil,
        date: String? = nil, width: Pixels? = nil, height: Pixels? = nil, byteCount: Int? = nil,
        kind: Kind = .picture
    ) {
        precondition(!variants.isEmpty, "a picture is somewhere")
        self.variants = variants
        self.link = link
        self.page = page
        self.title = title
        self.summary = summary
        self.date = date
        self.width = width
        self.height = height
        self.byteCount = byteCount
        self.kind = kind
    }

    /// The smallest size offered.
    public var thumbnail: Address { variants[0].address }

    /// The largest size known.
    public var image: Address { variants[variants.count - 1].address }

    /// The largest size known, that of its detail page included.
    public var largest: Address { full?.address ?? image }

    /// The page in whose name `largest` is asked for.
    public var largestReferer: Address? { full == nil || isFullGuessed ? page : link }

    /// Whether a larger size may be found on the page that it links to.
    public var hasUnseenDetail: Bool {
        kind == .picture && full == nil && !isFullKnown && link != nil && link != image
    }

    /// Whether there is a picture to draw: an album of which no picture is known yet has its own page as its only variant.
    public var isDrawable: Bool { kind == .picture || thumbnail != link }

    /// The smallest variant at least `width` pixels wide; the largest where none is, the first where no width is known.
    ///
    /// For thumbnails, of which many are fetched: what a page shows small is large enough.
    public func variant(covering width: Int) -> Variant {
        guard variants.contains(where: { $0.width != nil }) else { return variants[0] }
        return smallest(covering: width)
    }

    /// The smallest variant known to be at least `width` pixels wide, else the largest: for looking at it closely.
    public func fullVariant(covering width: Int) -> Variant { full ?? smallest(covering: width) }

    private func smallest(covering width: Int) -> Variant {
        let covering = variants.filter { ($0.width?.count ?? 0) >= width }
        return covering.min { ($0.width?.count ?? 0) < ($1.width?.count ?? 0) }
            ?? variants[variants.count - 1]
    }
}
