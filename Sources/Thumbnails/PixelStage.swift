import ImageCodecs
import Network
import Pipeline
import Raster
import Synchronization
import Trace

/// The second stage: whole pictures, reduced for their requests, from the derived store or by decoding.
///
/// | cached for the address | what happens |
/// | --- | --- |
/// | fresh response and derived picture | the picture is shown; nothing large is read |
/// | stale response and derived picture | the response is revalidated; if it is unchanged, the picture is shown |
/// | anything else | the file is fetched, decoded and cached |
///
/// The request that starts a job has its cells drawn in the same piece of work, which saves a hand-off. All methods must be called on the
/// coordinator's queue; decoding runs on workers.
final class PixelStage: Sendable {
    /// A picture, and its cells for the request that it was first made for.
    struct Made: Sendable {
        let picture: ReducedPicture
        let request: ThumbnailRequest
        let thumbnail: Thumbnail
    }

    struct Key: Hashable, Sendable {
        var address: Address
        var reduction: Reduction
        /// Whether the pixels may come (in memory: do come) from a picture embedded in the file.
        var mayBeEmbedded: Bool
        var generation = CacheGeneration.any
    }

    private struct Making: Sendable {
        let job: Job<Made, ThumbnailError>
        let request: ThumbnailRequest
        let reduction: Reduction
        let flow: Flow
        let asked = Stopwatch()
        let cancellation = DecodeCancellation()
    }

    /// Reads a file where it is decoded; returns nil if it is gone from the disk.
    private typealias Reading = @Sendable () -> Response?

    private enum Outcome: Sendable {
        case done(Result<Made, ThumbnailError>)
        /// The picture must be decoded in the heavy lane.
        case isHeavy
        case isGone
    }

    /// Runs heavy decodes one at a time, beside the others: two giants, or bombs that hit their deadline, would otherwise block every tile.
    let heavyDecoders: WorkQueue
    private let context: StageContext
    private let backlog: Backlog
    private let derived: DerivedStore?
    private let pool: JobPool<Key, Made, ThumbnailError>
    private let fetches = Atomic<Int>(0)

    private var memory: ThumbnailMemory { context.memory }
    private var tracer: Tracer { context.tracer }

    init(_ context: StageContext, derived: DerivedStore?) {
        self.context = context
        self.derived = derived
        backlog = context.fetcher.backlog
        heavyDecoders = WorkQueue(sharing: context.workers, width: 1)
        pool = JobPool(coordinator: context.coordinator)
    }

    /// The number of files being looked up or fetched; readable from any thread.
    var fetchesUnderWay: Int { fetches.load(ordering: .relaxed) }

    /// Makes the picture that `request` is drawn from, and the cells of whichever request starts the job.
    func subscribe(
        _ request: ThumbnailRequest, priority: Priority, flow: Flow,
        receive: @escaping @Sendable (Result<Made, ThumbnailError>) -> Void
    ) -> Subscription {
        let reduction = Reduction(for: request)
        let key = Key(
            address: request.address, reduction: reduction, mayBeEmbedded: request.mayBeEmbedded,
            generation: request.generation)
        return pool.subscribe(
            to: key, priority: priority,
            start: { job in
                find(Making(job: job, request: request, reduction: reduction, flow: flow))
            }, receive: receive)
    }

    private func find(_ making: Making) {
        fetches.wrappingAdd(1, ordering: .relaxed)
        let find = context.fetcher.find(
            making.request.fileRequest, priority: making.job.priority, flow: making.flow
        ) { [derived, tracer] hash -> Made? in
            derived?.read(hash, making.reduction, for: making.request, since: making.asked).map {
                Made(
                    picture: $0, request: making.request.cellsKey,
                    thumbnail: $0.drawn(for: making.request, tracer))
            }
        } completion: { [self] result in
            fetches.wrappingSubtract(1, ordering: .relaxed)
            switch result {
            case .success(.derived(let made)):
                keep(made, making.reduction)
                making.job.finish(.success(made))
            case .success(.body(let response)): decode(response, making)
            case .success(.stored(let read)): decode(making, on: context.workers, read: read)
            case .failure(let error): making.job.finish(.failure(ThumbnailError(error)))
            }
        }
        making.job.depend(on: find)
        making.job.onCancel { making.cancellation.cancel() }
    }

    /// Fetches a file that was removed after the look-up.
    private func fetchAnew(_ making: Making) {
        fetches.wrappingAdd(1, ordering: .relaxed)
        let fetch = context.fetcher.fetch(
            making.request.fileRequest, priority: making.job.priority
        ) { [self] result in
            fetches.wrappingSubtract(1, ordering: .relaxed)
            switch result {
            case .success(let response): decode(response, making)
            case .failure(let error): making.job.finish(.failure(ThumbnailError(error)))
            }
        }
        making.job.depend(on: fetch)
    }

    private func decode(_ response: Response, _ making: Making) {
        guard !making.job.isEnded else { return }
        let share = BacklogShare(of: backlog, bytes: response.body.count)
        decode(making, on: context.workers) { withExtendedLifetime(share) { response } }
    }

    private func decode(_ making: Making, on queue: WorkQueue, read: @escaping Reading) {
        let mayBeHeavy = queue === heavyDecoders
        making.job.run(on: queue) { [self] in
            making.flow.arrive("worker")
            return outcome(of: read, making, mayBeHeavy: mayBeHeavy)
        } then: { [self] outcome in
            making.flow.arrive("pipeline")
            switch outcome {
            case .done(let result): making.job.finish(result)
            case .isHeavy: decode(making, on: heavyDecoders, read: read)
            case .isGone: fetchAnew(making)
            }
        }
    }

    private func keep(_ made: Made, _ reduction: Reduction) {
        memory.insert(made.picture, reduction, of: made.request.address)
        memory.insert(made.thumbnail, of: made.picture.generation, for: made.request)
    }

    private func outcome(of read: Reading, _ making: Making, mayBeHeavy: Bool) -> Outcome {
        guard let response = read() else { return .isGone }
        let span = tracer.begin("decode", detail: making.request.address.text)
        let watch = Stopwatch()
        do {
            let task = DecodeTask(
                reduction: making.reduction, limits: context.decoder.limits,
                mayBeEmbedded: making.request.mayBeEmbedded, mayBeHeavy: mayBeHeavy)
            let decoded = try context.decoder.image(
                in: response.body, from: making.request.address, of: response.file, task,
                making.cancellation)
            guard let image = decoded else {
                span.end("heavy")
                return .isHeavy
            }
            var picture = ReducedPicture(
                image, making.reduction, byteCount: response.body.count,
                generation: making.request.generation)
            picture.facts.camera = CameraFacts(of: response.body)
            picture.facts.timings = PictureTimings(
                response, decode: watch.microseconds, elapsed: making.asked.microseconds)
            span.end(image.isEmbedded ? "embedded" : "ok")
            let made = Made(
                picture: picture, request: making.request.cellsKey,
                thumbnail: picture.drawn(for: making.request, tracer))
            keep(made, making.reduction)
            derived?.keep(picture, making.reduction, hash: response.hash)
            return .done(.success(made))
        } catch {
            span.end(error.description)
            return .done(.failure(.decode(error)))
        }
    }
}

/// The bytes of a fetched file, counted in the backlog until it is decoded or dropped.
private final class BacklogShare: Sendable {
    private let backlog: Backlog
    private let bytes: Int

    init(of backlog: Backlog, bytes: Int) {
        self.backlog = backlog
        self.bytes = bytes
        backlog.add(bytes)
    }

    deinit { backlog.add(-bytes) }
}
