import CCurl

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
