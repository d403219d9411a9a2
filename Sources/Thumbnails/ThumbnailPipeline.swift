import ImageCodecs
public import Network
public import Pipeline
public import Trace

/// Draws pictures in three stages, each a pool of keyed jobs: bytes (`Fetcher`) → pixels (`PixelStage`) → cells.
///
/// Requests share work as far as their keys are equal; a job without subscribers is cancelled together with what it waits for. Results are
/// cached in memory as reduced pictures and cells, on disk as reduced pictures only (`DerivedStore`).
public final class ThumbnailPipeline: ThumbnailLoading {
    let context: StageContext
    let pixels: PixelStage
    private let pool: JobPool<ThumbnailRequest, Thumbnail, ThumbnailError>
    /// Has its own width: drawing takes a tenth of a millisecond and must not wait for decodes of a hundred.
    private let drawers: WorkQueue
    private let previewer: WorkQueue
    let players: WorkQueue

    var memory: ThumbnailMemory { context.memory }
    private var tracer: Tracer { context.tracer }

    /// Creates a pipeline; `fetcher` answers on `coordinator`'s queue, `store` keeps reduced pictures.
    public init(
        fetcher: any Fetching, coordinator: Coordinator, store: DiskStore? = nil,
        options: ThumbnailOptions = ThumbnailOptions(), tracer: Tracer = .disabled
    ) {
        let workers = WorkQueue(
            label: "halftone.workers", width: WorkQueue.processorWidth, coordinator: coordinator,
            isNice: true)
        drawers = WorkQueue(sharing: workers, width: WorkQueue.processorWidth)
        previewer = WorkQueue(sharing: workers, width: 1)
        players = WorkQueue(sharing: workers, width: 1)
        context = StageContext(
            coordinator: coordinator, fetcher: fetcher,
            memory: ThumbnailMemory(options, tracer: tracer),
            decoder: PictureDecoder(limits: options.decodeLimits, sandbox: options.sandbox),
            workers: workers, tracer: tracer)
        let derived = store.flatMap {
            DerivedStore(
                $0, coordinator: coordinator, maxPixels: options.decodeLimits.maxPixels,
                tracer: tracer)
        }
        store?.yield(to: workers)
        pixels = PixelStage(context, derived: derived)
        pool = JobPool(coordinator: coordinator)
    }

    /// Returns the finished thumbnail if it is in memory; callable from any thread, never waits for work.
    ///
    /// During a reload, requests of an earlier generation get the old picture.
    public func cached(_ request: ThumbnailRequest) -> Thumbnail? {
        memory.thumbnail(for: memory.current(request))
    }

    /// Makes the thumbnail; callable from any thread.
    ///
    /// A request of a new generation bypasses every cache and, once it succeeds, replaces their entries; if it fails, the old picture
    /// stays.
    public func load(
        _ request: ThumbnailRequest, priority: Priority, flow: Flow,
        completion: @escaping @Sendable (Result<Thumbnail, ThumbnailError>) -> Void
    ) -> Subscription {
        context.coordinator.subscribe { [self] in
            flow.arrive("pipeline")
            return draw(
                memory.current(request), priority: priority, flow: flow, completion: completion)
        }
    }

    private func draw(
        _ request: ThumbnailRequest, priority: Priority, flow: Flow,
        completion: @escaping @Sendable (Result<Thumbnail, ThumbnailError>) -> Void
    ) -> Subscription {
        // Checked before the pool, where a reload may be in progress that this request need not wait for.
        if let thumbnail = memory.thumbnail(for: request) {
            completion(.success(thumbnail))
            return .ended
        }
        return pool.subscribe(
            to: request.cellsKey, priority: priority,
            start: { start($0, request, flow) }, receive: completion)
    }

    private func start(
        _ job: Job<Thumbnail, ThumbnailError>, _ request: ThumbnailRequest, _ flow: Flow
    ) {
        if let picture = memory.picture(for: request) {
            return draw(picture, request, for: job, flow)
        }
        let making = pixels.subscribe(request, priority: job.priority, flow: flow) {
            [self] result in
            switch result {
            case .success(let made) where made.request == request.cellsKey:
                job.finish(.success(made.thumbnail))
            case .success(let made): draw(made.picture, request, for: job, flow)
            case .failure(let error): job.finish(.failure(error))
            }
        }
        job.depend(on: making)
    }

    private func draw(
        _ picture: ReducedPicture, _ request: ThumbnailRequest,
        for job: Job<Thumbnail, ThumbnailError>, _ flow: Flow
    ) {
        job.run(on: drawers) { [self] in
            flow.arrive("worker")
            let thumbnail = picture.drawn(for: request, tracer)
            memory.insert(thumbnail, of: picture.generation, for: request)
            return thumbnail
        } then: { thumbnail in
            flow.arrive("pipeline")
            job.finish(.success(thumbnail))
        }
    }

    /// Returns a player for the animated picture of `request`; callable from any thread.
    public func player(of request: ThumbnailRequest, facts: PictureFacts) -> (any FramePlaying)? {
        AnimationPlayer(request, facts: facts, context: context, worker: players)
    }

    /// Draws the part of a picture that has arrived while the rest is in flight.
    public func preview(
        _ request: ThumbnailRequest, receive: @escaping @Sendable (Thumbnail) -> Void
    ) -> Subscription {
        context.coordinator.subscribe { [self] in
            let preview = Preview(
                request, context: context, worker: previewer, receive: receive)
            preview.start()
            return Subscription(onCancel: { preview.end() })
        }
    }

    /// Returns how much of a previewed picture has arrived.
    public func progress(of request: ThumbnailRequest) -> FetchProgress? {
        context.fetcher.progress(of: request.address)
    }

    /// The number of pictures being fetched; readable from any thread.
    public var transfersInFlight: Int { pixels.fetchesUnderWay }

    /// Pins the cells of `requests`, and the pixels they were drawn from, in memory, even under memory pressure.
    public func pin(_ requests: [ThumbnailRequest]) { memory.pin(requests) }
}

/// The context shared by all stages.
struct StageContext: Sendable {
    let coordinator: Coordinator
    let fetcher: any Fetching
    let memory: ThumbnailMemory
    let decoder: PictureDecoder
    /// The threads for all CPU-bound work; this queue's own width is for decoding.
    let workers: WorkQueue
    let tracer: Tracer
}
