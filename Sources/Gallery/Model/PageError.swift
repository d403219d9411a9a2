public import Network
public import Pipeline

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
    /// A page that scripts would fill; nothing of a page is ever executed.
    case needsScripts

    /// Whether the page came, and has no picture that could be found.
    var isWithoutPictures: Bool {
        switch self {
        case .noPictures, .needsScripts: true
        default: false
        }
    }

    /// The reason in plain words.
    public var description: String {
        switch self {
        case .cancelled: "cancelled"
        case .fetch(let error): error.description
        case .empty: "the page is empty"
        case .notAGallery(let kind): "is \(kind), neither a page nor a picture"
        case .noPictures: "the page has no pictures"
        case .needsScripts:
            "the page needs JavaScript to show its pictures, and neither its data nor a feed names them"
        }
    }
}
