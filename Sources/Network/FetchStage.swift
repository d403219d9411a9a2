public import Archives
public import Basics
import Glibc
public import Pipeline
public import Trace

/// The first stage: fetches bytes from memory, disk, servers and local files.
///
/// Its state lives on the pipeline's queue, files and the disk cache on `halftone.disk`, servers on the transfer thread; local picture
/// files are read where they are decoded. Equal requests share a transfer, which may continue for a while after its last subscriber has
/// left (`TransferLoop.cancel`) and end up in the cache: a repeated request adopts it.
public final class FetchStage: Fetching {
    /// The result of a transfer.
    enum Transferred: Sendable {
        /// A new response with its body.
        case received(CachedAnswer, FetchTimings)
        /// The cached response was revalidated; its body may be on disk.
        case confirmed(CachedAnswer, FetchTimings)
    }

    /// The largest local picture in bytes: 100 megapixels of four channels with 16 bits, uncompressed.
    private static let largestPicture = 1 << 30

    let cache: HTTPCache
    let freshness = Freshness(sessionStart: currentSeconds())
    let transfers: Transfers
    private let pool = JobPool<Request, Transferred, FetchError>(lingers: true)

    /// The disk cache and its queue, shared with others that store something there.
    public let store: DiskStore
    /// The recently opened local archives.
    public let archives: ArchiveCache
    var options: NetworkOptions { transfers.settings.options }
    var tracer: Tracer { transfers.settings.tracer }

    /// The bytes of fetched pictures waiting to be decoded.
    public var backlog: Backlog { transfers.settings.backlog }

    /// Creates a stage; nothing is opened, created or started before the first request.
    ///
    /// Writes to the disk cache wait until `workers` are idle.
    public convenience init(
        options: NetworkOptions, yieldingTo workers: WorkQueue? = nil, tracer: Tracer = .disabled
    ) {
        self.init(Transfers(.init(options: options, tracer: tracer)), yieldingTo: workers)
    }

    init(_ transfers: Transfers, yieldingTo workers: WorkQueue? = nil) {
        self.transfers = transfers
        let options = transfers.settings.options
        archives = ArchiveCache(limit: options.maxBytes)
        store = DiskStore(
            folder: options.cacheFolder, capacity: options.cacheBytes, yieldingTo: workers)
        cache = HTTPCache(options: options, store: store)
    }

    /// The number of requests in flight; callable from any thread.
    public var transfersInFlight: Int { transfers.inFlightCount }

    /// Implements `Fetching`; a file is read, everything else comes from memory, disk or its server.
    ///
    /// Where pictures are not cached, it looks on the disk for one that is, at once: hardly any is, and two hand-offs are saved.
    public func fetch(
        _ request: Request, priority: Priority,
        completion: @escaping Completion<Response, FetchError>
    ) -> Subscription {
        let request = request.whole
        let mayBeOnDisk =
            options.cachesPictures || request.purpose != .picture
            || store.cache?.touch(HTTPCache.key(of: request)) == true
        return PipelineActor.subscribe { [self] in
            Fetch<Never>(
                request, by: self, priority: priority, mayBeOnDisk: mayBeOnDisk, flow: .none,
                derive: nil
            ) {
                completion(
                    $0.flatMap { found in
                        // Without `derive`, the stored body is always read.
                        guard case .body(let response) = found else { return .failure(.cancelled) }
                        return .success(response)
                    })
            }.start()
        }
    }

    /// Finds a picture's bytes, or a result derived from them; see `Fetching`.
    @PipelineActor public func find<Derived: Sendable>(
        _ request: Request, priority: Priority, flow: Flow,
        derive: @escaping @Sendable (ContentHash) -> Derived?,
        completion: @escaping Completion<Found<Derived>, FetchError>
    ) -> Subscription {
        Fetch(
            request, by: self, priority: priority, flow: flow, derive: derive,
            completion: completion
        ).start()
    }

    /// Reports partial data from servers as it arrives; see `Fetching`.
    public func watch(_ address: Address, receive: @escaping Receiver<Arrival>)
        -> Subscription
    {
        transfers.watch(address, receive: receive)
    }

    /// Notes that a file is a copy of a page of the web; see `Fetching`.
    public func note(copy file: Address, of original: Address?) {
        transfers.settings.peers.note(copy: file, of: original)
    }

