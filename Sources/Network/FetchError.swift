package import Archives
import Basics
import CCurl
import CLazyLibraries
import Glibc
public import Pipeline

/// Why a fetch failed; the description is one line in plain language, without the address.
public enum FetchError: CancellableError, Hashable, CustomStringConvertible {
    /// The request was cancelled.
    case cancelled
    /// The host name could not be resolved.
    case unknownHost(String)
    /// The connection was refused or broken.
    case connectionFailed(String)
    /// No connection, or no data, for that many seconds.
    case timedOut(seconds: Int)
    /// The server responded with an error status.
    case status(Int)
    /// The server responded with an error status and a `Retry-After` longer than we are willing to wait.
    case busy(Int, seconds: Int)
    /// The body is larger than the limit in bytes.
    case tooLarge(limit: Int)
    /// There were more redirects than allowed.
    case tooManyRedirects
    /// The certificate is invalid, or there is no common encryption.
    case insecure(String)
    /// A public page refers to a private address.
    case privateAddress(String)
    /// The response is not cached, and `--offline` forbids fetching it.
    case offline
    /// The file does not exist.
    case noSuchFile
    /// The file or folder cannot be read.
    case unreadable(String)
    /// The path is a folder where a file was expected.
    case isFolder
    /// Any other error, with the library's message.
    case other(String)

    /// The reason in plain language.
    public var description: String {
        switch self {
        case .cancelled: "cancelled"
        case .unknownHost(let host): "no such host: \(host)"
        case .connectionFailed(let reason): "no connection: \(reason)"
        case .timedOut(let seconds): "no response within \(seconds) s"
        case .status(let status):
            "the server answered \(status)" + (reasonPhrases[status].map { " " + $0 } ?? "")
        case .busy(let status, let seconds):
            "\(Self.status(status)) and asks to be left alone for \(duration(seconds))"
        case .tooLarge(let limit): "larger than the \(size(limit)) allowed"
        case .tooManyRedirects: "too many redirects"
        case .insecure(let reason): "not secure: \(reason)"
        case .privateAddress(let name):
            "a public page may not reach \(name) (--allow-private permits it)"
        case .offline: "not in the cache, and offline"
        case .noSuchFile: "no such file"
        case .unreadable(let reason): "cannot be read: \(reason)"
        case .isFolder: "is a folder"
        case .other(let reason): reason
        }
    }
}

/// Formats in megabytes if that is a whole number, the unit of `--max-bytes`.
private func size(_ bytes: Int) -> String {
    bytes >= 1 << 20 && bytes % (1 << 20) == 0 ? "\(bytes >> 20) MB" : "\(bytes) bytes"
}

/// Formats in the largest unit of which there are at least two.
private func duration(_ seconds: Int) -> String {
    let units = [(31_536_000, "years"), (86_400, "days"), (3600, "hours"), (60, "minutes")]
    let unit = units.first { seconds >= 2 * $0.0 } ?? (1, "seconds")
    return "\(seconds / unit.0) \(unit.1)"
}

/// The reason phrases of statuses that users meet (RFC 9110, section 15).
private let reasonPhrases = [
    400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
    405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required",
    408: "Request Timeout", 410: "Gone", 429: "Too Many Requests",
    451: "Unavailable For Legal Reasons", 500: "Internal Server Error", 501: "Not Implemented",
    502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
]

extension FetchError {
    /// The error if libcurl, needed to reach servers and parse most addresses, is missing; nil if it is available.
    ///
    /// Loads the library; callable from any thread.
    public static var noLibcurl: FetchError? {
        halftone_open_curl()
            ? nil
            : .other(
                "reading from servers needs libcurl: apt install libcurl4, or similar")
    }

