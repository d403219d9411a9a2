import Basics
import ImageCodecs
import Network
public import Pipeline
import Raster
import Sandbox
import Trace

/// Draws an animated picture frame by frame.
public protocol FramePlaying: Sendable {
    /// Draws frame `number`, counted from 0 across all repetitions; callable from any thread.
    ///
    /// The number must be 0 at first, then that of the previous request, to draw the frame in another way, or a later one.
    /// `completion` runs exactly once on the pipeline's queue, with nil if the animation is over, and with `cancelled` after cancelling.
    func frame(
        _ number: Int, for request: ThumbnailRequest,
        completion:
            @escaping Completion<PlayedFrame?, ThumbnailError>
    ) -> Subscription
}

/// A drawn frame of an animation.
public struct PlayedFrame: Sendable {
    /// The frame's cells, and the picture's facts.
    public var thumbnail: Thumbnail
    /// The frame's duration in milliseconds, at least 20.
    public var milliseconds: Int
    /// Whether it is the first frame once more, of an animation that never ends.
    public var beginsAgain: Bool

    /// Creates a frame.
    public init(thumbnail: Thumbnail, milliseconds: Int, beginsAgain: Bool) {
        self.thumbnail = thumbnail
        self.milliseconds = milliseconds
        self.beginsAgain = beginsAgain
    }
}

/// Plays one animated file: fetches it once, then decodes and draws one frame at a time.
final class AnimationPlayer: FramePlaying {
    private struct FrameKey: Hashable {
        var number: Int
        var cells: ThumbnailRequest
    }

    private let context: StageContext
    /// Runs one piece of work at a time, since the frames of an animation depend on each other.
    private let worker: WorkQueue
    private let request: ThumbnailRequest
    private let facts: PictureFacts
    private let pool = JobPool<FrameKey, PlayedFrame?, ThumbnailError>()
    /// Whether the file has been fetched and the attempt to open it is over.
    @PipelineActor private var isOpen = false
    /// The position in the animation, or why it cannot be played; nil before it is opened.
    ///
    /// Locked while a frame is decoded, as `worker` alone uses it, for one frame at a time.
    let cursor = Locked<Result<any FrameSource, DecodeError>?>(nil)

    /// - Parameter facts: The picture's facts; every frame is drawn on the same background.
    init(
        _ request: ThumbnailRequest, facts: PictureFacts, context: StageContext,
        worker: WorkQueue
    ) {
        self.context = context
        self.worker = worker
        self.request = request
        self.facts = facts
    }

    func frame(
        _ number: Int, for request: ThumbnailRequest,
        completion:
            @escaping Completion<PlayedFrame?, ThumbnailError>
    ) -> Subscription {
        PipelineActor.subscribe { [self] in
            pool.subscribe(
                to: FrameKey(number: number, cells: request.cellKey), priority: .urgent,
                start: { start($0, number, request) }, receive: completion)
        }
    }

    @PipelineActor private func start(
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

    /// Draws a frame without a cancellation, since an animation stopped within a frame could not continue.
    @PipelineActor private func draw(
        _ number: Int, _ request: ThumbnailRequest, file: [UInt8]?,
        for job: Job<PlayedFrame?, ThumbnailError>
    ) {
        job.run(on: worker) { [self] in
            let span = context.tracer.begin(
                "frame of animation", detail: "\(request.address) \(number)")
            let frame = frame(number, ReducedSize(for: request), file: file)
            span.end()
            return frame.map { $0.map { draw($0, request) } }.mapError(ThumbnailError.decode)
        } then: { [self] result in
            isOpen = true
            job.finish(result)
        }
    }

    private func frame(
        _ number: Int, _ reduction: ReducedSize, file: [UInt8]?
    ) -> Result<FrameCursor.Frame?, DecodeError> {
        var limits = context.decoder.limits
        limits.seconds = min(limits.seconds, HelperTimeouts.frame)
        return cursor.withLock { [self, limits] cursor in
            do throws(DecodeError) {
                var opened: any FrameSource
                if let cursor {
                    opened = try cursor.get()
                } else {
                    opened = try context.decoder.frames(
                        of: file ?? [], from: self.request.address, limits)
                }
                // Keeps the reference unique, or its frames would be copied on mutation.
                cursor = nil
                let frame = try opened.frame(number, reduction)
                cursor = .success(opened)
                return .success(frame)
            } catch {
                cursor = .failure(error)
                return .failure(error)
            }
        }
    }

    private func draw(_ frame: FrameCursor.Frame, _ request: ThumbnailRequest) -> PlayedFrame {
        let style = request.style
        let ground = style.ground(for: facts.tint)
        let thumbnail = Thumbnail(fitting: request.fit(facts.size), style: style, facts: facts) {
            request.seen(of: frame.pixels, from: facts.size, at: $0).composited(over: ground)
        }
        return PlayedFrame(
            thumbnail: thumbnail, milliseconds: frame.milliseconds, beginsAgain: frame.beginsAgain)
    }
}
