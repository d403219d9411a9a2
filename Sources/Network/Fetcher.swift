public import Pipeline
import Synchronization
public import Trace

/// Fetches from memory, disk, servers and files: what the program uses.
///
/// Composition only: state lives on the coordinator's queue, files and the disk cache on `halftone.disk`, servers on the transfer thread.
public final class Fetcher: Fetching {
    private let options: NetworkOptions
    private let coordinator: Coordinator
    private let tracer: Tracer
    private let jobs: JobPool<Request, Response, FetchError>
    private let disk: WorkQueue
    private let transfers: Transfers
    private let cache: HTTPCache
    private let freshness: Freshness
    private let heirs: Heirs
    private let hitCount = Atomic<Int>(0)

    /// Makes a fetcher; nothing is opened, created or started before the first request.
    public convenience init(
        options: NetworkOptions, coordinator: Coordinator, tracer: Tracer = .disabled
    ) {
        self.init(
            options: options, coordinator: coordinator,
            transfers: Transfers(options: options, tracer: tracer), tracer: tracer)
    }

    init(
        options: NetworkOptions, coordinator: Coordinator, transfers: Transfers,
        tracer: Tracer = .disabled
    ) {
        self.options = options
        self.coordinator = coordinator
        self.tracer = tracer
        jobs = JobPool(coordinator: coordinator)
        // One thing at a time: disks are slower at two.
        disk = WorkQueue(label: "halftone.disk", width: 1, coordinator: coordinator)
        self.transfers = transfers
        heirs = Heirs(coordinator: coordinator)
        cache = HTTPCache(options: options)
        freshness = Freshness(sessionStart: currentSeconds())
    }

    /// Requests that are with servers at this moment; callable from any thread.
    public var transfersInFlight: Int { transfers.inFlightCount }

    /// Fetches as `Fetching` promises; a file is read, everything else comes from memory, disk or its server.
    public func fetch(
        _ request: Request, priority: Priority,
        completion: @escaping @Sendable (Result<Response, FetchError>) -> Void
    ) -> Subscription {
        coordinator.subscribe {
            self.jobs.subscribe(
                to: request, priority: priority,
                start: { self.start(request, $0) }, receive: completion)
        }
    }

    /// Tells of what comes in from servers, as `Fetching` promises.
    public func watch(
        _ address: Address, receive: @escaping @Sendable (Arrival) -> Void
    ) -> Subscription {
        transfers.arrivals.watch(address, receive: receive)
    }

    /// How much has come of a picture that is watched.
    public func progress(of address: Address) -> FetchProgress? {
        transfers.arrivals.progress(of: address)
    }

    private func start(_ request: Request, _ job: Job<Response, FetchError>) {
        let span = tracer.begin("bytes", detail: request.address.text)
        job.onCancel { span.end("cancelled") }
        let walk = FetchWalk(request: request, job: job, span: span)
        if !heirs.join(walk) {
            start(walk)
        }
    }

    private func start(_ walk: FetchWalk) {
        let request = walk.request
        if request.address.isFile {
            readFile(walk)
        } else if request.freshness == .reload, !options.isOffline {
            transfer(walk, confirming: nil)
        } else {
            lookUp(walk)
        }
    }

    // MARK: Files

    private func readFile(_ walk: FetchWalk) {
        let address = walk.request.address
        if let referer = walk.request.referer, !referer.isFile {
            return finish(walk, .failure(.privateAddress("a file of this machine")))
        }
        guard let path = address.filePath else { return finish(walk, .failure(.noSuchFile)) }
        onDisk(walk) { [options] in
            Result { () throws(FetchError) in
                try contentsOfFile(at: path, limit: options.maxBytes)
            }
        } then: { result in
            let response = result.map { Response(address: address, body: $0, origin: .file) }
            self.finish(walk, response)
        }
    }

    // MARK: Cache

    private func lookUp(_ walk: FetchWalk) {
        if let answer = cache.inMemory(walk.key) {
            return use(walk, answer, from: .memory)
        }
        guard cache.hasDisk else { return ask(walk, nil) }
        onDisk(walk) { [cache, key = walk.key] in
            cache.onDisk(key)
        } then: { answer in
            guard let answer else { return self.ask(walk, nil) }
            self.cache.remember(answer, for: walk.key)
            self.use(walk, answer, from: .disk)
        }
    }

