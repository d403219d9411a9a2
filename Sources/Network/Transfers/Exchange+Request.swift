import CCurl

extension Exchange {
    /// No transfer may hold a slot for longer than this, in milliseconds.
    private static let longestTransfer = 600_000
    /// What comes slower is stalled, in bytes a second: a thumbnail of 10 KB would take five minutes.
    private static let slowest = 32

    /// Tells libcurl what to ask for, within which bounds, and whom to call.
    func configure() {
        let address = transfer.address
        set(CURLOPT_URL, address.text)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        // Signals belong to the main thread.
        set(CURLOPT_NOSIGNAL, 1)
        // Redirects are followed by ourselves: each one is checked, and headers stay with the server they are meant for.
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        // HTTP/2 is agreed on with TLS. In the clear libcurl would hold all other requests back until the first answer shows that the
        // server does not speak it.
        let isEncrypted = address.scheme == "https"
        let version = isEncrypted ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1
        set(CURLOPT_HTTP_VERSION, Int(version))
        set(CURLOPT_PIPEWAIT, isEncrypted ? 1 : 0)
        // Everything this libcurl can decode; the rest of a body only as it is.
        set(CURLOPT_ACCEPT_ENCODING, partial == nil ? "" : "identity")
        set(CURLOPT_USERAGENT, options.userAgent)
        // The proxy that the rules name, or none: libcurl is not to look into the environment by itself.
        set(CURLOPT_PROXY, proxy ?? "")
        set(CURLOPT_NOPROXY, "")
        // The head of the tunnel is not the server's.
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // libcurl's own 16 KB take eight times the system calls, which a fast line makes felt.
        set(CURLOPT_BUFFERSIZE, 128 << 10)
        // With a folder of certificates libcurl reads the whole bundle again for every connection: 25 ms each.
        set(CURLOPT_CAPATH, options.certificateFolder)
        if let file = options.certificateFile {
            set(CURLOPT_CAINFO, file)
            set(CURLOPT_PROXY_CAINFO, file)
        }
        setLimits()
        let request = transfer.order.request
        let conditions = transfer.order.conditions + (partial?.request ?? [])
        setHeaders(
            requestFields(of: request, to: address, conditions: conditions, options: options))
        installCallbacks()
    }

    private func set(_ option: CURLoption, _ value: Int) {
        halftone_curl_set_long(handle, option, value)
    }

    private func set(_ option: CURLoption, _ text: String?) {
        halftone_curl_set_text(handle, option, text)
    }

    private func setLimits() {
        let seconds = max(1, options.timeout)
        set(CURLOPT_CONNECTTIMEOUT_MS, seconds * 1000)
        // Bytes of the body; a head that drips in is as good as none.
        set(CURLOPT_LOW_SPEED_LIMIT, Self.slowest)
        set(CURLOPT_LOW_SPEED_TIME, seconds)
        set(CURLOPT_TIMEOUT_MS, max(Self.longestTransfer, seconds * 20_000))
        // Only for a length the server declares; the rest is counted as it comes.
        halftone_curl_set_size(handle, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(limit))
    }
}

/// The header fields that a request is sent to `address` with, beside those that libcurl adds.
func requestFields(
    of request: Request, to address: Address, conditions: HeaderFields = [],
    options: NetworkOptions
) -> HeaderFields {
    var fields = conditions
    fields.append(("Accept", accept(request.purpose, options.pictureTypes)))
    if options.sendsReferer, let referer = sentReferer(of: request, to: address) {
        fields.append(("Referer", referer))
    }
    if options.sourceOrigins.contains(address.origin) {
        let own = options.headers.filter { isSafe($0.name) && isSafe($0.value) }
        let ownNames = Set(own.map { $0.name.lowercased() })
        fields.removeAll { ownNames.contains($0.name.lowercased()) }
        fields += own
    }
    return fields
}

/// As browsers do by default (`strict-origin-when-cross-origin`): paths and queries, which may hold secrets, stay with their own server.
///
/// Nothing from files, and nothing from an encrypted page to a server in the clear.
private func sentReferer(of request: Request, to address: Address) -> String? {
    guard let referer = request.referer, !referer.isFile else { return nil }
    if referer.origin == address.origin { return referer.text }
    return referer.scheme == "https" && address.scheme == "http" ? nil : referer.origin + "/"
}

/// A line break would smuggle in a header field, or a request.
private func isSafe(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }

/// Only formats that can be decoded here are asked for: servers that choose by this header then send one that can be shown.
private func accept(_ purpose: Request.Purpose, _ pictures: [String]) -> String {
    switch purpose {
    case .data:
        "application/activity+json,application/feed+json,application/ld+json,application/json,"
            + "application/atom+xml,application/rss+xml,application/xml;q=0.9,text/html;q=0.8,"
            + "*/*;q=0.7"
    case .page:
        "text/html,application/xhtml+xml,application/rss+xml,application/atom+xml,"
            + "application/xml;q=0.9," + pictures.map { $0 + ";q=0.8," }.joined() + "*/*;q=0.7"
    case .picture: pictures.map { $0 + "," }.joined() + "*/*;q=0.5"
    }
}
