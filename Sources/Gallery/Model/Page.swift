import Basics
public import Network
public import Pipeline

/// A page of a gallery and its contents.
public struct Page: Sendable {
    /// Pictures under a heading of their own, such as recommendations.
    public struct Related: Sendable {
        /// The heading.
        public var title: String
        /// The pictures in page order.
        public var pictures: [Picture]

        /// Creates a related section.
        public init(title: String, pictures: [Picture]) {
            self.title = title
            self.pictures = pictures
        }
    }

    /// The page's address after redirects.
    public var address: Address
    /// The title on one line, empty if unknown.
    public var title: String
    /// The pictures in page order, without duplicates.
    public var pictures: PictureList
    /// The next page.
    public var next: Address?
    /// Separately headed sections further down the page.
    public var related: [Related]
    /// Why pictures are missing, in plain words; nil if none are known to be.
    public var shortfall: String?

    /// Whether more of the same page is to come.
    public var isPart = false
    /// What is being done until then, in one line; such a part has nothing else.
    public var activity = ""
    /// Loads the pages that follow, where only what drew this one can; kept as long as the section.
    public var continuation: (any PageLoading)?

    /// Header fields for the requests of pictures, by address.
    var headers: [Address: HeaderFields] = [:]

    /// Whether this is a local copy of a page of the web, and the address it had there, if known.
    var isCopy = false, original: Address?

    /// Creates a page.
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

    /// Whether the page has nothing to show; it may still name a next page.
    public var isWithoutPictures: Bool { pictures.isEmpty && related.isEmpty }
}

/// Why a page has no pictures; the description is one line of plain text without the address.
public enum PageError: CancellableError, CustomStringConvertible {
    /// The load was cancelled.
    case cancelled
    /// The page could not be fetched.
    case fetch(FetchError)
    /// The response has no body.
    case empty
    /// Neither a page nor a picture; the value is the media type, or what the bytes look like.
    case notAGallery(String)
    /// No picture was found on the page.
    case noPictures
    /// A document, or what a program prints, that cannot be read for the given reason.
    case document(String)
    /// The page has no pictures, but a form to log in.
    case needsLogin
    /// The page is filled by scripts, which only a browser executes.
    case needsScripts

    private static let login =
        " (--cookies-from-browser firefox sends what Firefox has, \"sites\" a user's name and password)"

    init(_ error: FetchError) { self = error == .cancelled ? .cancelled : .fetch(error) }

    /// The reason in plain words.
    public var description: String {
        switch self {
        case .cancelled: "cancelled"
        case .fetch(.status(let status)) where [401, 403].contains(status):
            "\(FetchError.status(status))\(Self.login)"
        case .fetch(let error): error.description
        case .empty: "the page is empty"
        case .notAGallery(let kind): "is \(kind), neither a page nor a picture"
        case .noPictures: "no pictures found"
        case .document(let reason): reason
        case .needsLogin: "the page asks for a log-in\(Self.login)"
        case .needsScripts:
            "the page needs JavaScript to show its pictures, and neither its data nor a feed names them"
        }
    }
}
