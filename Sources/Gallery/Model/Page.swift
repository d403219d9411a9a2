public import Network

/// What one page of a gallery holds.
public struct Page: Sendable {
    /// Pictures under a heading of their own, such as recommendations.
    public struct Related: Sendable {
        /// The heading.
        public var title: String
        /// The pictures, in page order.
        public var pictures: [Picture]

        /// Makes a related section.
        public init(title: String, pictures: [Picture]) {
            self.title = title
            self.pictures = pictures
        }
    }

    /// Where it came from, after redirects.
    public var address: Address
    /// The title: one line, empty if unknown.
    public var title: String
    /// The pictures, in page order, each once.
    public var pictures: PictureList
    /// The next page.
    public var next: Address?
    /// Sections of their own further down the page.
    public var related: [Related]

    /// Makes a page.
    public init(
        address: Address, title: String, pictures: some Sequence<Picture>, next: Address? = nil,
        related: [Related] = []
    ) {
        self.address = address
        self.title = title
        self.pictures = PictureList(pictures)
        self.next = next
        self.related = related
    }
}
