import ImageCodecs
import Network
import Pipeline
import Raster
import Trace

/// The second stage: from a file to the whole picture, reduced as its askers need.
///
/// All methods on the coordinator's queue; decoding runs on workers.
final class DecodeStage: Sendable {
    typealias Receive = @Sendable (Result<ReducedPicture, ThumbnailError>) -> Void

    /// Pixels from which on a decode takes a good part of a second, and tens of megabytes meanwhile; no common camera has as many.
    private static let heavy = 32e6

    private let coordinator: Coordinator
    private let derivedStage: DerivedStage
    private let store: DerivedStore?
    private let decoder: ImageDecoder
    private let workers: WorkQueue
    /// One at a time, beside the others: two giants, or bombs that run into their deadline, would else keep every tile waiting.
    private let heavyWorker: WorkQueue
    private let memory: ThumbnailMemory
    private let tracer: Tracer
    private let pool: JobPool<Edition<ReducedKey>, ReducedPicture, ThumbnailError>

    init(
        coordinator: Coordinator, derivedStage: DerivedStage, store: DerivedStore?,
        decoder: ImageDecoder, memory: ThumbnailMemory, tracer: Tracer
    ) {
        self.coordinator = coordinator
        self.derivedStage = derivedStage
        self.store = store
        self.decoder = decoder
        self.memory = memory
        self.tracer = tracer
        pool = JobPool(coordinator: coordinator)
        workers = WorkQueue(
            label: "halftone.decode", width: WorkQueue.processorWidth, coordinator: coordinator,
            isHeavy: true)
        heavyWorker = WorkQueue(
            label: "halftone.decode.heavy", width: 1, coordinator: coordinator, isHeavy: true)
    }

    func subscribe(_ ask: Ask, priority: Priority, receive: @escaping Receive) -> Subscription {
        let reduction = Reduction(for: ask.request)
        // Before the pool, where a reload may be under way that this need not wait for.
        if let picture = memory.picture(for: ask, reduction) {
            receive(.success(picture))
            return .ended
        }
        let key = ReducedKey(
            address: ask.address, reduction: reduction, mayBeEmbedded: ask.request.mayBeEmbedded)
        return pool.subscribe(
            to: ask.key(key), priority: priority,
            start: { start($0, ask, reduction) }, receive: receive)
    }

    private func start(
        _ job: Job<ReducedPicture, ThumbnailError>, _ ask: Ask, _ reduction: Reduction
    ) {
        derivedStage.find(ask, reduction, for: job) { [self] result in
            switch result {
            case .success(.picture(let picture)):
                let key = ReducedKey(
                    address: ask.address, reduction: reduction, mayBeEmbedded: picture.isEmbedded)
                memory.insert(picture, for: key)
                job.finish(.success(picture))
            case .success(.file(let file)):
                let cancellation = DecodeCancellation()
                job.onCancel { cancellation.cancel() }
                job.run(on: queue(for: file)) { [self] in
                    decode(file, ask, reduction, cancellation)
                }
            case .failure(let error):
                job.finish(.failure(error))
            }
        }
    }

    private func queue(for file: PictureFile) -> WorkQueue {
        guard let header = ImageHeader(of: file.bytes) else { return workers }
        // What draws it cannot be interrupted: one that takes very long holds up its own kind alone.
        guard header.format != .svg else { return heavyWorker }
        let size = header.size
        // As numbers that cannot overflow: a header may say anything.
        return Double(size.width) * Double(size.height) < Self.heavy ? workers : heavyWorker
    }

    /// On a worker.
    private func decode(
        _ file: PictureFile, _ ask: Ask, _ reduction: Reduction,
        _ cancellation: DecodeCancellation
    ) -> Result<ReducedPicture, ThumbnailError> {
        let span = tracer.begin("decode", detail: ask.address.text)
        let watch = Stopwatch()
        do {
            let image = try image(in: file, ask, reduction, cancellation)
            let picture = ReducedPicture(
                image, reduction, edition: ask.edition, file: file, watch: watch)
            let key = ReducedKey(
                address: ask.address, reduction: reduction, mayBeEmbedded: image.isEmbedded)
            memory.insert(picture, for: key)
            store?.keep(picture, reduction, hash: file.hash, on: coordinator)
            span.end(image.isEmbedded ? "embedded" : "ok")
            return .success(picture)
        } catch {
            span.end(error.description)
            return .failure(.decode(error))
        }
    }

    /// The smaller picture that lies in the file, where it will do, else the picture itself.
    private func image(
        in file: PictureFile, _ ask: Ask, _ reduction: Reduction,
        _ cancellation: DecodeCancellation
    ) throws(DecodeError) -> DecodedImage {
        let size = ImageDecoder.size(of: file.bytes)
        // Nil where the header does not tell: the decoder then says what is wrong with it.
        let target = size.map(reduction.decodedSize)
        if ask.request.mayBeEmbedded, let size, let least = reduction.embeddedSize(of: size),
            let image = decoder.decodeEmbedded(
                file.bytes, covering: target, ofAtLeast: least, cancellation: cancellation)
        {
            return image
        }
        return try decoder.decode(file.bytes, covering: target, cancellation: cancellation)
    }
}
