import ImageCodecs
import Network
import Pipeline
import Raster
import Trace

/// One picture that is drawn as far as it has come, while the rest is on its way.
///
/// Beside the stages, not among them: nothing it makes is kept, shared or taken for the picture, and it never makes a
/// transfer start, wait or end. At most one arrival is drawn at a time; of those that come meanwhile the latest waits.
final class Preview: @unchecked Sendable {
    // @unchecked: every variable is touched on the coordinator's queue only; each entry asserts it.

    private let context: StageContext
    /// Of the previews alone, which the pictures themselves never wait for.
    private let worker: WorkQueue
    private let request: ThumbnailRequest
    private let receive: @Sendable (Thumbnail) -> Void
    private var cancellation = DecodeCancellation()
    private var watch: Subscription?
    private var waiting: Arrival?
    private var isDrawing = false
    private var isEnded = false

    init(
        _ request: ThumbnailRequest, context: StageContext, worker: WorkQueue,
        receive: @escaping @Sendable (Thumbnail) -> Void
    ) {
        self.request = request
        self.context = context
        self.worker = worker
        self.receive = receive
    }

    func start() {
        context.coordinator.assertConfined()
        watch = context.fetcher.watch(request.address) { [self] arrival in
            context.coordinator.perform { self.take(arrival) }
        }
    }

    /// Nothing is told from now on.
    func end() {
        context.coordinator.assertConfined()
        isEnded = true
        waiting = nil
        watch?.cancel()
        cancellation.cancel()
    }

    private func take(_ arrival: Arrival) {
        context.coordinator.assertConfined()
        guard !isEnded else { return }
        if arrival.isWhole {
            // The processors belong to the picture itself from now on.
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

    private func draw(_ arrival: Arrival, _ cancellation: DecodeCancellation) -> Thumbnail? {
        let span = context.tracer.begin("preview", detail: request.address.text)
        let reduction = Reduction(for: request)
        do {
            let task = DecodeTask(reduction: reduction, limits: context.decoder.limits)
            guard
                let image = try context.decoder.image(in: arrival.bytes, task, cancellation)
            else { return nil }
            let picture = ReducedPicture(
                image, reduction, byteCount: arrival.bytes.count, isPartial: true)
            span.end("\(arrival.bytes.count) bytes")
            return picture.drawn(for: request, over: standIn)
        } catch {
            span.end(error.description)
            return nil
        }
    }

    /// The thumbnail, as large, to lie where rows are missing; nil without one, and for one that shows something else.
    private func standIn(for source: PixelSize, at size: PixelSize) -> PixelBuffer? {
        guard let address = request.standIn, let picture = context.memory.picture(of: address),
            picture.facts.size.isShaped(like: source)
        else { return nil }
        let (part, turn) = (request.turn.source(of: request.region), request.turn)
        return picture.pixels.resampled(part, to: turn.turned(size)).turned(turn)
            .composited(over: request.style.background)
    }
}

extension PixelSize {
    /// Whether the one can be the other made smaller, and is not a cut-out of it.
    fileprivate func isShaped(like other: PixelSize) -> Bool {
        let ratio =
            Double(width) * Double(other.height) / max(1, Double(height) * Double(other.width))
        return (0.95...1.05).contains(ratio)
    }
}
