import Dispatch
import ImageCodecs
public import Network
public import Pipeline
public import Trace

/// Draws pictures by four stages, each with its own key: fetch → decode → shrink → cells.
///
/// Requests share whatever their keys have in common; a job nobody wants any more is cancelled, and what it waited for with it. Results are
/// kept in memory, as reduced pictures and as cells; on disk reduced pictures only, which can be thrown away (`DerivedStore`).
public final class ThumbnailPipeline: ThumbnailLoading {
    private let coordinator: Coordinator
    private let fetchStage: FetchStage
    private let drawStage: DrawStage
    private let memory: ThumbnailMemory
    private let editions = Editions()
    private let derived: DerivedStore?
    private let playerShop: AnimationPlayer.Shop
    private let previewShop: Preview.Shop

    /// Makes a pipeline; `fetcher` answers on `coordinator`'s queue.
    ///
    /// Reduced pictures are kept in `disk`, if there is one.
    public init(
        fetcher: any Fetching, coordinator: Coordinator, disk: DiskCache? = nil,
        options: ThumbnailOptions = ThumbnailOptions(), tracer: Tracer = .disabled
    ) {
        self.coordinator = coordinator
        memory = ThumbnailMemory(options, tracer: tracer)
        fetchStage = FetchStage(coordinator: coordinator, fetcher: fetcher, tracer: tracer)
        // A line of its own: drawing takes a tenth of a millisecond and must not wait for decodes of a hundred.
        let drawers = WorkQueue(
            label: "halftone.draw", width: WorkQueue.processorWidth, coordinator: coordinator)
        derived = disk.map {
            DerivedStore(
                disk: $0, coordinator: coordinator, maxPixels: options.decodeLimits.maxPixels,
                tracer: tracer)
        }
        let derivedStage = DerivedStage(fetchStage: fetchStage, fetcher: fetcher, store: derived)
        let decodeStage = DecodeStage(
            coordinator: coordinator, derivedStage: derivedStage, store: derived,
            decoder: ImageDecoder(limits: options.decodeLimits), memory: memory, tracer: tracer)
        let shrinkStage = ShrinkStage(
            coordinator: coordinator, decodeStage: decodeStage, workers: drawers, tracer: tracer)
        drawStage = DrawStage(
            coordinator: coordinator, shrinkStage: shrinkStage, workers: drawers, memory: memory,
            editions: editions, tracer: tracer)
        previewShop = Preview.Shop(
            coordinator: coordinator, fetcher: fetcher,
            decoder: ImageDecoder(limits: options.decodeLimits),
            worker: WorkQueue(
                label: "halftone.preview", width: 1, coordinator: coordinator, isHeavy: true),
            memory: memory, tracer: tracer)
        var limits = options.decodeLimits
        limits.seconds = min(limits.seconds, Self.mostSecondsPerFrame)
        playerShop = AnimationPlayer.Shop(
            coordinator: coordinator, fetchStage: fetchStage,
            worker: WorkQueue(
                label: "halftone.play", width: 1, coordinator: coordinator, isHeavy: true),
            limits: limits, editions: editions, tracer: tracer)
    }

    /// What takes longer stands still: nobody would take it for moving.
    private static let mostSecondsPerFrame = 2.0

    /// The finished thumbnail if it is in memory; any thread, never waits for work.
    ///
    /// While a reload is under way, a request of an earlier generation is answered with the old picture.
    public func cached(_ request: ThumbnailRequest) -> Thumbnail? {
        let oldest = editions.generation(for: request)
        return memory.thumbnail(for: CellsKey(request), since: oldest)
    }

    /// Makes the thumbnail; callable on any thread.
    ///
    /// Requests that share a stage share its work. `completion` runs exactly once on the coordinator's queue; cancelling tells it `cancelled`. A reload goes past every cache and, once
    /// it succeeds, replaces what they hold; if it fails, the old picture stays.
    public func load(
        _ request: ThumbnailRequest, priority: Priority,
        completion: @escaping @Sendable (Result<Thumbnail, ThumbnailError>) -> Void
    ) -> Subscription {
        coordinator.subscribe { [self] in
            let ask = editions.begin(request)
            return drawStage.subscribe(ask, priority: priority) { [self] result in
                memory.traceHits()
                completion(result)
            }
        }
    }

    /// What plays the animated picture of `request`; any thread.
    ///
    /// Frames are drawn when they are asked for, on a worker of their own; none but the last two is kept.
    public func player(
        of request: ThumbnailRequest, facts: PictureFacts
    ) -> (any FramePlaying)? {
        AnimationPlayer(request, facts: facts, shop: playerShop)
    }

    /// Draws what has come of a picture while the rest is on its way, as `ThumbnailLoading` promises.
    public func preview(
        _ request: ThumbnailRequest, receive: @escaping @Sendable (Thumbnail) -> Void
    ) -> Subscription {
        coordinator.subscribe { [self] in
            let preview = Preview(request, shop: previewShop, receive: receive)
            preview.start()
            return Subscription(onCancel: { preview.end() }, onPriority: { _ in })
        }
    }

    /// How much has come of a picture that is previewed.
    public func progress(of request: ThumbnailRequest) -> FetchProgress? {
        previewShop.fetcher.progress(of: request.address)
    }

    /// Transfers under way at this moment; any thread.
    public var transfersInFlight: Int { fetchStage.transfersInFlight }

    /// Makes `requests` all that is on the screen: neither their cells nor the pixels these were drawn from leave memory, whatever is
    /// loaded ahead and however short memory gets.
    public func pin(_ requests: [ThumbnailRequest]) {
        memory.pin(requests)
    }

    /// Waits until the reduced pictures made so far are on disk, for so many milliseconds at most; not on the coordinator's queue.
    public func finishWriting(milliseconds: Int) {
        guard let derived else { return }
        let done = DispatchSemaphore(value: 0)
        coordinator.perform { derived.afterWriting { done.signal() } }
        _ = done.wait(timeout: .now() + .milliseconds(milliseconds))
    }

    /// Bytes of pictures and cells kept in memory; any thread.
    public var memoryCost: Int { memory.cost }

    /// Shrinks what is kept in memory to at most `bytes`, the least recently used first; any thread.
    public func dropMemory(to bytes: Int) {
        memory.drop(to: bytes)
    }
}
