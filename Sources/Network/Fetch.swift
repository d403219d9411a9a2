import Archives
import Basics
import Pipeline
import Trace

/// One subscriber's way to a resource through memory, disk and network.
///
/// ```
/// start ─┬─ local file ─ reading ──────────────────────────► end
///        ├─ in an archive ─ fetching all, or a part of it ─► end
///        ├─ zip archive ─ fetching its directory ───────────► end
///        └─ memory ─ reading ─┬─ usable ─────────────────────► end
///                             └─ stale, none ─ transferring ─┬─ received, confirmed ► end
///                                                            └─ failed ─ the stale answer will do? ► end
/// ```
@PipelineActor final class Fetch<Derived: Sendable> {
    /// A cached answer and where it was found.
    private struct Cached: Sendable {
        var answer: CachedAnswer
        var origin: Response.Origin
        /// What was derived from the answer's body.
        var derived: Derived?
    }

    private let stage: FetchStage
    private var request: Request
    private let key: String
    private let mayBeOnDisk: Bool
    private let flow: Flow
    /// Nil if the body is wanted in any case.
    private let derive: (@Sendable (ContentHash) -> Derived?)?
    private let completion: Completion<Found<Derived>, FetchError>
    private var priority: Priority
    /// The disk access or transfer that is waited for.
    private var step: Subscription?
    private var isEnded = false
    private var span: Span?

    init(
        _ request: Request, by stage: FetchStage, priority: Priority, mayBeOnDisk: Bool = true,
        flow: Flow, derive: (@Sendable (ContentHash) -> Derived?)?,
        completion: @escaping Completion<Found<Derived>, FetchError>
    ) {
        self.request = request.whole
        // What is recorded is whole.
        if stage.options.record != nil { self.request.part = nil }
        self.stage = stage
        self.priority = priority
        self.mayBeOnDisk = mayBeOnDisk
        self.flow = flow
        // What is to be recorded must be read.
        self.derive = stage.options.record == nil ? derive : nil
        self.completion = completion
        key = HTTPCache.key(of: self.request)
    }

    /// Starts the fetch; the subscription may only be used on the pipeline's queue.
    func start() -> Subscription {
        if request.address.isFile {
            findFile()
        } else if request.address.entry != nil {
            findEntry()
        } else if request.purpose == .page, request.part == nil, stage.options.record == nil,
            ["cbz", "zip"].contains(request.address.lastPathComponent.ending)
        {
            findDirectory()
        } else {
            findCached()
        }
        return Subscription(
            onCancel: { PipelineActor.assumeIsolated { self.cancel() } },
            onPriority: { priority in
                PipelineActor.assumeIsolated {
                    self.priority = priority
                    self.step?.setPriority(priority)
                }
            })
    }

    private func cancel() {
        step?.cancel()
        end(.cancelled)
    }

    private func findFile() {
        if let referer = request.referer, !referer.isFile {
            return end(.other("only the user may name files of this machine"))
        }
        guard let path = request.address.filePath else { return end(.noSuchFile) }
        guard let derive else {
            return read { [stage, request] in
                stage.read(path, for: request)
            } then: {
                self.end($0.map(Found.body))
            }
        }
        let contents = { @Sendable [stage, request] in
            try? stage.read(path, for: request, mayLeave: true).get()
        }
        guard let disk = stage.store.cache, isCurrent else {
            return end(.stored(contents))
        }
        read {
            disk.hashOfFile(at: path).flatMap(derive)
        } then: { derived in
            self.end(derived.map(Found.derived) ?? .stored(contents))
        }
    }

