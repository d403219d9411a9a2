import Basics
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
/// The request that starts a job has its cells drawn in the same piece of work, which saves a hand-off.
final class PixelStage: Sendable {
    /// A picture, and its cells for the request that started the job.
    struct Output {
        let picture: ReducedPicture
        let request: ThumbnailRequest
        let thumbnail: Thumbnail
    }

    private struct Work {
        let job: Job<Output, ThumbnailError>
        let request: ThumbnailRequest
        let reduction: ReducedSize
        let flow: Flow
        let asked = Stopwatch()
        let cancellation = DecodeCancellation()

        var folder: String { request.address.text.atLastSlash.folder }
    }

    /// Reads a file where it is decoded; returns nil if it is gone from the disk.
    private typealias Reading = @Sendable () -> Response?

    private enum Decoded {
        case output(Output, LazyContentHash)
        case failed(DecodeError)
        /// The picture must be decoded in the heavy lane.
        case isHeavy
        /// The file is gone from the disk, or the beginning of it does not do.
        case needsWhole
    }

    /// The bytes at the beginning of a photograph that have its smaller picture: a segment of metadata is 64 KB at most.
    private static let beginning = 80 << 10
    /// Local files of more bytes are read and decoded one at a time, as each is held in memory.
    private static let heavyBytes = 64 << 20

    /// Runs heavy decodes one at a time, beside the others: two giants, or bombs that hit their deadline, would otherwise block every tile.
    let heavyDecoders = WorkQueue(label: "halftone.heavy", width: 1, isNice: true)
    private let context: StageContext
    private let derived: ReducedPictureStore?
    private let pool = JobPool<PixelKey, Output, ThumbnailError>()
    private let fetches = Atomic<Int>(0)
    /// The folders of the last files at whose beginning nothing did.
    @PipelineActor private var misses: [String] = []

    private var tracer: Tracer { context.tracer }

    init(_ context: StageContext, derived: ReducedPictureStore?) {
        self.context = context
        self.derived = derived
    }

    /// The number of files being looked up or fetched; readable from any thread.
    var fetchesUnderWay: Int { fetches.load(ordering: .relaxed) }

    /// Makes the picture that `request` is drawn from, and the cells of whichever request starts the job.
    @PipelineActor func subscribe(
        _ request: ThumbnailRequest, priority: Priority, flow: Flow,
        receive: @escaping Completion<Output, ThumbnailError>
    ) -> Subscription {
        let key = request.pixelKey
        return pool.subscribe(
            to: key, priority: priority,
            start: { job in
                find(Work(job: job, request: request, reduction: key.reduction, flow: flow))
            }, receive: receive)
    }

    @PipelineActor private func find(_ work: Work) {
        fetches.wrappingAdd(1, ordering: .relaxed)
        var file = work.request.fileRequest
        if work.request.mayBeEmbedded, !file.address.isFile,
            ["jpg", "jpeg"].contains(file.address.lastPathComponent.ending),
            misses.count(where: { $0 == work.folder }) < 3
        {
            file.part = Part(from: 0, count: Self.beginning)
        }
        let find = context.fetcher.find(
            file, priority: work.job.priority, flow: work.flow
        ) { [derived, tracer] hash -> Output? in
            derived?.read(hash, work.reduction, for: work.request, since: work.asked).map {
                Output(
                    picture: $0, request: work.request,
                    thumbnail: $0.drawn(for: work.request, tracer))
            }
        } completion: { [self] result in
            take(result, work)
        }
        work.job.depend(on: find)
        work.job.onCancel { work.cancellation.cancel() }
    }

    @PipelineActor private func take(_ result: Result<Found<Output>, FetchError>, _ work: Work) {
        fetches.wrappingSubtract(1, ordering: .relaxed)
        switch result {
        case .success(.derived(let output)): finish(work, output)
        case .success(.body(let response)):
            guard !work.job.isEnded else { return }
            let share = BacklogShare(of: context.fetcher.backlog, bytes: response.body.count)
            decode(work, on: context.decoders) { withExtendedLifetime(share) { response } }
        case .success(.stored(let read)): decode(work, on: context.decoders, read: read)
        case .failure(let error): work.job.finish(.failure(ThumbnailError(error)))
        }
    }

    /// Fetches all of a file that was removed after the look-up, or whose beginning does not do.
    @PipelineActor private func fetchAnew(_ work: Work) {
        fetches.wrappingAdd(1, ordering: .relaxed)
        let fetch = context.fetcher.fetch(
            work.request.fileRequest, priority: work.job.priority
        ) { [self] result in
            take(result.map(Found.body), work)
        }
        work.job.depend(on: fetch)
    }

    @PipelineActor private func decode(
        _ work: Work, on queue: WorkQueue, read: @escaping Reading
    ) {
        let mayBeHeavy = queue === heavyDecoders
        work.job.run(on: queue) { [self] in
            work.flow.arrive("worker")
            return decoded(read, work, mayBeHeavy: mayBeHeavy)
        } then: { [self] decoded in
            work.flow.arrive("pipeline")
            switch decoded {
            case .output(let output, let hash):
                if output.picture.isEmbedded { misses = [] }
                derived?.keep(
                    output.picture, work.reduction, page: work.request.address.page, hash: hash)
                finish(work, output)
            case .failed(let error): work.job.finish(.failure(.decode(error)))
            case .isHeavy: decode(work, on: heavyDecoders, read: read)
            case .needsWhole:
                misses = (misses + [work.folder]).suffix(3)
                fetchAnew(work)
            }
        }
    }

    @PipelineActor private func finish(_ work: Work, _ output: Output) {
        context.memory.insert(output.picture, work.reduction, of: output.request.address)
        context.memory.insert(
            output.thumbnail, of: output.picture.generation, for: output.request)
        work.job.finish(.success(output))
    }

    private func decoded(_ read: Reading, _ work: Work, mayBeHeavy: Bool) -> Decoded {
        let request = work.request
        if !mayBeHeavy, request.address.fileSize > Self.heavyBytes { return .isHeavy }
        guard let response = read() else { return .needsWhole }
        let span = tracer.begin("decode", detail: request.address.text)
        let watch = Stopwatch()
        do {
            let task = DecodeTask(
                reduction: work.reduction,
                embedded: response.isPart
                    ? .needed : request.mayBeEmbedded ? .allowed : .unwanted,
                mayBeHeavy: mayBeHeavy || response.isPart)
            guard
                let image = try context.decoder.image(
                    in: response.body, from: request.address, of: response.file, task,
                    work.cancellation)
            else {
                span.end("too heavy, or nothing embedded")
                return response.isPart ? .needsWhole : .isHeavy
            }
            var picture = ReducedPicture(
                image,
                byteCount: response.file?.identity.size ?? response.length,
                generation: request.generation)
            picture.facts.camera = CameraFacts(of: FileBytes(response.body))
            picture.facts.timings = PictureTimings(
                response, decode: watch.microseconds, elapsed: work.asked.microseconds)
            span.end(image.isEmbedded ? "embedded" : "ok")
            let thumbnail = picture.drawn(for: request, tracer)
            return .output(
                Output(picture: picture, request: request, thumbnail: thumbnail),
                response.hash)
        } catch {
            span.end(error.description)
            return response.isPart ? .needsWhole : .failed(error)
        }
    }
}

extension Address {
    /// The size of a local file in bytes; 0 for anything else.
    fileprivate var fileSize: Int { filePath.flatMap(FileIdentity.init(path:))?.size ?? 0 }
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
