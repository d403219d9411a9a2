public import Pipeline

/// What to fetch, and how fresh it must be.
///
/// Equal requests share one transfer.
public struct Request: Hashable, Sendable {
    /// What the bytes are wanted for; decides the `Accept` header.
    public enum Purpose: Hashable, Sendable {
        /// A page, feed or listing.
        case page
        /// A picture.
        case picture
    }

    /// Where.
    public var address: Address
    /// What for.
    public var purpose: Purpose
    /// The page that links here, sent as `Referer` if the options say so.
    public var referer: Address?
    /// What the cache answers with: nothing that was fetched for an earlier generation.
    public var generation: CacheGeneration
    /// Content that the asker has something made from: if that is still what is there, the response may come without its bytes.
    public var known: ContentHash?

    /// Makes a request.
    public init(
        _ address: Address, for purpose: Purpose, referer: Address? = nil,
        generation: CacheGeneration = .any, known: ContentHash? = nil
    ) {
        self.address = address
        self.purpose = purpose
        self.referer = referer
        self.generation = generation
        self.known = known
    }
}

/// What is known of the bytes that a request would be answered with, without reading them.
public struct ContentIdentity: Hashable, Sendable {
    /// What they are called.
    public var hash: ContentHash
    /// How many there are.
    public var byteCount: Int
    /// Whether they may be used as they are; otherwise their server has to be asked whether they are still right.
    public var isFresh: Bool

    /// Makes an identity.
    public init(hash: ContentHash, byteCount: Int, isFresh: Bool) {
        self.hash = hash
        self.byteCount = byteCount
        self.isFresh = isFresh
    }
}

/// The bytes of a page or picture, as received (content encodings undone).
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
    /// The media type in lower case without parameters; nil if the server named none (and for files).
    public var mediaType: String?
    /// The `charset` parameter of the content type.
    public var charset: String?
    /// Header fields, names in lower case.
    public var headers: [(name: String, value: String)]
    /// The body.
    public var body: [UInt8]
    /// Where the bytes came from.
    public var origin: Origin
    /// What the body is called.
    public var hash: LazyContentHash
    /// Whether the body was left out, as the asker knows it: `Request.known`.
    public var isKnown = false
    /// Where the time went, as far as a server was asked; a kept answer that its server confirmed has some too.
    public var timings: FetchTimings

    /// Makes a response; `hash` is worked out from `body` when it is asked for, unless it is given.
    public init(
        address: Address, mediaType: String? = nil, charset: String? = nil,
        headers: [(name: String, value: String)] = [], body: [UInt8], origin: Origin,
        hash: LazyContentHash? = nil,
        timings: FetchTimings = FetchTimings()
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

/// Fetches bytes: from memory, disk, file or network.
public protocol Fetching: Sendable {
    /// Fetches; callable on any thread. Equal requests under way share one transfer.
    ///
    /// `completion` runs exactly once on the coordinator's queue; cancelling tells it `cancelled`.
    func fetch(
        _ request: Request, priority: Priority,
        completion: @escaping @Sendable (Result<Response, FetchError>) -> Void
    ) -> Subscription

    /// Says what is known of the bytes that `fetch` would answer with; nil if nothing is. Asks no server.
    ///
    /// `completion` runs exactly once on the coordinator's queue.
    func identify(
        _ request: Request, priority: Priority,
        completion: @escaping @Sendable (Result<ContentIdentity?, FetchError>) -> Void
    ) -> Subscription

    /// Tells `receive` a few times of what has come of a picture from a server while the rest is on its way, whoever fetches it; any thread.
    ///
    /// What came before is told at once. How often is bounded, so that reading every arrival costs about as much as reading the whole;
    /// who was told of a part is told when the whole is there. `receive` runs on a thread of its own and must not block; cancelling ends it.
    func watch(
        _ address: Address, receive: @escaping @Sendable (Arrival) -> Void
    ) -> Subscription

    /// How much has come of a picture that is watched; nil if that is not known. Any thread.
    func progress(of address: Address) -> FetchProgress?
}

extension Fetching {
    /// Nothing is known; told at once.
    public func identify(
        _ request: Request, priority: Priority,
        completion: @escaping @Sendable (Result<ContentIdentity?, FetchError>) -> Void
    ) -> Subscription {
        completion(.success(nil))
        return .ended
    }

    /// Nothing is seen before it is whole.
    public func watch(
        _ address: Address, receive: @escaping @Sendable (Arrival) -> Void
    ) -> Subscription { .ended }

    /// Not known.
    public func progress(of address: Address) -> FetchProgress? { nil }
}
