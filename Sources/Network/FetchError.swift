public import Pipeline

/// Why there are no bytes; the description is one line in plain words, without the address.
public enum FetchError: CancellableError, Hashable, CustomStringConvertible {
    /// Nobody wanted it any more.
    case cancelled
    /// The host's name has no address.
    case unknownHost(String)
    /// Nobody listens there, or the connection broke.
    case connectionFailed(String)
    /// No connection, or no byte, for that many seconds.
    case timedOut(seconds: Int)
    /// The server answered with an error status.
    case status(Int)
    /// More bytes than allowed.
    case tooLarge(limit: Int)
    /// More redirects than allowed.
    case tooManyRedirects
    /// A certificate that does not hold, or no common encryption.
    case insecure(String)
    /// A public page points to a private address.
    case privateAddress(String)
    /// Not in the cache, and `--offline` forbids to ask.
    case offline
    /// No such file.
    case noSuchFile
    /// A file or folder that may not be read.
    case unreadable(String)
    /// A folder where a file was wanted.
    case isFolder
    /// Anything else, in the library's words.
    case other(String)

    /// The reason in plain words.
    public var description: String {
        switch self {
        case .cancelled: "cancelled"
        case .unknownHost(let host): "no such host: \(host)"
        case .connectionFailed(let reason): "no connection: \(reason)"
        case .timedOut(let seconds): "no answer within \(seconds) s"
        case .status(let status): "the server answered \(status)\(reasonPhrase(status))"
        case .tooLarge(let limit): "larger than the \(size(limit)) allowed"
        case .tooManyRedirects: "the server redirects in circles"
        case .insecure(let reason): "not secure: \(reason)"
        case .privateAddress(let name):
            "a public page may not reach \(name) (--allow-private lets it)"
        case .offline: "not in the cache, and offline"
        case .noSuchFile: "no such file"
        case .unreadable(let reason): "cannot be read: \(reason)"
        case .isFolder: "is a folder"
        case .other(let reason): reason
        }
    }
}

/// In megabytes where they are whole, as `--max-bytes` counts them.
private func size(_ bytes: Int) -> String {
    bytes >= 1 << 20 && bytes % (1 << 20) == 0 ? "\(bytes >> 20) MB" : "\(bytes) bytes"
}

/// The phrase of a status after a space, for those that readers meet: RFC 9110, section 15.
private func reasonPhrase(_ status: Int) -> String {
    switch status {
    case 400: " Bad Request"
    case 401: " Unauthorized"
    case 403: " Forbidden"
    case 404: " Not Found"
    case 405: " Method Not Allowed"
    case 406: " Not Acceptable"
    case 407: " Proxy Authentication Required"
    case 408: " Request Timeout"
    case 410: " Gone"
    case 429: " Too Many Requests"
    case 451: " Unavailable For Legal Reasons"
    case 500: " Internal Server Error"
    case 501: " Not Implemented"
    case 502: " Bad Gateway"
    case 503: " Service Unavailable"
    case 504: " Gateway Timeout"
    default: ""
    }
}
