import Pipeline
import Trace

/// The state machine of one request through memory, disk and network, on the coordinator's queue.
///
/// ```
/// start ─┬─ local file, drawing in its address ────────────► answer
///        └─ look up ─┬─ usable ────────────────────────────► answer
///                    └─ stale, none ─ transfer ─┬─ received ► answer
///                                               ├─ confirmed ► answer
///                                               └─ failed ─── stands in? ► answer
/// ```
final class Retrieval<Derived: Sendable>: @unchecked Sendable {
    // @unchecked: all variables are accessed on the coordinator's queue only; each entry point asserts it, and steps complete there.

    typealias Completion = @Sendable (Result<Found<Derived>, FetchError>) -> Void
    typealias Kept = (answer: CachedAnswer, origin: Response.Origin)

    private let fetcher: Fetcher
    private let request: Request
    private let key: String
    private let flow: Flow
    /// Nil if the body is wanted in any case.
    private let derive: (@Sendable (ContentHash) -> Derived?)?
    private var priority: Priority
    private var completion: Completion?
    /// The step in progress.
    private var step = Subscription.ended
    private var derived: (hash: ContentHash, value: Derived)?
    private var timings = FetchTimings()
    private var span: Span?

    init(
        _ request: Request, by fetcher: Fetcher, priority: Priority, flow: Flow,
        derive: (@Sendable (ContentHash) -> Derived?)?, completion: @escaping Completion
    ) {
        self.request = request
        self.fetcher = fetcher
        self.priority = priority
        self.flow = flow
        self.derive = derive
        self.completion = completion
        key = HTTPCache.key(of: request)
    }

    /// Starts the retrieval; the subscription is confined to the coordinator's queue.
    func start() -> Subscription {
        fetcher.coordinator.assertConfined()
        if request.address.isFile {
            findFile()
        } else if let drawing = request.address.drawing {
            find(drawing)
        } else {
            lookUp()
        }
        return Subscription(
            onCancel: {
                self.fetcher.coordinator.assertConfined()
                self.step.cancel()
                self.finish(.failure(.cancelled))
            },
            onPriority: { priority in
                self.fetcher.coordinator.assertConfined()
                self.priority = priority
                self.step.setPriority(priority)
            })
    }

    private func findFile() {
        if let referer = request.referer, !referer.isFile {
            return finish(.failure(.privateAddress("a file of this machine")))
        }
        guard let path = request.address.filePath else { return finish(.failure(.noSuchFile)) }
        guard let derive else {
            return onDisk { [fetcher, request] in
                fetcher.read(path, for: request)
            } then: {
                self.finish($0.map { .body($0) })
            }
        }
        let read = { @Sendable [fetcher, request] in try? fetcher.read(path, for: request).get() }
        guard let disk = fetcher.store.cache, isCurrent else {
            return finish(.success(.stored(read)))
        }
        onDisk {
            disk.hashOfFile(at: path).flatMap(derive)
        } then: { derived in
            self.finish(.success(derived.map { .derived($0) } ?? .stored(read)))
        }
    }

    /// Returns the drawing in the address, or a result derived from it earlier, looked up by its hash.
    private func find(_ drawing: [UInt8]) {
        let response = Response(
            address: request.address, mediaType: "image/svg+xml", body: drawing, origin: .memory)
        guard let derive, fetcher.store.cache != nil else {
            return finish(.success(.body(response)))
        }
        onDisk {
            derive(response.hash.value)
        } then: { derived in
            self.finish(.success(derived.map { .derived($0) } ?? .body(response)))
        }
    }

    private var isCurrent: Bool {
        fetcher.options.isOffline || fetcher.cache.generation(of: key) >= request.generation
    }

    private func lookUp() {
        guard isCurrent else { return transfer(confirming: nil) }
        let recent = fetcher.cache.inMemory(key)
        let isDerivable = derive != nil && recent?.hash.known != nil
        if let recent, !isDerivable { return use((recent, .memory)) }
        guard fetcher.store.cache != nil else { return use(recent.map { ($0, .memory) }) }
        onDisk { [derive, key, cache = fetcher.cache] in
            let answer = recent ?? cache.onDisk(key, withBody: derive == nil)
            let hash = answer?.hash.known
            return (answer, hash.flatMap { hash in derive?(hash).map { (hash, $0) } })
        } then: { [self] (answer: CachedAnswer?, derived: (ContentHash, Derived)?) in
            self.derived = derived
            if let answer, !fetcher.cache.isAhead(of: key) {
                if recent == nil, answer.body != nil { fetcher.cache.recall(answer, for: key) }
                use((answer, recent == nil ? .disk : .memory))
            } else {
                // Another request may have fetched it meanwhile, or learnt that it is gone.
                use(fetcher.cache.inMemory(key).map { ($0, .memory) })
            }
        }
    }