    /// Creates the error for an exchange that ended with `code`, before its handle is returned; the only place that interprets libcurl's
    /// codes.
    init(_ code: CURLcode, of exchange: Exchange) {
        let address = exchange.address
        let host = address.host
        let words = String(cString: curl_easy_strerror(code))
        if let failure = exchange.failure ?? Self.ofProxy(code, exchange, host: host) {
            self = failure
            return
        }
        switch code {
        case _ where exchange.addresses.hasRefused: self = .privateAddress(host)
        case CURLE_COULDNT_RESOLVE_HOST: self = .unknownHost(host)
        case CURLE_OPERATION_TIMEDOUT: self = .timedOut(seconds: max(1, exchange.options.timeout))
        case CURLE_FILESIZE_EXCEEDED: self = .tooLarge(limit: exchange.limit)
        case CURLE_COULDNT_CONNECT: self = .connectionFailed("\(host) does not answer")
        case CURLE_PARTIAL_FILE: self = .connectionFailed("the connection was lost")
        case CURLE_GOT_NOTHING: self = .connectionFailed("the server sent no response")
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
            let language = address.isOnWeb ? "HTTP" : address.scheme
            self = .connectionFailed("\(host) does not speak \(language)")
        case CURLE_LOGIN_DENIED:
            self = .other("\(host) refuses the login: is the name, key or password right?")
        case CURLE_FAILED_INIT where address.isOnFileServer:
            self = .connectionFailed(
                "\(host) does not speak ssh, or its key in ~/.ssh/known_hosts is of an old kind")
        case CURLE_REMOTE_FILE_NOT_FOUND, CURLE_FTP_COULDNT_RETR_FILE: self = .noSuchFile
        case CURLE_REMOTE_ACCESS_DENIED:
            self = .unreadable("\(host) allows no access, or has no such folder")
        case _ where exchange.keyFault != nil: self = .insecure(exchange.keyAdvice)
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            self = .connectionFailed("the connection was lost (\(words))")
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

    /// Returns the error if the failure occurred on the way to the server, at the proxy.
    private static func ofProxy(
        _ code: CURLcode, _ exchange: Exchange, host: String
    ) -> FetchError? {
        guard let proxy = exchange.proxy.map(ProxyRules.name) else { return nil }
        // The proxy's response to CONNECT.
        let tunnelStatus = exchange.info(CURLINFO_HTTP_CONNECTCODE)
        switch code {
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT:
            return .connectionFailed("no such proxy: \(proxy)")
        case CURLE_COULDNT_CONNECT: return .connectionFailed("the proxy \(proxy) does not answer")
        case CURLE_PROXY: return .connectionFailed("the proxy \(proxy) cannot reach \(host)")
        case _ where tunnelStatus >= 300:
            return .connectionFailed("the proxy \(proxy) answered \(tunnelStatus)")
        default: return nil
        }
    }
}

/// Describes the fault in plain language, from an X509_verify_cert code (OpenSSL's x509_vfy.h) as passed on by curl.
///
/// curl compares the names first, before there is such a code: it is then 0 or unspecified.
private func certificateFault(_ code: Int, host: String) -> String {
    switch code {
    case 0, 1, 62: "the server's certificate is not for \(host)"
    case 9: "the server's certificate is not valid yet"
    case 10: "the server's certificate has expired"
    case 18: "the server's certificate is self-signed"
    case 19...21: "no authority trusted here (ca-certificates) has signed the server's certificate"
    case 23: "the server's certificate has been revoked"
    default: "the server's certificate is not valid"
    }
}

extension FetchError {
    /// Creates the error for the errno of a local file or folder.
    package init(_ code: Int32) {
        self =
            switch code {
            case ENOENT, ENOTDIR, ENAMETOOLONG: .noSuchFile
            case EACCES, EPERM: .unreadable("permission denied")
            case EISDIR: .isFolder
            case EINVAL: .unreadable("not a regular file")
            default: .unreadable(systemReason(code))
            }
    }

    /// Creates the error for a failure to read an archive.
    package init(_ error: ArchiveError) {
        switch error {
        case .missing: self = .noSuchFile
        case .tooLarge(let limit): self = .tooLarge(limit: limit)
        default: self = .unreadable(error.description)
        }
    }
}
