import Network
import Pipeline
import Raster
import Trace

/// The third stage: the part of the picture that is asked for, at exactly the sub-pixels of its cells.
///
/// All methods on the coordinator's queue; shrinking runs on workers.
final class ShrinkStage: Sendable {
    typealias Receive = @Sendable (Result<ShrunkPicture, ThumbnailError>) -> Void

    private let decodeStage: DecodeStage
    private let workers: WorkQueue
    private let tracer: Tracer
    private let pool: JobPool<Edition<ShrunkKey>, ShrunkPicture, ThumbnailError>

    init(coordinator: Coordinator, decodeStage: DecodeStage, workers: WorkQueue, tracer: Tracer) {
        self.decodeStage = decodeStage
        self.workers = workers
        self.tracer = tracer
        pool = JobPool(coordinator: coordinator)
    }

    func subscribe(_ ask: Ask, priority: Priority, receive: @escaping Receive) -> Subscription {
        pool.subscribe(
            to: ask.key(ShrunkKey(ask.request)), priority: priority, start: { start($0, ask) },
            receive: receive)
    }

    private func start(_ job: Job<ShrunkPicture, ThumbnailError>, _ ask: Ask) {
        let decode = decodeStage.subscribe(ask, priority: job.priority) { [self] result in
            switch result {
            case .success(let picture):
                job.run(on: workers) { [self] in .success(shrink(picture, ask)) }
            case .failure(let error):
                job.finish(.failure(error))
            }
        }
        job.depend(on: decode)
    }

    /// On a worker.
    private func shrink(_ picture: ReducedPicture, _ ask: Ask) -> ShrunkPicture {
        let span = tracer.begin("shrink", detail: ask.address.text)
        let watch = Stopwatch()
        defer { span.end("ok") }
        let request = ask.request
        // From the file's size, as the reduced one is rounded.
        let fit = Fit(
            picture.sourceSize, region: request.region, into: request.box, style: request.style)
        let pixels = picture.pixels.resampled(request.region, to: fit.pixels)
        return ShrunkPicture(pixels: pixels, picture: picture, microseconds: watch.microseconds)
    }
}

/// Pixels as they are drawn, with the picture they come from.
struct ShrunkPicture: Sendable {
    var pixels: PixelBuffer
    var picture: ReducedPicture
    /// How long it took to shrink them.
    var microseconds: Int
}
