import CCurl

extension FetchError {
    /// What a result of libcurl means here; the only place where its codes are read.
    init(_ code: CURLcode, host: String, timeout: Int, limit: Int) {
        let words = String(cString: curl_easy_strerror(code))
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: self = .unknownHost(host)
        case CURLE_COULDNT_RESOLVE_PROXY: self = .connectionFailed("no such proxy")
        case CURLE_OPERATION_TIMEDOUT: self = .timedOut(seconds: timeout)
        case CURLE_FILESIZE_EXCEEDED: self = .tooLarge(limit: limit)
        case CURLE_TOO_MANY_REDIRECTS: self = .tooManyRedirects
        case CURLE_COULDNT_CONNECT: self = .connectionFailed("nobody answers at \(host)")
        case CURLE_PARTIAL_FILE: self = .connectionFailed("the connection broke off")
        case CURLE_GOT_NOTHING: self = .connectionFailed("the server said nothing")
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            self = .connectionFailed("the connection broke off (\(words))")
        case CURLE_PEER_FAILED_VERIFICATION:
            self = .insecure("the server's certificate does not hold")
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            self = .insecure(words)
        default: self = .other(words)
        }
    }
}
