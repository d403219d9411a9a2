import Network
import Pipeline
import Raster
import Trace

/// The last stage: cells.
///
/// All methods on the coordinator's queue; drawing runs on workers.
final class DrawStage: Sendable {
    typealias Receive = @Sendable (Result<Thumbnail, ThumbnailError>) -> Void

    private let shrinkStage: ShrinkStage
    private let workers: WorkQueue
    private let memory: ThumbnailMemory
    private let editions: Editions
    private let tracer: Tracer
    private let pool: JobPool<Edition<CellsKey>, Thumbnail, ThumbnailError>

    init(
        coordinator: Coordinator, shrinkStage: ShrinkStage, workers: WorkQueue,
        memory: ThumbnailMemory,
        editions: Editions, tracer: Tracer
    ) {
        self.shrinkStage = shrinkStage
        self.workers = workers
        self.memory = memory
        self.editions = editions
        self.tracer = tracer
        pool = JobPool(coordinator: coordinator)
    }

    func subscribe(_ ask: Ask, priority: Priority, receive: @escaping Receive) -> Subscription {
        let key = CellsKey(ask.request)
        // Before the pool, where a reload may be under way that this need not wait for.
        if let thumbnail = memory.thumbnail(for: key, since: ask.oldestUsable) {
            receive(.success(thumbnail))
            return .ended
        }
        return pool.subscribe(
            to: ask.key(key), priority: priority, start: { start($0, ask) },
            receive: receive)
    }

    private func start(_ job: Job<Thumbnail, ThumbnailError>, _ ask: Ask) {
        let shrink = shrinkStage.subscribe(ask, priority: job.priority) { [self] result in
            switch result {
            case .success(let shrunk):
                job.run(on: workers) { [self] in .success(draw(shrunk, ask)) }
            case .failure(let error):
                job.finish(.failure(error))
            }
        }
        job.depend(on: shrink)
    }

    /// On a worker.
    private func draw(_ shrunk: ShrunkPicture, _ ask: Ask) -> Thumbnail {
        let span = tracer.begin("draw", detail: ask.address.text)
        defer { span.end("ok") }
        let watch = Stopwatch()
        let style = ask.request.style
        var facts = shrunk.picture.facts(on: style.background)
        let ground = style.ground(for: facts.tint, under: shrunk.picture.silhouette)
        let cells = BlockArt(style: style).cells(from: shrunk.pixels.composited(over: ground))
        facts.timings.draw = shrunk.microseconds + watch.microseconds
        let thumbnail = Thumbnail(cells: cells, facts: facts)
        // The reduced picture's edition: it may have come from memory.
        let edition = shrunk.picture.edition
        memory.insert(thumbnail, edition: edition, for: CellsKey(ask.request))
        editions.show(edition, of: ask.address)
        return thumbnail
    }
}
