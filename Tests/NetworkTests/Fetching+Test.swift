import Basics
import Dispatch
import Pipeline
import TestSupport

@testable import Network

/// A fetcher, and a server to fetch from.
struct Scene {
    let server: LoopbackServer
    let fetcher: FetchStage
    private let finish: FinishedWriting?

    /// Creates a scene; retries are immediate, so that no test waits for the clock.
    ///
    /// This machine counts as public until `isRebound`.
    init(
        server: LoopbackServer? = nil, pinnedNames: [String] = [], pinned: [String] = [],
        pageLimits: TokenBucket.Limits = TokenBucket.Limits(), rateSeconds: Double = 30,
        isRebound: Locked<Bool> = Locked(true),
        _ change: (inout NetworkOptions) -> Void = { _ in }
    ) throws {
        let server = try server ?? LoopbackServer()
        self.server = server
        var options = NetworkOptions()
        options.sources = [Address(server.url("/"))].compactMap(\.self)
        // Responses may be held for as long as a busy machine needs for the rest.
        options.timeout = 600
        change(&options)
        var settings = Transfers.Settings(options: options)
        settings.retries.firstPause = 0
        // A pause that a test inspects must not end meanwhile, however busy the machine is.
        settings.retries.maxPause = 86_400
        settings.pinnedNames = pinned + pinnedNames.map { "\($0):\(server.port):127.0.0.1" }
        settings.pageLimits = pageLimits
        settings.rateSeconds = rateSeconds
        settings.isPrivate = { isRebound.withLock(\.self) && isPrivateAddress($0) }
        fetcher = FetchStage(Transfers(settings))
        finish = options.cacheFolder.map { [fetcher] _ in FinishedWriting(fetcher: fetcher) }
    }

    /// Returns a request to the server.
    func request(
        _ path: String, for purpose: Request.Purpose = .picture, referer: String? = nil,
        generation: CacheGeneration = .any
    ) throws -> Request {
        guard let address = Address(path.hasPrefix("http") ? path : server.url(path)) else {
            throw NoAddress()
        }
        return Request(
            address, for: purpose, referer: referer.flatMap { Address($0) }, generation: generation)
    }

    /// Fetches and waits for the response.
    func get(
        _ path: String, for purpose: Request.Purpose = .picture, referer: String? = nil,
        generation: CacheGeneration = .any
    ) async throws -> Response {
        let request = try request(path, for: purpose, referer: referer, generation: generation)
        return try await fetcher.result(of: request).get()
    }

    /// Waits until all requests so far have reached the transfer thread's queue.
    func settle() {
        PipelineActor.settle(hops: 1)
    }

    /// Waits until all work on the disk queue so far is done: reading a file with the lowest priority comes last.
    func waitForDisk() {
        let done = DispatchSemaphore(value: 0)
        _ = fetcher.fetch(Request(Address(path: "/proc/self/comm"), for: .page), priority: .idle) {
            _ in done.signal()
        }
        done.wait()
    }
}

/// Waits on release until everything is on disk: a later write would recreate the cache folder after the test has removed it.
private final class FinishedWriting: Sendable {
    private let fetcher: FetchStage

    init(fetcher: FetchStage) {
        self.fetcher = fetcher
    }

    deinit {
        fetcher.store.finishWriting(milliseconds: 60_000)
    }
}

struct NoAddress: Error {}

extension Fetching {
    /// Fetches and waits for the result.
    func result(
        of request: Request, priority: Priority = .visible
    ) async -> Result<Response, FetchError> {
        await withCheckedContinuation { continuation in
            _ = fetch(request, priority: priority) { continuation.resume(returning: $0) }
        }
    }

    /// Starts fetching; the result can be awaited later.
    func started(_ request: Request, priority: Priority) -> Pending {
        let pending = Pending()
        pending.subscription = fetch(request, priority: priority) { pending.box.put($0) }
        return pending
    }
}

/// A fetch in flight.
final class Pending: @unchecked Sendable {
    // @unchecked: the subscription is set once, before another thread has access.
    let box = Box()
    var subscription: Subscription?

    /// Waits for the result.
    func result() async -> Result<Response, FetchError> {
        await withCheckedContinuation { continuation in
            box.take { continuation.resume(returning: $0) }
        }
    }
}

/// A result that one side puts and the other side takes.
final class Box: Sendable {
    typealias Value = Result<Response, FetchError>
    private struct State {
        var value: Value?
        var taker: (@Sendable (Value) -> Void)?
    }
    private let state = Locked(State())

    func put(_ value: Value) {
        let taker = state.withLock { state in
            precondition(state.value == nil, "a completion ran twice")
            state.value = value
            return state.taker
        }
        taker?(value)
    }

    func take(_ taker: @escaping @Sendable (Value) -> Void) {
        let value = state.withLock { state in
            state.taker = taker
            return state.value
        }
        value.map(taker)
    }
}

extension CachedAnswer {
    /// Creates a public answer that does not vary.
    init(address: Address, headers: HeaderFields, body: [UInt8], storedAt: Int) {
        let answer = TransferAnswer(address: address, status: 200, headers: headers, body: body)
        self.init(answer, storedAt: storedAt, generation: .any, varying: [:])
    }
}

extension FetchTimings {
    /// Total time.
    var total: Int { queue + working }
}