    /// Reads the directory at the end of an archive, if it has one and its server sends parts, else all of it.
    private func findDirectory() {
        fetch(Part(count: ZipDirectory.usualLength)) { [self] tail in
            guard tail.isPart else { return end(.body(tail)) }
            guard tail.version != nil, let directory = ZipDirectory(in: tail.body),
                // Not after what has been put before the archive; a server of sftp does not say how long it is.
                [tail.body.count, directory.missing.upperBound + directory.bytes.count]
                    .contains(tail.length)
            else { return findCached() }
            let answer = { [self] (beginning: [UInt8]) in
                var response = tail
                response.body = beginning + directory.bytes
                end(.body(response))
            }
            guard !directory.missing.isEmpty else { return answer([]) }
            fetch(Part(directory.missing)) { [self] beginning in
                guard beginning.version == tail.version else { return findCached() }
                answer(beginning.body)
            }
        }
    }

    /// Reads a file in an archive, which is opened if it is not open.
    private func findEntry() {
        let archive = request.address.page(nil)
        read { [archives = stage.archives] in
            archives.archive(from: archive.text)
        } then: { [self] open in
            if let open { return findEntry(in: open) }
            fetch(nil, then: openArchive)
        }
    }

    private func openArchive(_ response: Response) {
        read { [archives = stage.archives] in
            Result { () throws(ArchiveError) in try archives.open(response) }
        } then: { [self] in
            switch $0 {
            case .success(let open): findEntry(in: open)
            case .failure(let error): end(FetchError(error))
            }
        }
    }

    private func findEntry(in archive: Archive, anew generation: CacheGeneration? = nil) {
        let path = request.address.entry ?? ""
        guard let range = archive.part(with: path) else {
            return readEntry { () throws(ArchiveError) in try archive.contents(of: path) }
        }
        fetch(Part(range), for: .picture, generation) { [self] part in
            if part.version == archive.version {
                readEntry { () throws(ArchiveError) in try archive.contents(in: part.body) }
            } else if part.origin == .network || generation != nil {
                // It has changed, or its servers differ: all of it is of one version.
                fetch(.all, then: openArchive)
            } else {
                findEntry(in: archive, anew: .next())
            }
        }
    }

    /// Whether answers in the cache are recent enough for the request.
    private var isCurrent: Bool {
        stage.options.isOffline || stage.cache.generation(of: key) >= request.generation
    }

    private func findCached() {
        guard isCurrent else { return transfer(confirming: nil) }
        let recent = stage.cache.inMemoryOrPending(key)
        let isDerivable = derive != nil && recent?.hash.known != nil
        guard recent == nil || isDerivable, stage.store.cache != nil, mayBeOnDisk else {
            return use(recent.map { Cached(answer: $0, origin: .memory) })
        }
        read { [derive, key, cache = stage.cache] in
            let answer = recent ?? cache.onDisk(key, withBody: derive == nil)
            return answer.map { answer in
                Cached(
                    answer: answer, origin: recent == nil ? .disk : .memory,
                    derived: answer.hash.known.flatMap { derive?($0) })
            }
        } then: { [self] (found: Cached?) in
            if let found, !stage.cache.isPending(key) {
                if found.origin == .disk, found.answer.body != nil {
                    stage.cache.keepInMemory(found.answer, for: key)
                }
                use(found)
            } else {
                // Another request may have fetched it meanwhile, or learnt that it is gone.
                let answer = stage.cache.inMemoryOrPending(key)
                let isSame =
                    answer?.hash.known != nil && answer?.hash.known == found?.answer.hash.known
                use(
                    answer.map {
                        Cached(
                            answer: $0, origin: .memory, derived: isSame ? found?.derived : nil)
                    })
            }
        }
    }

    /// Answers with a cached answer that needs no confirmation by its server, or asks the server.
    private func use(_ cached: Cached?) {
        let cached = cached.flatMap { $0.answer.headers.isPart && request.part == nil ? nil : $0 }
        let isUsable =
            cached.map {
                stage.options.isOffline
                    || stage.cache.isSameVariant($0.answer, for: request)
                        && stage.freshness.isFresh(
                            $0.answer, for: request.purpose, at: currentSeconds())
            } ?? false
        guard let cached, isUsable else { return transfer(confirming: cached) }
        // Whether a page may link to private addresses depends on where it came from.
        if request.purpose != .picture {
            stage.transfers.settings.peers.note(
                cached.answer.address, isPrivate: cached.answer.isFromPrivate)
        }
        finish(with: cached)
    }

