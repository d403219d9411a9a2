import ImageCodecs
public import Network
public import Pipeline
public import Trace

/// Draws pictures in three stages, each a pool of jobs with a key: bytes (`Fetcher`) → pixels (`PixelStage`) → cells.
///
/// Requests share whatever their keys have in common; a job without subscribers is cancelled, and what it waited for with
/// it. Results are kept in memory, as reduced pictures and as cells; on disk reduced pictures only (`DerivedStore`).
public final class ThumbnailPipeline: ThumbnailLoading {
    let context: StageContext
    let pixels: PixelStage
    private let pool: JobPool<ThumbnailRequest, Thumbnail, ThumbnailError>
    /// A width of its own: drawing takes a tenth of a millisecond and must not wait for decodes of a hundred.
    private let drawers: WorkQueue
    private let previewer: WorkQueue
    let players: WorkQueue

    var memory: ThumbnailMemory { context.memory }
    private var tracer: Tracer { context.tracer }

    /// Makes a pipeline; `fetcher` answers on `coordinator`'s queue, `store` keeps reduced pictures.
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

    /// The finished thumbnail if it is in memory; any thread, never waits for work.
    ///
    /// While a reload is under way, a request of an earlier generation is answered with the old picture.
    public func cached(_ request: ThumbnailRequest) -> Thumbnail? {
        memory.thumbnail(for: memory.current(request))
    }

    /// Makes the thumbnail; callable on any thread.
    ///
    /// A request of a new generation goes past every cache and, once it succeeds, replaces what they hold; if it fails, the old picture
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
        // Before the pool, where a reload may be under way that this need not wait for.
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

    /// What plays the animated picture of `request`; any thread.
    public func player(of request: ThumbnailRequest, facts: PictureFacts) -> (any FramePlaying)? {
        AnimationPlayer(request, facts: facts, context: context, worker: players)
    }

    /// Draws what has come of a picture while the rest is on its way.
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

    /// How much has come of a picture that is previewed.
    public func progress(of request: ThumbnailRequest) -> FetchProgress? {
        context.fetcher.progress(of: request.address)
    }

    /// Pictures that are being fetched at this moment; any thread.
    public var transfersInFlight: Int { pixels.fetchesUnderWay }

    /// Keeps the cells of `requests`, and the pixels these were drawn from, in memory, however short it gets.
    public func pin(_ requests: [ThumbnailRequest]) { memory.pin(requests) }
}

/// What every stage works with.
struct StageContext: Sendable {
    let coordinator: Coordinator
    let fetcher: any Fetching
    let memory: ThumbnailMemory
    let decoder: PictureDecoder
    /// The threads for everything that takes the processor; this queue's own width is for decoding.
    let workers: WorkQueue
    let tracer: Tracer
}
