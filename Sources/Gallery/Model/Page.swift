public import Network
public import Pipeline

/// What one page of a gallery holds.
public struct Page: Sendable {
    /// Pictures under a heading of their own, such as recommendations.
    public struct Related: Sendable {
        /// The heading.
        public var title: String
        /// In page order.
        public var pictures: [Picture]

        /// Makes a related section.
        public init(title: String, pictures: [Picture]) {
            self.title = title
            self.pictures = pictures
        }
    }

    /// Where it came from, after redirects.
    public var address: Address
    /// One line, empty if unknown.
    public var title: String
    /// In page order, each once.
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

    /// Whether there is nothing to show on it; a next page may still be named.
    public var isWithoutPictures: Bool { pictures.isEmpty && related.isEmpty }
}

/// Why a page gives no pictures; the description is one line in plain words, without the address.
public enum PageError: CancellableError, CustomStringConvertible {
    /// Nothing waits for it any more.
    case cancelled
    /// It could not be fetched.
    case fetch(FetchError)
    /// It has no bytes.
    case empty
    /// Neither a page nor a picture; the media type, or what the bytes look like.
    case notAGallery(String)
    /// A page in which no picture was found.
    case noPictures
    /// A page that scripts would fill; nothing of a page is ever executed.
    case needsScripts

    init(_ error: FetchError) { self = error == .cancelled ? .cancelled : .fetch(error) }

    /// The reason in plain words.
    public var description: String {
        switch self {
        case .cancelled: "cancelled"
        case .fetch(let error): error.description
        case .empty: "the page is empty"
        case .notAGallery(let kind): "is \(kind), neither a page nor a picture"
        case .noPictures: "the page has no pictures"
        case .needsScripts:
            "the page needs JavaScript to show its pictures, and neither its data nor a feed names them "
                + "(save it in a browser, complete, and open the saved page)"
        }
    }
}