    private func transfer(confirming cached: Cached?) {
        guard !stage.options.isOffline else { return end(.offline) }
        beginSpan()
        step = stage.transfer(
            request, confirming: cached?.answer, priority: priority, flow: flow
        ) { [self] result in
            guard !isEnded else { return }
            switch result {
            case .success(.received(let received, let timings)):
                end(.body(received.response(from: .network, timings)))
            case .success(.confirmed(let confirmed, let timings)):
                let derived =
                    confirmed.hash.known == cached?.answer.hash.known ? cached?.derived : nil
                finish(
                    with: Cached(
                        answer: confirmed, origin: cached?.origin ?? .disk, derived: derived),
                    timings)
            case .failure(let error):
                guard let cached, stage.cache.isSameVariant(cached.answer, for: request),
                    stage.freshness.allowsStale(cached.answer, after: error, at: currentSeconds())
                else { return end(error) }
                finish(with: cached)
            }
        }
    }

    /// Ends with what was derived from the answer's body, the body, or the way to read it from disk.
    private func finish(with cached: Cached, _ timings: FetchTimings = FetchTimings()) {
        if let derived = cached.derived { return end(.derived(derived)) }
        let response = cached.answer.response(from: cached.origin, timings)
        if cached.answer.body != nil { return end(.body(response)) }
        let body: @Sendable () -> Response? = { [key, cache = stage.cache] in
            guard let whole = cache.onDisk(key), whole.hash.known == response.hash.known else {
                return nil
            }
            var response = response
            response.body = whole.body ?? []
            return response
        }
        guard derive == nil else { return end(.stored(body)) }
        read(work: body) { response in
            // Nil if the body has been removed meanwhile.
            guard let response else { return self.transfer(confirming: nil) }
            self.end(.body(response))
        }
    }

    private func readEntry(_ contents: @escaping @Sendable () throws(ArchiveError) -> [UInt8]) {
        read { [address = request.address] in
            Result(catching: contents).map { Response(address: address, body: $0, origin: .file) }
        } then: {
            self.end($0.map(Found.body).mapError(FetchError.init))
        }
    }

    /// Fetches a part of the archive at or around the address, or with nil what is needed to open it.
    private func fetch(
        _ part: Part?, for purpose: Request.Purpose = .page, _ generation: CacheGeneration? = nil,
        then: @escaping PipelineReceiver<Response>
    ) {
        let part = Request(
            request.address.page(nil), for: purpose,
            referer: request.address.entry == nil ? request.referer : nil,
            generation: generation ?? request.generation, part: part)
        step = stage.fetch(part, priority: priority) { result in
            PipelineActor.assumeIsolated { [self] in
                switch result {
                case .success(let response) where !isEnded: then(response)
                case .success: break
                case .failure(let error): end(error)
                }
            }
        }
    }

    private func read<Output: Sendable>(
        work: @escaping @Sendable () -> Output,
        then: @escaping PipelineReceiver<Output>
    ) {
        step = stage.store.queue.enqueue(priority: priority) { [flow] in
            flow.arrive("disk")
            return work()
        } then: { [self, flow] output in
            flow.arrive("pipeline")
            if !isEnded { then(output) }
        }
    }

    private func beginSpan() {
        span = span ?? stage.tracer.begin("fetch", detail: request.address.text)
    }

    private func end(_ found: Found<Derived>) { end(.success(found)) }

    private func end(_ failure: FetchError) { end(.failure(failure)) }

    private func end(_ result: Result<Found<Derived>, FetchError>) {
        guard !isEnded else { return }
        isEnded = true
        step = nil
        switch result {
        case .success(.body(let response)):
            stage.record(response, to: request)
            stage.tracer.tally(response.origin.tally)
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
