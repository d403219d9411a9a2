import Basics
import CCurl

extension Exchange {
    /// The maximum duration of a transfer in milliseconds, so that none holds a slot forever.
    private static let maxTransfer = 600_000
    /// The rate in bytes per second below which a transfer is stalled: a thumbnail of 10 KB would take five minutes.
    private static let slowest = 32

    /// Sets all libcurl options: the request, its limits and the callbacks.
    func configure() {
        set(CURLOPT_URL, address.text)
        set(CURLOPT_PROTOCOLS_STR, address.isOnWeb ? "http,https" : address.scheme)
        // Signals belong to the main thread.
        set(CURLOPT_NOSIGNAL, 1)
        // Redirects are followed by our own code: each is checked, and header fields are sent only to the servers they are meant for.
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        // HTTP/2 is negotiated with TLS. Without encryption, libcurl would hold back all other requests until the first response shows that
        // the server does not support it.
        let isEncrypted = address.scheme == "https"
        let version = isEncrypted ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1
        set(CURLOPT_HTTP_VERSION, Int(version))
        set(CURLOPT_PIPEWAIT, isEncrypted ? 1 : 0)
        // Everything this libcurl can decode; but parts only unencoded.
        set(CURLOPT_ACCEPT_ENCODING, partial == nil && part == nil ? "" : "identity")
        set(CURLOPT_HTTP_CONTENT_DECODING, transfer.isUncoded ? 0 : 1)
        set(CURLOPT_USERAGENT, options.userAgent)
        // The proxy chosen by the rules, or none: libcurl must not read the environment itself.
        set(CURLOPT_PROXY, proxy ?? "")
        set(CURLOPT_NOPROXY, "")
        // The header of the tunnel's response is not the server's.
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // libcurl's default of 16 KB takes eight times the system calls, which is noticeable on a fast connection.
        set(CURLOPT_BUFFERSIZE, 128 << 10)
        // With a folder of certificates, libcurl reads the whole bundle again for every connection: 25 ms each.
        set(CURLOPT_CAPATH, options.certificateFolder)
        if let file = options.certificateFile {
            set(CURLOPT_CAINFO, file)
            set(CURLOPT_PROXY_CAINFO, file)
        }
        if case .success(let login)? = settings.options.secrets(for: address)?.login?() {
            set(CURLOPT_HTTPAUTH, halftone_curl_logins)
            set(CURLOPT_USERPWD, login)
        }
        setLimits()
        let request = transfer.request
        let range = part.map { [("Range", "bytes=\($0.text)")] }
        let conditions = transfer.task.conditions + (partial?.request ?? range ?? [])
        setHeaders(
            requestFields(
                of: request, to: address, conditions: conditions, options: settings.options))
        installCallbacks()
        if address.isOnFileServer { configureFileServer() }
    }

    func set(_ option: CURLoption, _ value: Int) {
        halftone_curl_set_long(handle, option, value)
    }

    func set(_ option: CURLoption, _ text: String?) {
        halftone_curl_set_text(handle, option, text)
    }

    private func setLimits() {
        let seconds = max(1, options.timeout)
        set(CURLOPT_CONNECTTIMEOUT_MS, seconds * 1000)
        // Counts bytes of the body only; a header that trickles in is worth nothing.
        set(CURLOPT_LOW_SPEED_LIMIT, Self.slowest)
        set(CURLOPT_LOW_SPEED_TIME, seconds)
        // At a rate that the user has chosen, it takes as long as it takes.
        let longest = options.pace.rate == nil ? max(Self.maxTransfer, seconds * 20_000) : 0
        set(CURLOPT_TIMEOUT_MS, longest)
        // Applies only to a length declared by the server; other bodies are counted as they arrive.
        halftone_curl_set_size(handle, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(limit))
    }
}

/// Returns the header fields sent with a request to `address`, besides those that libcurl adds.
func requestFields(
    of request: Request, to address: Address, conditions: HeaderFields = [],
    options: NetworkOptions
) -> HeaderFields {
    var fields = conditions
    fields.append(("Accept", accept(request.purpose, options.pictureTypes)))
    let site = options.site(address.host)
    if (site ?? options).sendsReferer, let referer = sentReferer(of: request, to: address) {
        fields.append(("Referer", referer))
    }
    if address.origin == request.address.origin {
        let own = options.pictureHeaders.withLock { $0[request.address] } ?? []
        fields = fields.replaced(by: own.safe)
    }
    return fields.replaced(by: options.ownFields(for: address).safe)
}

/// Returns the `Referer`, as browsers do by default (`strict-origin-when-cross-origin`); nil if none is sent.
///
/// Paths and queries, which may be secret, stay with their own server; files and file servers, and https pages linking to http, send none.
private func sentReferer(of request: Request, to address: Address) -> String? {
    guard let referer = request.referer, referer.isOnWeb else { return nil }
    if referer.origin == address.origin { return referer.text }
    return referer.scheme == "https" && address.scheme == "http" ? nil : referer.origin + "/"
}

/// Whether the text is safe in a header field: a line break would inject another field, or a request.
package func isSafeInHeader(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
}

/// Lists the formats that can be decoded, so that servers that choose by this header send one of them.
private func accept(_ purpose: Request.Purpose, _ pictures: [String]) -> String {
    switch purpose {
    case .data:
        "application/feed+json,application/ld+json,application/json,application/atom+xml,"
            + "application/rss+xml,application/xml;q=0.9,text/html;q=0.8,*/*;q=0.7"
    case .page:
        "text/html,application/xhtml+xml,application/rss+xml,application/atom+xml,"
            + "application/xml;q=0.9," + pictures.map { $0 + ";q=0.8," }.joined() + "*/*;q=0.7"
    case .picture: pictures.map { $0 + "," }.joined() + "*/*;q=0.5"
    }
}
