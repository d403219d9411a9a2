import CCurl
import CLazyLibraries
public import Pipeline

/// Why there are no bytes; the description is one line in plain words, without the address.
public enum FetchError: CancellableError, Hashable, CustomStringConvertible {
    /// The request was given up.
    case cancelled
    /// The host's name has no address.
    case unknownHost(String)
    /// Nothing listens there, or the connection broke.
    case connectionFailed(String)
    /// No connection, or no byte, for that many seconds.
    case timedOut(seconds: Int)
    /// The server answered with an error status.
    case status(Int)
    /// The server answered with an error status, and wants to be left alone for longer than is waited.
    case busy(Int, seconds: Int)
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
        case .status(let status):
            "the server answered \(status)" + (reasonPhrases[status].map { " " + $0 } ?? "")
        case .busy(let status, let seconds):
            "\(Self.status(status)) and asks to be left alone for \(duration(seconds))"
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

/// In the largest unit of which there are two at least.
private func duration(_ seconds: Int) -> String {
    let units = [(31_536_000, "years"), (86_400, "days"), (3600, "hours"), (60, "minutes")]
    let unit = units.first { seconds >= 2 * $0.0 } ?? (1, "seconds")
    return "\(seconds / unit.0) \(unit.1)"
}

/// For the statuses that users meet: RFC 9110, section 15.
private let reasonPhrases = [
    400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
    405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required",
    408: "Request Timeout", 410: "Gone", 429: "Too Many Requests",
    451: "Unavailable For Legal Reasons", 500: "Internal Server Error", 501: "Not Implemented",
    502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
]

extension FetchError {
    /// That there is no libcurl, without which no server is reached and few addresses are understood; nil if there is.
    ///
    /// Opens it; any thread.
    public static var noLibcurl: FetchError? {
        halftone_open_curl()
            ? nil
            : .other(
                "libcurl is missing, which reads from servers: apt install libcurl4, or the like")
    }

    /// Why an exchange failed that ended with `code`, and whose handle has not been given back yet; the only place where libcurl's codes
    /// are read.
    init(_ code: CURLcode, of exchange: Exchange) {
        let host = exchange.transfer.address.host
        let words = String(cString: curl_easy_strerror(code))
        if let failure = exchange.failure ?? Self.ofProxy(code, exchange, host: host) {
            self = failure
            return
        }
        switch code {
        case _ where exchange.refusedAddress: self = .privateAddress(host)
        case CURLE_COULDNT_RESOLVE_HOST: self = .unknownHost(host)
        case CURLE_OPERATION_TIMEDOUT: self = .timedOut(seconds: max(1, exchange.options.timeout))
        case CURLE_FILESIZE_EXCEEDED: self = .tooLarge(limit: exchange.limit)
        case CURLE_TOO_MANY_REDIRECTS: self = .tooManyRedirects
        case CURLE_COULDNT_CONNECT: self = .connectionFailed("nobody answers at \(host)")
        case CURLE_PARTIAL_FILE: self = .connectionFailed("the connection broke off")
        case CURLE_GOT_NOTHING: self = .connectionFailed("the server said nothing")
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            self = .connectionFailed("the connection broke off (\(words))")
        case CURLE_PEER_FAILED_VERIFICATION:
            self = .insecure(certificateFault(exchange.info(CURLINFO_SSL_VERIFYRESULT), host: host))
        case CURLE_SSL_CACERT_BADFILE:
            self = .insecure(
                "the file of trusted certificates (CURL_CA_BUNDLE, SSL_CERT_FILE) cannot be read")
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            self = .insecure(words)
        default: self = .other(words)
        }
    }

    /// What went wrong before the server was reached.
    private static func ofProxy(
        _ code: CURLcode, _ exchange: Exchange, host: String
    ) -> FetchError? {
        guard let proxy = exchange.proxy.map(ProxyRules.name) else { return nil }
        // What the proxy answered to CONNECT.
        let tunnelStatus = exchange.info(CURLINFO_HTTP_CONNECTCODE)
        switch code {
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT:
            return .connectionFailed("no such proxy: \(proxy)")
        case CURLE_COULDNT_CONNECT: return .connectionFailed("nobody answers at the proxy \(proxy)")
        case CURLE_PROXY: return .connectionFailed("the proxy \(proxy) does not reach \(host)")
        case _ where tunnelStatus >= 300:
            return .connectionFailed("the proxy \(proxy) answered \(tunnelStatus)")
        default: return nil
        }
    }
}

/// The fault in plain words: codes of X509_verify_cert (OpenSSL's x509_vfy.h), which curl hands through.
///
/// curl compares the names first, before it has such a code: then it stands at none or at unspecified.
private func certificateFault(_ code: Int, host: String) -> String {
    switch code {
    case 0, 1, 62: "the server's certificate is not for \(host)"
    case 9: "the server's certificate does not hold yet"
    case 10: "the server's certificate has expired"
    case 18, 19: "the server has signed its certificate itself"
    case 20, 21: "nobody who is trusted has signed the server's certificate"
    case 23: "the server's certificate has been revoked"
    default: "the server's certificate does not hold"
    }
}
