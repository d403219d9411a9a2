import Network
import Pipeline
import Synchronization
import Trace

/// The first stage: a picture's file, from wherever it is.
///
/// All methods on the coordinator's queue unless they say otherwise.
final class FetchStage: Sendable {
    typealias Receive = @Sendable (Result<PictureFile, ThumbnailError>) -> Void

    /// Files of one host that are fetched or wait in memory to be decoded.
    ///
    /// Twice the requests at once to a host, so that the next are there when one is decoded, but a folder of photographs is not read into
    /// memory at once. By host, as one that hangs must hold nobody else up.
    private static let filesPerHost = 12
    /// So many of them only for what is on the screen, and as many again for the selected picture alone.
    ///
    /// Those fetched ahead must not make what the reader has turned to wait; they still keep half as many again as
    /// there are requests at once.
    private static let reserve = 3

    private static func width(_ level: Priority.Level) -> Int {
        switch level {
        case .idle, .prefetch: filesPerHost - reserve
        case .visible: filesPerHost
        case .urgent: filesPerHost + reserve
        }
    }

    private let coordinator: Coordinator
    private let fetcher: any Fetching
    private let tracer: Tracer
    private let pool: JobPool<Edition<FileKey>, PictureFile, ThumbnailError>
    private let hosts: Turnstiles
    private let transfers = Atomic<Int>(0)

    init(coordinator: Coordinator, fetcher: any Fetching, tracer: Tracer) {
        self.coordinator = coordinator
        self.fetcher = fetcher
        self.tracer = tracer
        pool = JobPool(coordinator: coordinator)
        hosts = Turnstiles(coordinator: coordinator, width: Self.width)
    }

    /// Transfers under way; any thread.
    var transfersInFlight: Int { transfers.load(ordering: .relaxed) }

    /// `known` is what the asker has something made from: if that is still what is there, the file may come without its bytes.
    func subscribe(
        _ ask: Ask, knowing known: ContentHash? = nil, priority: Priority,
        receive: @escaping Receive
    ) -> Subscription {
        pool.subscribe(
            to: ask.key(FileKey(address: ask.address, known: known)), priority: priority,
            start: { start($0, ask, knowing: known) }, receive: receive)
    }

    private func start(
        _ job: Job<PictureFile, ThumbnailError>, _ ask: Ask, knowing known: ContentHash?
    ) {
        let asked = Stopwatch()
        let ticket = hosts.enter(ask.address.host, priority: job.priority) { [self] slot in
            fetch(job, ask, knowing: known, asked, slot)
        }
        job.onCancel { ticket.cancel() }
        job.onPriorityChange { ticket.setPriority($0) }
    }

    private func fetch(
        _ job: Job<PictureFile, ThumbnailError>, _ ask: Ask, knowing known: ContentHash?,
        _ asked: Stopwatch, _ slot: Slot
    ) {
        let span = tracer.begin("fetch", detail: ask.address.text)
        countTransfers(by: 1)
        let request = Request(
            ask.address, for: .picture, referer: ask.request.referer,
            generation: ask.edition, known: known)
        let transfer = fetcher.fetch(request, priority: job.priority) { [self] result in
            countTransfers(by: -1)
            span.end(result.outcome)
            job.finish(
                result.map { PictureFile($0, elapsed: asked.microseconds, slot: slot) }
                    .mapError(ThumbnailError.init))
        }
        job.depend(on: transfer)
    }

    private func countTransfers(by difference: Int) {
        let count = transfers.wrappingAdd(difference, ordering: .relaxed).newValue
        tracer.count("transfers", count)
    }
}

/// A fetched file, which counts as one of its host's until the last copy is gone.
struct PictureFile: Sendable {
    var bytes: [UInt8]
    /// What the bytes are called.
    var hash: LazyContentHash
    /// Whether the bytes were left out, as what the asker knew is still right.
    var isKnown: Bool
    /// From asking to having.
    var timings: PictureTimings
    /// Since it is there.
    let arrived = Stopwatch()
    private let slot: Slot

    init(_ response: Response, elapsed: Int, slot: Slot) {
        bytes = response.body
        hash = response.hash
        isKnown = response.isKnown
        timings = PictureTimings(response, elapsed: elapsed)
        self.slot = slot
    }
}

extension ThumbnailError {
    init(_ error: FetchError) {
        self = error == .cancelled ? .cancelled : .fetch(error)
    }
}
