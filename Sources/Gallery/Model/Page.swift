public import Network
public import Pipeline

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
    public var pictures: [Picture]
    /// The next page.
    public var next: Address?
    /// Sections of their own further down the page.
    public var related: [Related]

    /// Makes a page.
    public init(
        address: Address, title: String, pictures: [Picture], next: Address? = nil,
        related: [Related] = []
    ) {
        self.address = address
        self.title = title
        self.pictures = pictures
        self.next = next
        self.related = related
    }
}

/// Why a page gives no pictures; the description is one line in plain words, without the address.
public enum PageError: CancellableError, CustomStringConvertible {
    /// Nobody wanted it any more.
    case cancelled
    /// The bytes did not come.
    case fetch(FetchError)
    /// The body is empty.
    case empty
    /// Neither a page nor a picture; the media type, or what the bytes look like.
    case notAGallery(String)
    /// A page, or folder, without a picture on it.
    case noPictures

    /// The reason in plain words.
    public var description: String { "to be written" }
}

/// Loads and reads pages of galleries.
public protocol PageLoading: Sendable {
    /// Loads the page, folder, listing or picture at `address`; callable on any thread.
    ///
    /// `completion` runs exactly once, on no particular queue; cancelling tells it `cancelled`.
    /// - Parameter reload: go past the cache.
    func load(
        _ address: Address, reload: Bool,
        completion: @escaping @Sendable (Result<Page, PageError>) -> Void
    ) -> Subscription
}
