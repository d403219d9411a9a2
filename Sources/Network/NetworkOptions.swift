/// What the user may set about requests and the cache; the defaults are those that README lists.
public struct NetworkOptions: Sendable {
    /// Requests at once to one host.
    public var connectionsPerHost = 6
    /// Seconds to connect, and without a byte.
    public var timeout = 15
    /// Tries after the first, for time-outs, 408, 425, 429 and 5xx.
    public var retries = 2
    /// The `User-Agent` header.
    public var userAgent = "halftone"
    /// Further headers, for the origins of the SOURCEs and no other server.
    public var headers: [(name: String, value: String)] = []
    /// The SOURCEs as the user named them.
    public var sources: [Address] = [] {
        didSet {
            sourceOrigins = Set(sources.map(\.origin))
            sourceHosts = Set(sources.map(\.host))
        }
    }
    private(set) var sourceOrigins: Set<String> = []
    private(set) var sourceHosts: Set<String> = []
    /// A Netscape cookie file, for the hosts of the SOURCEs and no other: cookies know no ports.
    public var cookieFile: String?
    /// The proxies on the way to servers.
    public var proxies = ProxyRules()
    /// A file of certificates to trust in place of the system's; nil for the system's.
    public var certificateFile: String?
    /// A folder of certificates to trust beside the file; each new connection then costs some 25 ms.
    public var certificateFolder: String?
    /// Whether `Referer` is sent.
    public var sendsReferer = true
    /// The folder of the disk cache; nil for none.
    public var cacheFolder: String?
    /// The budget of the disk cache, in bytes.
    public var cacheBytes = 512 << 20
    /// Whether the network is never touched.
    public var isOffline = false
    /// The largest body, in bytes after decompression.
    public var maxBytes = 64 << 20
    /// The media types of the pictures that can be shown, which servers are asked for before others.
    public var pictureTypes = ["image/jpeg", "image/png", "image/webp", "image/gif"]
    /// Whether a public page may point to private addresses.
    public var allowsPrivate = false

    /// The defaults.
    public init() {}

    /// Takes over what the environment says about the way to servers: proxies, and whose certificates are trusted, named as curl and
    /// OpenSSL name them.
    public mutating func adopt(variables: [String: String]) {
        proxies = ProxyRules(variables: variables)
        certificateFile = variables.firstFilled("CURL_CA_BUNDLE", "SSL_CERT_FILE")
        certificateFolder = variables.firstFilled("SSL_CERT_DIR")
    }
}
