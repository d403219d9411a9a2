import ImageCodecs
import Pipeline
import Raster
import Trace

/// The second stage: from a file to the whole picture, reduced to the extent that its askers need.
///
/// All methods on the coordinator's queue; decoding runs on workers.
final class DecodeStage: Sendable {
    typealias Receive = @Sendable (Result<ReducedPicture, ThumbnailError>) -> Void

    private let fetchStage: FetchStage
    private let decoder: ImageDecoder
    private let workers: WorkQueue
    private let memory: ThumbnailMemory
    private let tracer: Tracer
    private let pool: JobPool<Edition<ReducedKey>, ReducedPicture, ThumbnailError>

    init(
        coordinator: Coordinator, fetchStage: FetchStage, decoder: ImageDecoder,
        memory: ThumbnailMemory,
        tracer: Tracer
    ) {
        self.fetchStage = fetchStage
        self.decoder = decoder
        self.memory = memory
        self.tracer = tracer
        pool = JobPool(coordinator: coordinator)
        workers = WorkQueue(
            label: "halftone.decode", width: WorkQueue.processorWidth, coordinator: coordinator)
    }

    func subscribe(_ ask: Ask, priority: Priority, receive: @escaping Receive) -> Subscription {
        let request = ask.request
        let extent = Extent(filling: request.box, region: request.region, style: request.style)
        return pool.subscribe(
            to: ask.key(ReducedKey(address: ask.address, extent: extent)), priority: priority,
            start: { start($0, ask, extent) }, receive: receive)
    }

    private func start(
        _ job: Job<ReducedPicture, ThumbnailError>, _ ask: Ask, _ extent: Extent
    ) {
        if let picture = memory.picture(for: ask, extent) {
            job.finish(.success(picture))
            return
        }
        let fetch = fetchStage.subscribe(ask, priority: job.priority) { [self] result in
            switch result {
            case .success(let file):
                job.run(on: workers) { [self] in decode(file, ask, extent) }
            case .failure(let error):
                job.finish(.failure(error))
            }
        }
        job.depend(on: fetch)
    }

    /// On a worker.
    private func decode(
        _ file: PictureFile, _ ask: Ask, _ extent: Extent
    ) -> Result<ReducedPicture, ThumbnailError> {
        let span = tracer.begin("decode", detail: "\(ask.address) \(extent.side)")
        let watch = Stopwatch()
        do {
            let image = try decoder.decode(file.bytes, covering: extent.target(for: file.bytes))
            let picture = ReducedPicture(
                image, extent: extent, edition: ask.edition, file: file, watch: watch)
            memory.insert(picture, for: ReducedKey(address: ask.address, extent: extent))
            span.end("ok")
            return .success(picture)
        } catch {
            span.end(error.description)
            return .failure(.decode(error))
        }
    }
}

extension Extent {
    /// The size to decode at: enough for the size that the picture is then reduced to.
    ///
    /// The decoder says what is wrong with a file that has no header.
    fileprivate func target(for bytes: [UInt8]) -> PixelSize {
        let square = PixelSize(width: side, height: side)
        return ImageDecoder.size(of: bytes).map(size(reducing:)) ?? square
    }
}