    private func use(_ kept: Kept?) {
        if let kept, isUsable(kept.answer) {
            // Whether a page may link to private addresses depends on where it came from.
            if request.purpose != .picture {
                fetcher.transfers.peers.note(
                    kept.answer.address, isPrivate: kept.answer.isFromPrivate)
            }
            answer(with: kept)
        } else {
            transfer(confirming: kept)
        }
    }

    /// Whether a cached response may be used without asking its server.
    private func isUsable(_ answer: CachedAnswer) -> Bool {
        fetcher.options.isOffline
            || fetcher.cache.isSameVariant(answer, for: request)
                && fetcher.freshness.isFresh(answer, for: request.purpose, at: currentSeconds())
    }

    private func answer(with kept: Kept) {
        if let derived, derived.hash == kept.answer.hash.known {
            return finish(.success(.derived(derived.value)))
        }
        var response = kept.answer.response(from: kept.origin)
        response.timings = timings
        if kept.answer.body != nil { return finish(.success(.body(response))) }
        let read: @Sendable () -> Response? = { [key, cache = fetcher.cache, response] in
            guard let whole = cache.onDisk(key), whole.hash.known == response.hash.known,
                let body = whole.body
            else { return nil }
            cache.recall(whole, for: key)
            var response = response
            response.body = body
            return response
        }
        guard derive == nil else { return finish(.success(.stored(read))) }
        onDisk(work: read) { response in
            // Nil if the body has been removed meanwhile.
            guard let response else { return self.transfer(confirming: nil) }
            self.finish(.success(.body(response)))
        }
    }

    private func transfer(confirming kept: Kept?) {
        guard !fetcher.options.isOffline else { return finish(.failure(.offline)) }
        beginSpan()
        step = fetcher.shared.join(
            request, confirming: kept?.answer, priority: priority, flow: flow
        ) { [self] result in
            switch result {
            case .success(.received(let received, let timings)):
                var response = received.response(from: .network)
                response.timings = timings
                finish(.success(.body(response)))
            case .success(.confirmed(let confirmed, let timings)):
                self.timings = timings
                answer(with: (confirmed, kept?.origin ?? .disk))
            case .failure(let error):
                if let kept, fetcher.cache.isSameVariant(kept.answer, for: request),
                    fetcher.freshness.standsIn(kept.answer, for: error, at: currentSeconds())
                {
                    answer(with: kept)
                } else {
                    finish(.failure(error))
                }
            }
        }
    }

    private func onDisk<Output: Sendable>(
        work: @escaping @Sendable () -> Output, then: @escaping @Sendable (Output) -> Void
    ) {
        step = fetcher.store.queue.enqueue(priority: priority) { [flow] in
            flow.arrive("disk")
            return work()
        } then: { [self] output in
            flow.arrive("pipeline")
            if completion != nil { then(output) }
        }
    }

    private func beginSpan() {
        span = span ?? fetcher.tracer.begin("fetch", detail: request.address.text)
    }

    private func finish(_ result: Result<Found<Derived>, FetchError>) {
        guard let completion else { return }
        self.completion = nil
        switch result {
        case .success(.body(let response)):
            fetcher.tracer.tally(response.origin.tally)
            beginSpan()
            span?.end(
                "\(response.origin) \(response.body.count) bytes",
                figures: response.timings.figures)
        case .success(.stored):
            beginSpan()
            span?.end("on disk")
        case .success(.derived): span?.end("derived")
        case .failure(let error): span?.end(error.description)
        }
        completion(result)
    }
}

extension Response.Origin {
    /// The counter to increment in the trace.
    fileprivate var tally: StaticString {
        switch self {
        case .memory: "hits raw memory"
        case .disk: "hits raw disk"
        case .network: "from network"
        case .file: "from files"
        }
    }
}
