import Dispatch
public import Pipeline
public import Trace

/// Fetches from memory, disk, servers and files: what the program uses.
///
/// Composition only: state lives on the coordinator's queue, files and the disk cache on `halftone.disk`, servers on the transfer thread.
public final class Fetcher: Fetching {
    let options: NetworkOptions
    let coordinator: Coordinator
    let disk: WorkQueue
    let cache: HTTPCache
    let freshness: Freshness
    let identities: JobPool<Request, ContentIdentity?, FetchError>
    private let tracer: Tracer
    private let jobs: JobPool<Request, Response, FetchError>
    private let transfers: Transfers
    private let tally: OriginTally
    private let heirs: Heirs

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
        identities = JobPool(coordinator: coordinator)
        tally = OriginTally(tracer: tracer)
        // One thing at a time: disks are slower at two.
        disk = WorkQueue(label: "halftone.disk", width: 1, coordinator: coordinator)
        self.transfers = transfers
        // Looking at every file takes its time, which no reader should wait for.
        let housekeeping = DispatchQueue(label: "halftone.disk.trim", qos: .utility)
        let store = options.cacheFolder.map { folder in
            DiskCache(folder: folder, capacity: options.cacheBytes) { trim in
                housekeeping.async(execute: trim)
            }
        }
        cache = HTTPCache(options: options, disk: store)
        heirs = Heirs(coordinator: coordinator)
        freshness = Freshness(sessionStart: currentSeconds())
    }

    /// The disk cache, for others that keep something there; nil if there is none.
    public var diskCache: DiskCache? { cache.disk }

    /// Waits until what is to be kept on disk so far has been written, for so many milliseconds at most; not on the coordinator's queue.
    public func finishWriting(milliseconds: Int) {
        let done = DispatchSemaphore(value: 0)
        coordinator.perform { [disk] in
            disk.enqueue(priority: .idle, work: {}, then: { done.signal() })
        }
        _ = done.wait(timeout: .now() + .milliseconds(milliseconds))
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
        transfers.watch(address, receive: receive)
    }

    /// How much has come of a picture that is watched.
    public func progress(of address: Address) -> FetchProgress? {
        transfers.progress(of: address)
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
        } else if cache.generation(of: walk.key) < request.generation, !options.isOffline {
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
            let response = result.map {
                Response(address: address, body: $0.bytes, origin: .file)
            }
            self.finish(walk, response)
            if case (.success(let file), .success(let response)) = (result, response) {
                self.remember(file, at: path, as: response, for: walk.request)
            }
        }
    }

    // MARK: Cache

    private func lookUp(_ walk: FetchWalk) {
        if let answer = cache.inMemory(walk.key) {
            return use(walk, answer, from: .memory)
        }
        guard cache.hasDisk else { return ask(walk, nil) }
        // Who knows the body already does not need it read.
        let isBodyWanted = walk.request.known == nil
        onDisk(walk) { [cache, key = walk.key] in
            cache.onDisk(key, withBody: isBodyWanted)
        } then: { answer in
            guard let answer else { return self.ask(walk, nil) }
            self.cache.remember(answer, for: walk.key)
            self.use(walk, answer, from: .disk)
        }
    }

    private func use(_ walk: FetchWalk, _ answer: CachedAnswer, from origin: Response.Origin) {
        guard isUsable(answer, for: walk.request) else { return ask(walk, (answer, origin)) }
        give(walk, answer, from: origin)
    }

    /// Whether a kept answer may be shown without asking its server.
    func isUsable(_ answer: CachedAnswer, for request: Request) -> Bool {
        options.isOffline
            || cache.isSameVariant(answer, for: request)
                && freshness.isFresh(answer, for: request.purpose, at: currentSeconds())
    }

    /// Answers with what is kept, whose body may still lie on the disk.
    private func give(
        _ walk: FetchWalk, _ answer: CachedAnswer, from origin: Response.Origin,
        after timings: FetchTimings = FetchTimings()
    ) {
        var response = answer.response(from: origin)
        response.timings = timings
        if answer.body != nil {
            return finish(walk, .success(response))
        }
        if let known = walk.request.known, known == answer.hash.known {
            response.isKnown = true
            return finish(walk, .success(response))
        }
        // Something else than the asker knows, after all.
        onDisk(walk) { [cache, key = walk.key] in
            cache.onDisk(key)
        } then: { whole in
            guard let whole, whole.hash.known == answer.hash.known else {
                return self.ask(walk, nil)
            }
            self.finish(walk, whole.response(from: origin), after: timings)
        }
    }

    private func keep(_ answer: CachedAnswer, for key: String) {
        guard cache.admit(answer.generation, for: key) else { return }
        cache.remember(answer, for: key)
        guard cache.hasDisk else { return }
        cache.willWrite(answer, for: key)
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
        let request = walk.request
        let conditions = stale.map { answer, _ in
            answer.conditions(isSameVariant: cache.isSameVariant(answer, for: request))
        }
        // What is kept by now is older than what the server will answer.
        let generation = max(request.generation, cache.generation(of: walk.key))
        let subscription = transfers.start(
            request, conditions: conditions ?? [], priority: walk.job.priority
        ) { result in
            self.coordinator.perform { self.end(walk, result, stale, generation) }
        }
        heirs.begin(request, subscription)
        walk.job.depend(on: subscription)
        walk.job.onCancel { [heirs] in heirs.leave(request) }
    }

    /// Hands what came of a transfer to whoever waits for it now, and to the cache.
    private func end(
        _ walk: FetchWalk, _ result: Result<TransferAnswer, FetchError>,
        _ stale: (CachedAnswer, Response.Origin)?, _ generation: CacheGeneration
    ) {
        let (isLeft, heir) = heirs.take(walk.request)
        guard isLeft else { return receive(walk, result, stale, generation) }
        if case .failure(.cancelled) = result, let heir {
            return start(heir)
        }
        receive(heir ?? walk, result, stale, generation)
    }

    private func receive(
        _ walk: FetchWalk, _ result: Result<TransferAnswer, FetchError>,
        _ stale: (CachedAnswer, Response.Origin)?, _ generation: CacheGeneration
    ) {
        switch result {
        case .failure(let error):
            fail(walk, error, stale)
        case .success(let answer):
            let now = currentSeconds()
            let varying = cache.varying(answer.headers, of: walk.request, at: answer.address)
            if answer.status == 304, let (kept, origin) = stale {
                guard kept.isMeant(by: answer.headers) else {
                    return transfer(walk, confirming: nil)
                }
                // A 304 need not repeat `Vary`.
                let isVarying = answer.headers.contains { $0.name == "vary" }
                var confirmed = kept.confirmed(
                    by: answer.headers, at: now,
                    varying: isVarying
                        ? varying : cache.varying(kept.headers, of: walk.request, at: kept.address))
                confirmed.generation = generation
                keep(confirmed, for: walk.key)
                return give(walk, confirmed, from: origin, after: answer.timings)
            }
            var received = CachedAnswer(
                address: answer.address, headers: answer.headers, body: answer.body, storedAt: now,
                varying: varying)
            received.generation = generation
            if HTTPCache.isStorable(answer) {
                keep(received, for: walk.key)
            } else {
                dropCached(walk.key)
            }
            finish(walk, received.response(from: .network), after: answer.timings)
        }
    }

    /// Ends with `error`, unless what is kept may stand in for the server.
    private func fail(
        _ walk: FetchWalk, _ error: FetchError, _ stale: (CachedAnswer, Response.Origin)?
    ) {
        if let (kept, origin) = stale, cache.isSameVariant(kept, for: walk.request),
            freshness.standsIn(kept, for: error, at: currentSeconds())
        {
            return give(walk, kept, from: origin)
        }
        if [.status(404), .status(410)].contains(error) {
            dropCached(walk.key)
        }
        finish(walk, .failure(error))
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
            tally.count(response.origin)
            walk.span.end(
                "\(response.origin) \(response.body.count) bytes",
                figures: response.timings.figures)
        case .failure(let error): walk.span.end(error.description)
        }
        walk.job.finish(result)
    }
}
