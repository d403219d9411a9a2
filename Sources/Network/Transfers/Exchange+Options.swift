import CCurl

extension Exchange {
    /// No transfer may hold a slot for longer than this, in milliseconds.
    private static let longestTransfer = 600_000
    /// What comes slower is stalled, in bytes a second: a thumbnail of 10 KB would take five minutes.
    private static let slowest = 32

    /// Tells libcurl what to ask for and within which bounds.
    func configure(for transfer: Transfer, options: NetworkOptions) {
        halftone_curl_set_text(handle, CURLOPT_URL, transfer.address.text)
        halftone_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        // Signals belong to the main thread.
        halftone_curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        // Redirects are followed by ourselves: each one is checked, and headers stay with the host they are meant for.
        halftone_curl_set_long(handle, CURLOPT_FOLLOWLOCATION, 0)
        halftone_curl_set_long(handle, CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        // HTTP/2 is agreed on with TLS. In the clear libcurl would hold all other requests back until the first answer shows that the server
        // does not speak it.
        let isEncrypted = transfer.address.scheme == "https"
        halftone_curl_set_long(
            handle, CURLOPT_HTTP_VERSION,
            Int(isEncrypted ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1))
        halftone_curl_set_long(handle, CURLOPT_PIPEWAIT, isEncrypted ? 1 : 0)
        // Everything this libcurl can decode; the rest of a body only as it is.
        halftone_curl_set_text(
            handle, CURLOPT_ACCEPT_ENCODING, partial == nil ? "" : "identity")
        halftone_curl_set_text(handle, CURLOPT_USERAGENT, options.userAgent)
        setProxy()
        // With a folder of certificates libcurl reads the whole bundle again for every connection: 25 ms each.
        halftone_curl_set_text(handle, CURLOPT_CAPATH, options.certificateFolder)
        if let file = options.certificateFile {
            halftone_curl_set_text(handle, CURLOPT_CAINFO, file)
            halftone_curl_set_text(handle, CURLOPT_PROXY_CAINFO, file)
        }
        setLimits(options)
        setHeaders(for: transfer, options: options)
        install()
    }

    /// The one that the rules name, or none: libcurl is not to look into the environment by itself.
    private func setProxy() {
        halftone_curl_set_text(handle, CURLOPT_PROXY, proxy ?? "")
        halftone_curl_set_text(handle, CURLOPT_NOPROXY, "")
        // The head of the tunnel is not the server's.
        halftone_curl_set_long(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    }

    private func setLimits(_ options: NetworkOptions) {
        let seconds = max(1, options.timeout)
        halftone_curl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, seconds * 1000)
        // Bytes of the body; a head that drips in is as good as none.
        halftone_curl_set_long(handle, CURLOPT_LOW_SPEED_LIMIT, Self.slowest)
        halftone_curl_set_long(handle, CURLOPT_LOW_SPEED_TIME, seconds)
        halftone_curl_set_long(
            handle, CURLOPT_TIMEOUT_MS, max(Self.longestTransfer, seconds * 20_000))
        // Only for a length the server declares; the rest is counted as it comes.
        halftone_curl_set_size(handle, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(limit))
    }

    private func setHeaders(for transfer: Transfer, options: NetworkOptions) {
        let fields = requestFields(
            of: transfer.order, to: transfer.address,
            conditions: transfer.order.conditions + (partial?.request ?? []), options: options)
        for field in fields {
            // A field without value needs a semicolon, or libcurl takes it for "do not send this".
            let line = field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
            requestHeaders = curl_slist_append(requestHeaders, line) ?? requestHeaders
        }
        halftone_curl_set_list(handle, CURLOPT_HTTPHEADER, requestHeaders)
    }
}