    private func use(_ walk: FetchWalk, _ answer: CachedAnswer, from origin: Response.Origin) {
        let purpose = walk.request.purpose
        let isEnough = freshness.isFresh(answer, for: purpose, at: currentSeconds())
        guard isEnough || options.isOffline else { return ask(walk, (answer, origin)) }
        tracer.count("cache hits", hitCount.wrappingAdd(1, ordering: .relaxed).newValue)
        finish(walk, .success(answer.response(from: origin)))
    }

    private func keep(_ answer: CachedAnswer, for key: String) {
        cache.remember(answer, for: key)
        guard cache.hasDisk else { return }
        disk.enqueue(priority: .idle, work: { [cache] in cache.write(answer, for: key) }, then: {})
    }

    private func dropCached(_ key: String) {
        cache.forget(key)
        guard cache.hasDisk else { return }
        disk.enqueue(priority: .idle, work: { [cache] in cache.remove(key) }, then: {})
    }

    // MARK: Servers

    private func ask(_ walk: FetchWalk, _ stale: (CachedAnswer, Response.Origin)?) {
        guard !options.isOffline else { return finish(walk, .failure(.offline)) }
        transfer(walk, confirming: stale)
    }

    private func transfer(_ walk: FetchWalk, confirming stale: (CachedAnswer, Response.Origin)?) {
        let order = TransferOrder(
            address: walk.request.address, purpose: walk.request.purpose,
            referer: walk.request.referer, conditions: stale?.0.conditions ?? [])
        let subscription = transfers.start(order, priority: walk.job.priority) { result in
            self.coordinator.perform { self.end(walk, result, stale) }
        }
        walk.job.depend(on: subscription)
        walk.job.onCancel { [heirs] in heirs.leave(walk.request, subscription) }
    }

    /// Hands what came of a transfer to whoever waits for it now, and to the cache.
    private func end(
        _ walk: FetchWalk, _ result: Result<TransferAnswer, FetchError>,
        _ stale: (CachedAnswer, Response.Origin)?
    ) {
        guard walk.job.isEnded, case (true, let heir) = heirs.take(walk.request) else {
            return receive(walk, result, stale)
        }
        if case .failure(.cancelled) = result, let heir {
            return start(heir)
        }
        receive(heir ?? walk, result, stale)
    }

    private func receive(
        _ walk: FetchWalk, _ result: Result<TransferAnswer, FetchError>,
        _ stale: (CachedAnswer, Response.Origin)?
    ) {
        switch result {
        case .failure(let error):
            finish(walk, .failure(error))
        case .success(let answer):
            let now = currentSeconds()
            if answer.status == 304, let (kept, origin) = stale {
                let confirmed = kept.confirmed(by: answer.headers, at: now)
                keep(confirmed, for: walk.key)
                return finish(walk, confirmed.response(from: origin), after: answer.timings)
            }
            let received = CachedAnswer(
                address: answer.address, headers: answer.headers, body: answer.body, storedAt: now)
            if HTTPCache.isStorable(answer) {
                keep(received, for: walk.key)
            } else {
                dropCached(walk.key)
            }
            finish(walk, received.response(from: .network), after: answer.timings)
        }
    }

    // MARK: Parts

    /// Runs blocking work on the disk queue as part of a job, whose priority and end it follows.
    private func onDisk<Output: Sendable>(
        _ walk: FetchWalk, work: @escaping @Sendable () -> Output,
        then: @escaping @Sendable (Output) -> Void
    ) {
        let ticket = disk.enqueue(priority: walk.job.priority, work: work) { output in
            if !walk.job.isEnded { then(output) }
        }
        walk.job.onCancel { ticket.cancel() }
        walk.job.onPriorityChange { ticket.setPriority($0) }
    }

    private func finish(
        _ walk: FetchWalk, _ response: Response, after timings: FetchTimings
    ) {
        var response = response
        response.timings = timings
        finish(walk, .success(response))
    }

    private func finish(_ walk: FetchWalk, _ result: Result<Response, FetchError>) {
        guard !walk.job.isEnded else { return }
        switch result {
        case .success(let response):
            walk.span.end(
                "\(response.origin) \(response.body.count) bytes",
                figures: response.timings.figures)
        case .failure(let error): walk.span.end(error.description)
        }
        walk.job.finish(result)
    }
}

/// One job on its way through the tiers.
struct FetchWalk: Sendable {
    let request: Request
    let job: Job<Response, FetchError>
    let span: Span
    let key: String

    init(request: Request, job: Job<Response, FetchError>, span: Span) {
        self.request = request
        self.job = job
        self.span = span
        key = HTTPCache.key(of: request)
    }
}
