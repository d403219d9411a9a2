import ImageCodecs
import Network
public import Pipeline
import Raster
import Trace

/// Draws an animated picture frame by frame.
public protocol FramePlaying: Sendable {
    /// Draws frame `number`, counted from 0 on through every repetition; callable on any thread.
    ///
    /// The number must be 0 at first, then that of the frame asked for last, to have it drawn otherwise, or the next one.
    /// `completion` runs exactly once on the coordinator's queue; it is told nil where the animation is over, and
    /// `cancelled` after cancelling.
    func frame(
        _ number: Int, for request: ThumbnailRequest,
        completion: @escaping @Sendable (Result<PlayedFrame?, ThumbnailError>) -> Void
    ) -> Subscription
}

/// A frame of an animation, drawn.
public struct PlayedFrame: Sendable {
    /// Its cells, and what is known of the picture.
    public var thumbnail: Thumbnail
    /// How long it is to be seen, at least 20.
    public var milliseconds: Int

    /// Makes a frame.
    public init(thumbnail: Thumbnail, milliseconds: Int) {
        self.thumbnail = thumbnail
        self.milliseconds = milliseconds
    }
}

/// Plays one animated file: fetches it once, then decodes and draws a frame at a time.
final class AnimationPlayer: FramePlaying, @unchecked Sendable {
    // @unchecked: `isOpen` is touched on the coordinator's queue only, `cursor` in work on `worker`, which runs one at a time.

    typealias Opening = @Sendable ([UInt8], DecodeLimits) throws(DecodeError) -> any FrameSource

    /// What takes longer is not played: it would not look like moving.
    private static let mostSecondsPerFrame = 2.0

    private struct FrameKey: Hashable, Sendable {
        var number: Int
        var cells: ThumbnailRequest
    }

    private let context: StageContext
    /// One piece of work at a time: the frames of one animation follow from each other.
    private let worker: WorkQueue
    private let open: Opening
    private let request: ThumbnailRequest
    private let facts: PictureFacts
    private let pool: JobPool<FrameKey, PlayedFrame?, ThumbnailError>
    /// Whether the file has been fetched and looked at.
    private var isOpen = false
    /// Where the animation stands, or why there is none; nil before it is opened.
    private var cursor: Result<any FrameSource, DecodeError>?

    /// - Parameter facts: What is known of the picture; every frame is drawn on the same ground.
    init(
        _ request: ThumbnailRequest, facts: PictureFacts, context: StageContext,
        worker: WorkQueue, open: Opening? = nil
    ) {
        self.context = context
        self.worker = worker
        self.open = open ?? context.decoder.frames
        self.request = request
        self.facts = facts
        pool = JobPool(coordinator: context.coordinator)
    }

    func frame(
        _ number: Int, for request: ThumbnailRequest,
        completion: @escaping @Sendable (Result<PlayedFrame?, ThumbnailError>) -> Void
    ) -> Subscription {
        context.coordinator.subscribe { [self] in
            pool.subscribe(
                to: FrameKey(number: number, cells: request.cellsKey), priority: .urgent,
                start: { start($0, number, request) }, receive: completion)
        }
    }

    private func start(
        _ job: Job<PlayedFrame?, ThumbnailError>, _ number: Int, _ request: ThumbnailRequest
    ) {
        if isOpen { return draw(number, request, file: nil, for: job) }
        let file = context.memory.current(self.request).fileRequest
        let fetch = context.fetcher.fetch(file, priority: .urgent) { [self] result in
            switch result {
            case .success(let file): draw(number, request, file: file.body, for: job)
            case .failure(let error): job.finish(.failure(ThumbnailError(error)))
            }
        }
        job.depend(on: fetch)
    }

    /// Without a cancellation: an animation stopped in the middle of a frame could not go on.
    private func draw(
        _ number: Int, _ request: ThumbnailRequest, file: [UInt8]?,
        for job: Job<PlayedFrame?, ThumbnailError>
    ) {
        job.run(on: worker) { [self] in
            let span = context.tracer.begin(
                "frame of animation", detail: "\(request.address) \(number)")
            let frame = frame(number, Reduction(for: request), file: file)
            span.end()
            return frame.map { $0.map { draw($0, request) } }.mapError(ThumbnailError.decode)
        } then: { [self] result in
            isOpen = true
            job.finish(result)
        }
    }

    private func frame(
        _ number: Int, _ reduction: Reduction, file: [UInt8]?
    ) -> Result<FrameCursor.Frame?, DecodeError> {
        var limits = context.decoder.limits
        limits.seconds = min(limits.seconds, Self.mostSecondsPerFrame)
        do throws(DecodeError) {
            var opened: any FrameSource
            if let cursor {
                opened = try cursor.get()
            } else {
                opened = try open(file ?? [], limits)
            }
            // Held in one place only, or its frames would be copied when they are changed.
            cursor = nil
            let frame = try opened.frame(number, reduction)
            cursor = .success(opened)
            return .success(frame)
        } catch {
            cursor = .failure(error)
            return .failure(error)
        }
    }

    private func draw(_ frame: FrameCursor.Frame, _ request: ThumbnailRequest) -> PlayedFrame {
        let style = request.style
        let ground = style.ground(for: facts.tint)
        let thumbnail = Thumbnail(fitting: request.fit(facts.size), style: style, facts: facts) {
            request.seen(of: frame.pixels, at: $0).composited(over: ground)
        }
        return PlayedFrame(thumbnail: thumbnail, milliseconds: frame.milliseconds)
    }
}
