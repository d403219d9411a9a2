public import Basics
public import Pipeline
import Synchronization
public import Trace

/// A request for a resource, with the minimum recency of the response.
///
/// Equal requests in flight share one transfer.
public struct Request: Hashable, Sendable {
    /// The intended use of the bytes; decides the `Accept` header, and begins the key in the cache.
    public enum Purpose: String, Sendable {
        /// A page, feed or listing.
        case page
        /// A picture.
        case picture
        /// Machine-readable data that a page offers, often at its own address.
        case data
    }

    /// The address on a server or of a local file.
    public var address: Address
    /// The intended use of the bytes.
    public var purpose: Purpose
    /// The page that links here, sent as `Referer` if the options say so.
    public var referer: Address?
    /// The cache does not answer with responses fetched for an earlier generation.
    public var generation: CacheGeneration

    /// Creates a request.
    public init(
        _ address: Address, for purpose: Purpose, referer: Address? = nil,
        generation: CacheGeneration = .any
    ) {
        self.address = address
        self.purpose = purpose
        self.referer = referer
        self.generation = generation
    }

    /// The request for the bytes that hold what is wanted.
    ///
    /// For a page of a document those of all of it, which a server has already sent as a page of a gallery, as it has a picture that is its
    /// own page.
    var whole: Request {
        guard address.page != nil || purpose == .picture && referer == address else { return self }
        var whole = self
        whole.address = address.page(nil)
        if !address.isFile { whole.purpose = .page }
        return whole
    }
}

/// How recent a response must be: an ever-growing number within this run of the program.
///
/// A response fetched or revalidated for one generation serves requests of that and of earlier ones. A reload takes the next generation for
/// all its requests, so that they share transfers and each resource is fetched once.
public struct CacheGeneration: Hashable, Comparable, Sendable {
    /// Any response that HTTP's freshness rules allow.
    public static let any = CacheGeneration(number: 0)

    private static let last = Atomic<Int>(0)

    private let number: Int

    /// Returns a generation later than all before it; callable from any thread.
    public static func next() -> CacheGeneration {
        CacheGeneration(number: last.wrappingAdd(1, ordering: .relaxed).newValue)
    }

    /// Earlier generations come first.
    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

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

/// Fetches bytes: from memory, disk, file or network.
public protocol Fetching: Sendable {
    /// Fetches a resource; callable from any thread. Equal requests in flight share one transfer.
    ///
    /// `completion` runs exactly once, on the pipeline's queue; after cancelling it receives `cancelled`.
    func fetch(
        _ request: Request, priority: Priority,
        completion: @escaping Completion<Response, FetchError>
    ) -> Subscription

    /// Finds a picture's bytes, or what `derive` returns for them, with one disk access.
    ///
    /// `derive` is called on the queue `halftone.disk`, and only if there is a disk cache; its result is used only while the bytes
    /// themselves may be, for which their server may have to revalidate them. For `completion` see `fetch`.
    @PipelineActor func find<Derived: Sendable>(
        _ request: Request, priority: Priority, flow: Flow,
        derive: @escaping @Sendable (ContentHash) -> Derived?,
        completion: @escaping Completion<Found<Derived>, FetchError>
    ) -> Subscription

    /// Calls `receive` a few times with the part of a picture received so far, whatever it is fetched for; callable from any thread.
    ///
    /// A part that has already arrived is reported at once. The number of reports is bounded, so that reading them all costs about as much
    /// as reading the whole; a receiver of a part is also notified when the picture is complete. `receive` runs on a thread of its own and
    /// must not block; cancelling ends the reports.
    func watch(_ address: Address, receive: @escaping Receiver<Arrival>) -> Subscription

    /// Notes that a file is a copy of a page of the web: what it links to is reached as from there; callable from any thread.
    ///
    /// - Parameter original: the page's address; nil if unknown, which counts as public.
    func note(copy file: Address, of original: Address?)

    /// Notes the header fields that pictures are to be requested with at their own servers, by address; callable from any thread.
    func note(headers: [Address: HeaderFields])

    /// Returns the progress of a watched picture; nil if unknown. Callable from any thread.
    func progress(of address: Address) -> FetchProgress?

    /// The bytes of fetched pictures waiting to be decoded; new transfers wait while there are too many.
    var backlog: Backlog { get }
}

/// Back pressure: counts the bytes of fetched pictures waiting to be decoded; usable from any thread.
///
/// Prefetched pictures leave most of the room to those on the screen, and the selected one never waits.
public final class Backlog: Sendable {
    /// Limits in bytes: some dozen photographs, and a screen of them.
    private static let maxAhead = 32 << 20
    private static let most = 128 << 20

    private struct State {
        var bytes = 0
        var onRoom: Action = {}
    }

    private let state = Locked(State())

    /// Creates an empty backlog.
    public init() {}

    /// The number of bytes waiting.
    public var bytes: Int { state.withLock(\.bytes) }

    /// Adds waiting bytes, or removes them if negative.
    public func add(_ bytes: Int) {
        let onRoom = state.withLock { state -> Action? in
            let before = state.bytes
            state.bytes += bytes
            let isRoom = [Self.maxAhead, Self.most].contains { before >= $0 && state.bytes < $0 }
            return isRoom ? state.onRoom : nil
        }
        onRoom?()
    }

    /// Returns whether a transfer of that priority level may start now.
    func admits(_ level: Priority.Level) -> Bool {
        switch level {
        case .idle, .prefetch: bytes < Self.maxAhead
        case .visible: bytes < Self.most
        case .urgent: true
        }
    }

    /// Calls `action` whenever a level is admitted again.
    func whenRoom(_ action: @escaping Action) {
        state.withLock { $0.onRoom = action }
    }
}
