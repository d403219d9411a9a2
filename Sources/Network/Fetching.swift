public import Basics
public import Pipeline
import Synchronization
public import Trace

/// What to fetch, and how recent it must be.
///
/// Equal requests under way share one transfer.
public struct Request: Hashable, Sendable {
    /// What the bytes are wanted for; decides the `Accept` header.
    public enum Purpose: Hashable, Sendable {
        /// A page, feed or listing.
        case page
        /// A picture.
        case picture
        /// What a page offers programs, often at its own address.
        case data
    }

    /// Of a server or a file.
    public var address: Address
    /// What for.
    public var purpose: Purpose
    /// The page that links here, sent as `Referer` if the options say so.
    public var referer: Address?
    /// What the cache answers with: nothing that was fetched for an earlier generation.
    public var generation: CacheGeneration

    /// Makes a request.
    public init(
        _ address: Address, for purpose: Purpose, referer: Address? = nil,
        generation: CacheGeneration = .any
    ) {
        self.address = address
        self.purpose = purpose
        self.referer = referer
        self.generation = generation
    }
}

/// How recent an answer must be: an ever-growing number of this run of the program.
///
/// What was fetched from its server, or confirmed by it, for a generation answers requests of that one and of earlier ones. A reload takes
/// the next for everything it asks for, so that its parts share their transfers and each is fetched once.
public struct CacheGeneration: Hashable, Comparable, Sendable {
    /// Whatever HTTP's freshness allows.
    public static let any = CacheGeneration(number: 0)

    private static let last = Atomic<Int>(0)

    private let number: Int

    /// A generation later than all before it; any thread.
    public static func next() -> CacheGeneration {
        CacheGeneration(number: last.wrappingAdd(1, ordering: .relaxed).newValue)
    }

    /// Earlier ones come first.
    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
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
    /// The file of this machine that has this body and nothing else; nil for what comes from elsewhere.
    public var file: OpenFile?
    /// Where the bytes came from.
    public var origin: Origin
    /// The hash of the body.
    public var hash: LazyContentHash
    /// Where the time went, as far as a server was asked; a kept answer that its server confirmed has some too.
    public var timings: FetchTimings

    /// Makes a response; `hash` is worked out from `body` when it is asked for, unless it is given.
    public init(
        address: Address, mediaType: String? = nil, charset: String? = nil,
        headers: [(name: String, value: String)] = [], body: [UInt8], origin: Origin,
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

/// What was found for a request.
public enum Found<Derived: Sendable>: Sendable {
    /// What was made earlier from the same bytes, which were not read.
    case derived(Derived)
    /// The bytes.
    case body(Response)
    /// The bytes are in a file of this machine, to be read where they are needed, so that none wait in memory for their turn.
    ///
    /// Reading blocks. Nil if they are gone by now: `fetch` then gets them anew, or says why not.
    case stored(@Sendable () -> Response?)
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

    /// Finds the bytes of a picture, or what `derive` finds that was made of them, with one look at the disk; on the coordinator's queue.
    ///
    /// `derive` is asked on the queue `halftone.disk`, and nowhere if nothing is kept there; what it finds counts only as long as the bytes
    /// may be used, which their server may have to confirm. `completion` is as that of `fetch`.
    func find<Derived: Sendable>(
        _ request: Request, priority: Priority, flow: Flow,
        derive: @escaping @Sendable (ContentHash) -> Derived?,
        completion: @escaping @Sendable (Result<Found<Derived>, FetchError>) -> Void
    ) -> Subscription

    /// Tells `receive` a few times of what has come of a picture from a server while the rest is on its way, whatever it is fetched for;
    /// any thread.
    ///
    /// What came before is told at once. How often is bounded, so that reading every arrival costs about as much as reading the whole;
    /// a receiver that was told of a part is told when the whole is there. `receive` runs on a thread of its own and must not block;
    /// cancelling ends it.
    func watch(_ address: Address, receive: @escaping @Sendable (Arrival) -> Void) -> Subscription

    /// How much has come of a picture that is watched; nil if that is not known. Any thread.
    func progress(of address: Address) -> FetchProgress?

    /// The bytes of fetched pictures that wait to be decoded: new transfers wait for them.
    var backlog: Backlog { get }
}

/// Bytes of fetched pictures that wait to be decoded, so that no more are fetched than can be held; any thread.
///
/// Pictures that are only fetched ahead leave most of the room to those on the screen, and the selected one never waits.
public final class Backlog: Sendable {
    /// In bytes: some dozen photographs, and a screen of them.
    private static let mostAhead = 32 << 20
    private static let most = 128 << 20

    private struct State {
        var bytes = 0
        var onRoom: @Sendable () -> Void = {}
    }

    private let state = Locked(State())

    /// Makes an empty one.
    public init() {}

    /// How many wait.
    public var bytes: Int { state.withLock(\.bytes) }

    /// Adds bytes that wait, or takes them away if less than 0.
    public func add(_ bytes: Int) {
        let onRoom = state.withLock { state -> (@Sendable () -> Void)? in
            let before = state.bytes
            state.bytes += bytes
            let isRoom = [Self.mostAhead, Self.most].contains { before >= $0 && state.bytes < $0 }
            return isRoom ? state.onRoom : nil
        }
        onRoom?()
    }

    /// Whether a transfer of that urgency may start now.
    func admits(_ level: Priority.Level) -> Bool {
        switch level {
        case .idle, .prefetch: bytes < Self.mostAhead
        case .visible: bytes < Self.most
        case .urgent: true
        }
    }

    /// Calls `action` whenever more is admitted than before.
    func whenRoom(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.onRoom = action }
    }
}
