import ImageCodecs
import Network
import Pipeline
import Raster
import Trace

/// A picture drawn as far as it has arrived while the rest is being transferred.
///
/// Independent of the stages: its results are never cached, shared or mistaken for the picture, and it never starts, delays or ends a
/// transfer. At most one arrival is drawn at a time; of later ones only the latest waits.
@PipelineActor final class Preview {
    private let context: StageContext
    /// Used only for previews, so that the pictures themselves never wait for it.
    private let worker: WorkQueue
    private let request: ThumbnailRequest
    private let receive: PipelineReceiver<Thumbnail>
    private var cancellation = DecodeCancellation()
    private var watch: Subscription?
    private var waiting: Arrival?
    private var isDrawing = false
    private var isEnded = false

    init(
        _ request: ThumbnailRequest, context: StageContext, worker: WorkQueue,
        receive: @escaping PipelineReceiver<Thumbnail>
    ) {
        self.request = request
        self.context = context
        self.worker = worker
        self.receive = receive
        watch = context.fetcher.watch(request.address) { [self] arrival in
            PipelineActor.perform { self.take(arrival) }
        }
    }

    /// Stops the preview; `receive` is not called any more.
    func end() {
        isEnded = true
        waiting = nil
        watch?.cancel()
        cancellation.cancel()
    }

    private func take(_ arrival: Arrival) {
        guard !isEnded else { return }
        if arrival.isWhole {
            // From now on the CPU is needed for the picture itself.
            waiting = nil
            cancellation.cancel()
            cancellation = DecodeCancellation()
        } else {
            waiting = arrival
            drawNext()
        }
    }

    private func drawNext() {
        guard !isDrawing, let arrival = waiting else { return }
        waiting = nil
        isDrawing = true
        worker.enqueue(priority: .visible) { [self, cancellation] in
            draw(arrival, cancellation)
        } then: { [self] thumbnail in
            isDrawing = false
            guard !isEnded else { return }
            if let thumbnail { receive(thumbnail) }
            drawNext()
        }
    }

    private nonisolated func draw(_ arrival: Arrival, _ cancellation: DecodeCancellation)
        -> Thumbnail?
    {
        let span = context.tracer.begin("preview", detail: request.address.text)
        do {
            let task = DecodeTask(reduction: ReducedSize(for: request))
            guard
                let image = try context.decoder.image(
                    in: arrival.bytes, from: request.address, task, cancellation)
            else { return nil }
            let picture = ReducedPicture(
                image, byteCount: arrival.bytes.count, isPartial: true)
            span.end("\(arrival.bytes.count) bytes")
            return picture.drawn(for: request, over: standIn)
        } catch {
            span.end(error.description)
            return nil
        }
    }

    /// Returns the thumbnail at this size, to fill in for missing rows; nil if there is none, or it shows something else.
    private nonisolated func standIn(for source: PixelSize, at size: PixelSize) -> PixelBuffer? {
        guard let address = request.standIn, let picture = context.memory.picture(of: address),
            picture.facts.size.isShaped(like: source)
        else { return nil }
        return request.seen(of: picture.pixels, from: source, at: size)
            .composited(over: request.style.background)
    }
}

extension PixelSize {
    /// Whether both sizes have the same aspect ratio, so that one picture can be a reduced but not a cropped version of the other.
    fileprivate func isShaped(like other: PixelSize) -> Bool {
        let ratio =
            Double(width) * Double(other.height) / max(1, Double(height) * Double(other.width))
        return (0.95...1.05).contains(ratio)
    }
}
