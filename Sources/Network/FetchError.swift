import CCurl
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

// MARK: - libcurl

/// How a transfer of libcurl ended, with what it takes to say so in plain words.
struct CurlEnding {
    /// The result.
    var code: CURLcode
    /// The server's name.
    var host: String
    /// The proxy on the way, for people.
    var proxy: String?
    /// What the proxy answered to the wish for a tunnel; zero if it was not asked.
    var tunnelStatus = 0
    /// What became of the server's certificate: a code of X509_verify_cert.
    var verification = 0

    /// Of an exchange whose handle has not been given back yet.
    init(_ code: CURLcode, of exchange: Exchange, host: String) {
        self.init(code: code, host: host, proxy: exchange.proxy.map(ProxyRules.name))
        halftone_curl_get_long(exchange.handle, CURLINFO_HTTP_CONNECTCODE, &tunnelStatus)
        halftone_curl_get_long(exchange.handle, CURLINFO_SSL_VERIFYRESULT, &verification)
    }

    init(code: CURLcode, host: String, proxy: String? = nil) {
        self.code = code
        self.host = host
        self.proxy = proxy
    }
}

extension FetchError {
    /// What an ending means here; the only place where libcurl's codes are read.
    init(_ ending: CurlEnding, timeout: Int, limit: Int) {
        let words = String(cString: curl_easy_strerror(ending.code))
        if let failure = Self.ofProxy(ending, words) {
            self = failure
            return
        }
        switch ending.code {
        case CURLE_COULDNT_RESOLVE_HOST: self = .unknownHost(ending.host)
        case CURLE_OPERATION_TIMEDOUT: self = .timedOut(seconds: timeout)
        case CURLE_FILESIZE_EXCEEDED: self = .tooLarge(limit: limit)
        case CURLE_TOO_MANY_REDIRECTS: self = .tooManyRedirects
        case CURLE_COULDNT_CONNECT: self = .connectionFailed("nobody answers at \(ending.host)")
        case CURLE_PARTIAL_FILE: self = .connectionFailed("the connection broke off")
        case CURLE_GOT_NOTHING: self = .connectionFailed("the server said nothing")
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            self = .connectionFailed("the connection broke off (\(words))")
        case CURLE_PEER_FAILED_VERIFICATION:
            self = .insecure(certificateFault(ending.verification, host: ending.host))
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
    private static func ofProxy(_ ending: CurlEnding, _ words: String) -> FetchError? {
        guard let proxy = ending.proxy else { return nil }
        switch ending.code {
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT:
            return .connectionFailed("no such proxy: \(proxy)")
        case CURLE_COULDNT_CONNECT:
            return .connectionFailed("nobody answers at the proxy \(proxy)")
        case CURLE_PROXY:
            return .connectionFailed("the proxy \(proxy) does not reach \(ending.host)")
        case _ where ending.code != CURLE_OK && ending.tunnelStatus >= 300:
            return .connectionFailed("the proxy \(proxy) answered \(ending.tunnelStatus)")
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