    /// Notes the header fields of pictures; see `Fetching`.
    public func note(headers: [Address: HeaderFields]) {
        options.pictureHeaders.withLock { $0.merge(headers) { $1 } }
    }

    /// Returns the progress of a watched picture.
    public func progress(of address: Address) -> FetchProgress? {
        transfers.settings.observers.progress(of: address)
    }

    /// Has a response recorded; until it is, it counts as waiting.
    func record(_ response: Response, to request: Request) {
        guard let record = options.record else { return }
        backlog.add(response.body.count)
        record(response, request) { [backlog] in backlog.add(-response.body.count) }
    }

    /// Joins the transfer of `request`; if it starts now, it revalidates `cached`.
    @PipelineActor func transfer(
        _ request: Request, confirming cached: CachedAnswer?, priority: Priority, flow: Flow,
        receive: @escaping Completion<Transferred, FetchError>
    ) -> Subscription {
        pool.subscribe(
            to: request, priority: priority,
            start: { start(request, for: $0, confirming: cached, flow: flow) }, receive: receive)
    }

    @PipelineActor private func start(
        _ request: Request, for job: Job<Transferred, FetchError>,
        confirming cached: CachedAnswer?, flow: Flow
    ) {
        // The response will be newer than the one cached now.
        let generation = max(request.generation, cache.generation(of: HTTPCache.key(of: request)))
        let conditions = cached.map {
            $0.conditions(isSameVariant: cache.isSameVariant($0, for: request))
        }
        let transfer = transfers.start(
            request, conditions: conditions ?? [], priority: job.priority, flow: flow
        ) { [self] result in
            PipelineActor.perform { [self] in
                flow.arrive("pipeline")
                if case .failure(.cancelled) = result, job.isWanted {
                    // Adopted too late: the transfer had already been cancelled.
                    start(request, for: job, confirming: cached, flow: flow)
                } else if let result = store(result, of: request, cached, generation) {
                    job.finish(result)
                } else if job.isWanted {
                    start(request, for: job, confirming: nil, flow: flow)
                } else {
                    job.finish(.failure(.cancelled))
                }
            }
        }
        job.depend(on: transfer)
    }

    /// Stores the result in the cache; nil if the transfer must be repeated without conditions.
    @PipelineActor private func store(
        _ result: Result<TransferAnswer, FetchError>, of request: Request, _ cached: CachedAnswer?,
        _ generation: CacheGeneration
    ) -> Result<Transferred, FetchError>? {
        var request = request
        if case .success(let value) = result, value.status == 200 { request.part = nil }
        let key = HTTPCache.key(of: request)
        let answer: TransferAnswer
        switch result {
        case .success(let value): answer = value
        case .failure(let error):
            if [.status(404), .status(410)].contains(error) { cache.drop(key) }
            return .failure(error)
        }
        if answer.status == 304, let cached {
            // A private server that responds 304 must not turn a public server's page into its own.
            guard answer.address == cached.address, cached.isMeant(by: answer.headers),
                request.purpose == .picture || cached.isFromPrivate == answer.isFromPrivate
            else { return nil }
            var confirmed = cached.confirmed(by: answer.headers, at: currentSeconds())
            confirmed.varying = cache.varying(
                confirmed.headers, of: request, at: confirmed.address)
            confirmed.wasRedirectedTemporarily = answer.wasRedirectedTemporarily
            confirmed.generation = generation
            cache.keep(confirmed, for: key)
            return .success(.confirmed(confirmed, answer.timings))
        }
        let received = CachedAnswer(
            answer, storedAt: currentSeconds(), generation: generation,
            varying: cache.varying(answer.headers, of: request, at: answer.address))
        if request.purpose == .picture, !options.cachesPictures {
            // What is cached, if anything, is as old as before.
        } else if HTTPCache.isStorable(answer) {
            cache.keep(received, for: key)
        } else {
            cache.drop(key)
        }
        return .success(.received(received, answer.timings))
    }

