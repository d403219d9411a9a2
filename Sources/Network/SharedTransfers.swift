import Pipeline
import Trace

/// The transfers in flight, one for each request, however many subscribers it has; on the coordinator's queue.
///
/// A cancelled transfer may continue for a while (`TransferLoop.cancel`) and end up in the cache; a repeated request adopts it, so that it
/// neither runs twice nor loses what has arrived.
final class SharedTransfers: Sendable {
    enum Outcome: Sendable {
        /// A new response with its body.
        case received(CachedAnswer, FetchTimings)
        /// The cached response was revalidated; its body may be on disk.
        case confirmed(CachedAnswer, FetchTimings)
    }

    private let coordinator: Coordinator
    private let transfers: Transfers
    private let cache: HTTPCache
    private let jobs: JobPool<Request, Outcome, FetchError>

    init(coordinator: Coordinator, transfers: Transfers, cache: HTTPCache) {
        self.coordinator = coordinator
        self.transfers = transfers
        self.cache = cache
        jobs = JobPool(coordinator: coordinator, lingers: true)
    }

    /// Joins the transfer of `request`; if it starts now, it revalidates `kept`.
    func join(
        _ request: Request, confirming kept: CachedAnswer?, priority: Priority, flow: Flow,
        receive: @escaping @Sendable (Result<Outcome, FetchError>) -> Void
    ) -> Subscription {
        jobs.subscribe(to: request, priority: priority) { job in
            start(request, for: job, confirming: kept, flow: flow)
        } receive: {
            receive($0)
        }
    }

    private func start(
        _ request: Request, for job: Job<Outcome, FetchError>, confirming kept: CachedAnswer?,
        flow: Flow
    ) {
        // The response will be newer than the one cached now.
        let generation = max(request.generation, cache.generation(of: HTTPCache.key(of: request)))
        let conditions = kept.map {
            $0.conditions(isSameVariant: cache.isSameVariant($0, for: request))
        }
        let transfer = transfers.start(
            request, conditions: conditions ?? [], priority: job.priority, flow: flow
        ) { [self] result in
            coordinator.perform { [self] in
                flow.arrive("pipeline")
                if case .failure(.cancelled) = result, job.isWanted {
                    // Adopted too late: the transfer had already been cancelled.
                    start(request, for: job, confirming: kept, flow: flow)
                } else if let outcome = outcome(of: result, request, kept, generation) {
                    job.finish(outcome)
                } else if job.isWanted {
                    start(request, for: job, confirming: nil, flow: flow)
                } else {
                    job.finish(.failure(.cancelled))
                }
            }
        }
        job.depend(on: transfer)
    }

    /// Stores the result in the cache; nil if the transfer must be repeated without conditions.
    private func outcome(
        of result: Result<TransferAnswer, FetchError>, _ request: Request, _ kept: CachedAnswer?,
        _ generation: CacheGeneration
    ) -> Result<Outcome, FetchError>? {
        let key = HTTPCache.key(of: request)
        let answer: TransferAnswer
        switch result {
        case .success(let value): answer = value
        case .failure(let error):
            if [.status(404), .status(410)].contains(error) { cache.drop(key) }
            return .failure(error)
        }
        let varying = cache.varying(answer.headers, of: request, at: answer.address)
        if answer.status == 304, let kept {
            // A private server that responds 304 must not turn a public server's page into its own.
            guard kept.isMeant(by: answer.headers),
                request.purpose == .picture || kept.isFromPrivate == answer.isFromPrivate
            else { return nil }
            var confirmed = kept.confirmed(by: answer.headers, at: currentSeconds())
            // A 304 need not repeat `Vary`.
            confirmed.varying =
                answer.headers.value(of: "vary") != nil
                ? varying : cache.varying(kept.headers, of: request, at: kept.address)
            confirmed.isMovable = answer.isMovable
            confirmed.generation = generation
            cache.keep(confirmed, for: key)
            return .success(.confirmed(confirmed, answer.timings))
        }
        let received = CachedAnswer(
            address: answer.address, headers: answer.headers, body: answer.body,
            isFromPrivate: answer.isFromPrivate, isMovable: answer.isMovable,
            storedAt: currentSeconds(), generation: generation, varying: varying)
        if HTTPCache.isStorable(answer) {
            cache.keep(received, for: key)
        } else {
            cache.drop(key)
        }
        return .success(.received(received, answer.timings))
    }
}
