public import ImageCodecs
public import Network
public import Pipeline

/// Why a picture stays a placeholder; the description is one line in plain words.
public enum ThumbnailError: CancellableError, Hashable, CustomStringConvertible {
    /// Nobody wanted it any more.
    case cancelled
    /// The bytes did not come.
    case fetch(FetchError)
    /// The bytes are no picture that can be read.
    case decode(DecodeError)

    /// The reason in plain words.
    public var description: String {
        switch self {
        case .cancelled: "cancelled"
        case .fetch(let error): error.description
        case .decode(let error): error.description
        }
    }
}
