import ImageCodecs
import Network
import Pipeline
import Raster
import Trace

/// Plays one animated file: fetches it once, then decodes and draws a frame at a time.
final class AnimationPlayer: FramePlaying {
    /// What all players of a pipeline share.
    struct Shop: Sendable {
        var coordinator: Coordinator
        var fetchStage: FetchStage
        /// One piece of work at a time: the frames of one animation follow from each other.
        var worker: WorkQueue
        var limits: DecodeLimits
        var editions: Editions
        var tracer: Tracer
    }

    private struct State {
        /// Until the first frame is asked for, and from then on the film, or why there is none.
        var reel: Result<Reel, DecodeError>?
    }

    private struct FrameKey: Hashable, Sendable {
        var number: Int
        var cells: CellsKey
    }

    private let shop: Shop
    private let request: ThumbnailRequest
    private let facts: PictureFacts
    private let state = Locked(State())
    private let pool: JobPool<FrameKey, PlayedFrame?, ThumbnailError>

    /// - Parameter facts: What is known of the picture; every frame is drawn on the same ground.
    init(_ request: ThumbnailRequest, facts: PictureFacts, shop: Shop) {
        self.shop = shop
        self.request = request
        self.facts = facts
        pool = JobPool(coordinator: shop.coordinator)
    }

    func frame(
        _ number: Int, for request: ThumbnailRequest,
        completion: @escaping @Sendable (Result<PlayedFrame?, ThumbnailError>) -> Void
    ) -> Subscription {
        shop.coordinator.subscribe { [self] in
            pool.subscribe(
                to: FrameKey(number: number, cells: CellsKey(request)), priority: .urgent,
                start: { start($0, number, request) }, receive: completion)
        }
    }

    /// On the coordinator's queue.
    private func start(
        _ job: Job<PlayedFrame?, ThumbnailError>, _ number: Int, _ request: ThumbnailRequest
    ) {
        guard state.withLock({ $0.reel == nil }) else {
            return job.run(on: shop.worker) { [self] in draw(number, request, file: nil) }
        }
        let ask = shop.editions.begin(self.request)
        let fetch = shop.fetchStage.subscribe(ask, priority: .urgent) { [self] result in
            switch result {
            case .success(let file):
                // The bytes alone: the file's slot belongs to those still to be fetched.
                let bytes = file.bytes
                job.run(on: shop.worker) { [self] in draw(number, request, file: bytes) }
            case .failure(let error):
                job.finish(.failure(error))
            }
        }
        job.depend(on: fetch)
    }

    /// On the worker.
    ///
    /// Not to be cancelled: an animation stopped in the middle of a frame could not go on.
    private func draw(
        _ number: Int, _ request: ThumbnailRequest, file: [UInt8]?
    ) -> Result<PlayedFrame?, ThumbnailError> {
        let span = shop.tracer.begin("frame of animation", detail: "\(request.address) \(number)")
        let reduction = Reduction(for: request)
        let limits = shop.limits
        let found = state.withLock { state -> Result<Reel.Frame?, DecodeError> in
            Self.frame(number, reduction, file: file, limits: limits, in: &state)
        }
        span.end(found.outcome)
        return found.map { frame in frame.map { draw($0, request) } }.mapError(
            ThumbnailError.decode)
    }

    private static func frame(
        _ number: Int, _ reduction: Reduction, file: [UInt8]?, limits: DecodeLimits,
        in state: inout State
    ) -> Result<Reel.Frame?, DecodeError> {
        do throws(DecodeError) {
            var reel: Reel
            if let opened = state.reel {
                reel = try opened.get()
            } else {
                reel = try Reel(file ?? [], limits: limits)
            }
            // Kept in one place only, or its frames would be copied when they are changed.
            state.reel = .failure(.cancelled)
            let frame = try reel.frame(number, reduction)
            state.reel = .success(reel)
            return .success(frame)
        } catch {
            state.reel = .failure(error)
            return .failure(error)
        }
    }

    private func draw(_ frame: Reel.Frame, _ request: ThumbnailRequest) -> PlayedFrame {
        let style = request.style
        let fit = Fit(facts.size, region: request.region, into: request.box, style: style)
        let pixels = frame.pixels.resampled(request.region, to: fit.pixels)
        let ground = pixels.composited(over: style.ground(for: facts.tint))
        let cells = BlockArt(style: style).cells(from: ground)
        return PlayedFrame(
            thumbnail: Thumbnail(cells: cells, facts: facts), milliseconds: frame.milliseconds)
    }
}
