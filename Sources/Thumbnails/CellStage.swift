import Network
import Pipeline
import Trace

/// The third stage: cells, drawn from pixels in memory or from the second stage.
struct CellStage {
    let context: StageContext
    let pixels: PixelStage
    private let pool = JobPool<ThumbnailRequest, Thumbnail, ThumbnailError>()
    /// Drawing takes a tenth of a millisecond, and the reader waits for it after a change of style: it must not wait for decodes.
    private let drawers = WorkQueue(label: "halftone.draw", width: WorkQueue.processorWidth)

    /// Draws the cells, or joins a job that does.
    @PipelineActor func subscribe(
        _ request: ThumbnailRequest, priority: Priority, flow: Flow,
        receive: @escaping Completion<Thumbnail, ThumbnailError>
    ) -> Subscription {
        // Checked before the pool, where a reload may be in progress that this request need not wait for.
        if let thumbnail = context.memory.thumbnail(for: request) {
            receive(.success(thumbnail))
            return .ended
        }
        return pool.subscribe(
            to: request.cellKey, priority: priority,
            start: { start($0, request, flow) }, receive: receive)
    }

    @PipelineActor private func start(
        _ job: Job<Thumbnail, ThumbnailError>, _ request: ThumbnailRequest, _ flow: Flow
    ) {
        if let picture = context.memory.picture(for: request) {
            return draw(picture, request, for: job, flow)
        }
        let pixels = pixels.subscribe(request, priority: job.priority, flow: flow) {
            [self] result in
            switch result {
            case .success(let output) where output.request.cellKey == request.cellKey:
                job.finish(.success(output.thumbnail))
            case .success(let output): draw(output.picture, request, for: job, flow)
            case .failure(let error): job.finish(.failure(error))
            }
        }
        job.depend(on: pixels)
    }

    @PipelineActor private func draw(
        _ picture: ReducedPicture, _ request: ThumbnailRequest,
        for job: Job<Thumbnail, ThumbnailError>, _ flow: Flow
    ) {
        job.run(on: drawers) { [context] in
            flow.arrive("worker")
            return picture.drawn(for: request, context.tracer)
        } then: { [context] thumbnail in
            flow.arrive("pipeline")
            context.memory.insert(thumbnail, of: picture.generation, for: request)
            job.finish(.success(thumbnail))
        }
    }
}