    /// Reads a local file or archive entry, whose identity is its archive's, and stores the hash of a picture, so that it need not be
    /// read again; blocks, callable from any thread.
    ///
    /// If `mayLeave`, a file that is read in place has only its beginning as its body.
    func read(
        _ path: String, for request: Request, mayLeave: Bool = false
    ) -> Result<Response, FetchError> {
        var bytes: [UInt8]
        var file: OpenFile?
        var identity: FileIdentity?
        do throws(FetchError) {
            let isPicture = request.purpose == .picture
            (bytes, file) = try readLocalFile(
                path, limit: max(options.maxBytes, isPicture ? Self.largestPicture : 0)
            ) { mayLeave && options.isReadInPlace($0) }
            identity = file?.identity
        } catch {
            guard error == .noSuchFile else { return .failure(error) }
            let now = realtimeNanoseconds()
            let archive = ArchiveCache.identity(of: path)
            do throws(ArchiveError) {
                guard let entry = try archives.contents(ofEntryAt: path) else {
                    return .failure(error)
                }
                bytes = entry
            } catch {
                return .failure(FetchError(error))
            }
            identity = archive?.isSettled(at: now) == true ? archive : nil
        }
        if path.lowercased().hasSuffix(".svgz"),
            let drawing = try? unzipped(bytes, atMost: options.maxBytes)
        {
            bytes = drawing
            file = nil
        }
        var response = Response(address: request.address, body: bytes, origin: .file)
        response.file = file
        if file != nil, let identity, identity.size > bytes.count {
            // Its contents are never read as a whole, and change with its identity.
            response.hash = LazyContentHash(of: identity.text.bytes)
        }
        // What is too large to wait for the disk is hashed here.
        if bytes.count > DiskStore.maxHeldBytes { _ = response.hash.value }
        let held = response.hash.known == nil ? bytes.count : 1
        if request.purpose == .picture, store.cache != nil, let identity {
            PipelineActor.perform { [cache, store, hash = response.hash] in
                _ = cache.admit(request.generation, for: HTTPCache.key(of: request))
                store.later(holding: held) { disk in
                    // The hash may be long known if the file was read for the viewer.
                    guard disk.hashOfFile(at: path) == nil else { return }
                    disk.note(hash.value, ofFileAt: path, identity)
                }
            }
        }
        return .success(response)
    }
}

/// Reads a whole regular file of at most `limit` bytes, or only its beginning if `isReadInPlace` is true of that.
///
/// The open file is nil if it changed meanwhile, or so recently that a further change might go undetected. Blocks on the disk, but never on
/// a FIFO or device.
func readLocalFile(
    _ path: String, limit: Int, isReadInPlace: ([UInt8]) -> Bool
) throws(FetchError) -> (bytes: [UInt8], file: OpenFile?) {
    let now = realtimeNanoseconds()
    guard let file = OpenFile(path) else { throw FetchError(errno) }
    let size = file.identity.size
    let head = file.piece()
    if isReadInPlace(head) { return (head, file) }
    guard size <= limit else { throw .tooLarge(limit: limit) }
    let (bytes, error) = readToEnd(of: file.descriptor, expecting: size, limit: limit)
    guard error == 0 else { throw FetchError(error) }
    guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
    let isSame = bytes.count == size && file.identity.isSettled(at: now) && !file.hasChanged
    return (bytes, isSame ? file : nil)
}

extension ArchiveCache {
    /// Opens the archive in a server's response, or the one whose directory that is.
    ///
    /// Blocks on the disk. An archive that the server has replaced is opened when its page is read again.
    public func open(_ response: Response) throws(ArchiveError) -> Archive {
        try open(
            response.body, from: response.address.text,
            version: response.isPart ? response.version : nil)
    }
}

/// The hashes of local files as stored in the disk cache; blocks on the disk.
extension DiskCache {
    /// Returns the stored hash of the file at `path` if the file has not changed since.
    func hashOfFile(at path: String) -> ContentHash? {
        guard let identity = ArchiveCache.identity(of: path), let entry = read("file " + path),
            entry.metadata["file"] == identity.text
        else { return nil }
        return entry.metadata["hash"].flatMap { ContentHash(text: $0) }
    }

    /// Stores the hash of the file at `path`, which was `identity` when it was read.
    func note(_ hash: ContentHash, ofFileAt path: String, _ identity: FileIdentity) {
        let metadata = [("file", identity.text), ("hash", hash.text)]
        write(Entry(metadata: metadata, body: []), for: "file " + path)
    }
}
