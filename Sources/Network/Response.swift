public import Basics
public import Pipeline

/// The bytes of a page or picture, with content encodings removed.
public struct Response: Sendable {
    /// Where the bytes came from.
    public enum Origin: Sendable {
        /// A server.
        case network
        /// The disk cache.
        case disk
        /// The memory cache.
        case memory
        /// A local file.
        case file
    }

    /// The address after redirects; relative links are relative to it.
    public var address: Address
    /// The media type in lower case without parameters; nil if the server stated none, and for local files.
    public var mediaType: String?
    /// The `charset` parameter of the content type.
    public var charset: String?
    /// The header fields, with names in lower case.
    public var headers: HeaderFields
    /// The body.
    public var body: [UInt8]
    /// The local file with exactly this body, or one read in place, which begins with it; nil if the body comes from elsewhere.
    public var file: OpenFile?
    /// Where the bytes came from.
    public var origin: Origin
    /// The hash of the body.
    public var hash: LazyContentHash
    /// How the time spent with servers was used; also set for a cached response that was revalidated.
    public var timings: FetchTimings

    /// Whether the body is only the part that was asked for.
    public var isPart: Bool { headers.isPart }

    /// The length of the resource in bytes, or that of the part if its server does not say.
    public var length: Int {
        headers.contentRange?.total ?? body.count
    }

    /// What the parts of one version of a resource have in common; nil if they cannot be told from those of another.
    public var version: String? {
        (headers["etag"] ?? headers["last-modified"]).map {
            $0 + (headers["content-range"]?.halves(at: "/").tail ?? "")
        }
    }

    /// Creates a response; unless `hash` is given, it is computed from `body` on first use.
    public init(
        address: Address, mediaType: String? = nil, charset: String? = nil,
        headers: HeaderFields = [], body: [UInt8], origin: Origin,
        hash: LazyContentHash? = nil, timings: FetchTimings = FetchTimings()
    ) {
        self.address = address
        self.mediaType = mediaType
        self.charset = charset
        self.headers = headers
        self.body = body
        self.origin = origin
        self.hash = hash ?? LazyContentHash(of: body)
        self.timings = timings
    }
}

/// The result of looking for a picture.
public enum Found<Derived: Sendable>: Sendable {
    /// A result derived earlier from the same bytes, which were not read.
    case derived(Derived)
    /// The bytes.
    case body(Response)
    /// The bytes are in a local file, to be read only when needed, so that none are held in memory while they wait.
    ///
    /// Reading blocks. Returns nil if they are gone by now: `fetch` then gets them again, or reports why it cannot.
    case stored(@Sendable () -> Response?)
}
