public import ImageCodecs
public import Network
public import Pipeline
public import Trace

/// Draws pictures in three stages, each a pool of keyed jobs: bytes (`FetchStage`) → pixels (`PixelStage`) → cells (`CellStage`).
///
/// Each stage's key contains the one before. Requests share work as far as their keys are equal; a job without subscribers is cancelled
/// together with what it waits for. Results are cached in memory as reduced pictures and cells, on disk as reduced pictures only
/// (`ReducedPictureStore`).
public final class ThumbnailPipeline: ThumbnailLoading {
    let context: StageContext
    let cells: CellStage
    private let previewer = WorkQueue(label: "halftone.preview", width: 1, isNice: true)
    let players = WorkQueue(label: "halftone.play", width: 1)

    var memory: ThumbnailMemory { context.memory }

    /// Creates a pipeline that decodes on `decoders`; `store` keeps reduced pictures.
    public init(
        fetcher: any Fetching, store: DiskStore? = nil,
        decoders: WorkQueue = ThumbnailPipeline.makeDecoders(),
        options: ThumbnailOptions = ThumbnailOptions(), tracer: Tracer = .disabled
    ) {
        context = StageContext(
            fetcher: fetcher, memory: ThumbnailMemory(options, tracer: tracer),
            decoder: PictureDecoder(limits: options.decodeLimits, sandbox: options.sandbox),
            decoders: decoders, tracer: tracer)
        let derived = store.map {
            ReducedPictureStore(
                store: $0, maxPixels: options.decodeLimits.maxPixels, tracer: tracer)
        }
        cells = CellStage(context: context, pixels: PixelStage(context, derived: derived))
    }

    /// Returns a queue for decoding pictures.
    public static func makeDecoders() -> WorkQueue {
        WorkQueue(label: "halftone.decode", width: WorkQueue.processorWidth, isNice: true)
    }

    /// Returns the number of pages of the PDF in `response`; blocks for the time of a decode, on any thread.
    @Sendable public func pageCount(of response: Response) throws(DecodeError) -> Int {
        let task = DecodeTask(reduction: .detail(1), page: 0)
        return try context.decoder.image(
            in: response.body, from: response.address, of: response.file, task,
            DecodeCancellation())?.frameCount ?? 0
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
        completion: @escaping Completion<Thumbnail, ThumbnailError>
    ) -> Subscription {
        PipelineActor.subscribe { [self] in
            flow.arrive("pipeline")
            return cells.subscribe(
                memory.current(request), priority: priority, flow: flow, receive: completion)
        }
    }

    /// Returns a player for the animated picture of `request`; callable from any thread.
    public func player(of request: ThumbnailRequest, facts: PictureFacts) -> (any FramePlaying)? {
        AnimationPlayer(request, facts: facts, context: context, worker: players)
    }

    /// Draws the part of a picture that has arrived while the rest is in flight.
    public func preview(
        _ request: ThumbnailRequest,
        receive: @escaping PipelineReceiver<Thumbnail>
    ) -> Subscription {
        PipelineActor.subscribe { [self] in
            let preview = Preview(
                request, context: context, worker: previewer, receive: receive)
            return Subscription(onCancel: { PipelineActor.assumeIsolated { preview.end() } })
        }
    }

    /// Returns how much of a previewed picture has arrived.
    public func progress(of request: ThumbnailRequest) -> FetchProgress? {
        context.fetcher.progress(of: request.address)
    }

    /// The number of pictures being fetched; readable from any thread.
    public var transfersInFlight: Int { cells.pixels.fetchesUnderWay }

    /// Pins the cells of `requests`, and the pixels they were drawn from, in memory, even under memory pressure.
    public func pin(_ requests: [ThumbnailRequest]) { memory.pin(requests) }
}

/// The context shared by all stages.
struct StageContext {
    let fetcher: any Fetching
    let memory: ThumbnailMemory
    let decoder: PictureDecoder
    let decoders: WorkQueue
    let tracer: Tracer
}
