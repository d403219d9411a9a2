import Pipeline
import Trace

/// Transfers under way: one for each request, however many wait for it.
///
/// One that was given up may go on for a while (`TransferLoop.leave`) and ends in the cache; a repeated request adopts
/// it, so that it neither runs twice nor loses what had come. All methods on the coordinator's queue.
final class SharedTransfers: @unchecked Sendable {
    // @unchecked: every variable is touched on the coordinator's queue only; each entry asserts it.

    /// What came of a transfer.
    enum Outcome: Sendable {
        /// A new answer, with its body.
        case received(CachedAnswer, FetchTimings)
        /// The kept answer is still right; its body may lie on the disk.
        case confirmed(CachedAnswer, FetchTimings)
        /// Nothing.
        case failed(FetchError)
    }

    typealias Receive = @Sendable (Outcome) -> Void

    private struct Waiter {
        var priority: Priority
        let receive: Receive
    }

    private struct Entry {
        let kept: CachedAnswer?
        /// For which generation its answer counts: it is newer than what is kept when it starts.
        let generation: CacheGeneration
        let flow: Flow
        var transfer = Subscription.ended
        var waiters: [Int: Waiter] = [:]
        /// Whether it was ever given up, and may therefore end as cancelled.
        var wasLeft = false

        var priority: Priority { waiters.values.lazy.map(\.priority).max() ?? .idle }
    }

    private let coordinator: Coordinator
    private let transfers: Transfers
    private let cache: HTTPCache
    private var entries: [Request: Entry] = [:]
    private var lastWaiter = 0

    init(coordinator: Coordinator, transfers: Transfers, cache: HTTPCache) {
        self.coordinator = coordinator
        self.transfers = transfers
        self.cache = cache
    }

    /// Waits for the transfer of `request`, which asks whether `kept` is still right if it starts now.
    ///
    /// `receive` is called once, on the coordinator's queue, unless the subscription is cancelled before, on the same queue.
    func join(
        _ request: Request, confirming kept: CachedAnswer?, priority: Priority, flow: Flow,
        receive: @escaping Receive
    ) -> Subscription {
        coordinator.assertConfined()
        lastWaiter += 1
        let number = lastWaiter
        let waiter = Waiter(priority: priority, receive: receive)
        if entries[request] == nil {
            start(request, confirming: kept, waiters: [number: waiter], flow: flow)
        } else {
            entries[request]?.waiters[number] = waiter
            updatePriority(of: request)
        }
        return Subscription(
            onCancel: { self.leave(request, number) },
            onPriority: { priority in
                self.entries[request]?.waiters[number]?.priority = priority
                self.updatePriority(of: request)
            })
    }

    private func leave(_ request: Request, _ number: Int) {
        coordinator.assertConfined()
        guard let entry = entries[request], entry.waiters[number] != nil else { return }
        entries[request]?.waiters[number] = nil
        if entry.waiters.count == 1 {
            entries[request]?.wasLeft = true
            entry.transfer.cancel()
        } else {
            updatePriority(of: request)
        }
    }

    /// Also what brings a transfer back that was given up.
    private func updatePriority(of request: Request) {
        coordinator.assertConfined()
        guard let entry = entries[request], !entry.waiters.isEmpty else { return }
        entry.transfer.setPriority(entry.priority)
    }

    private func start(
        _ request: Request, confirming kept: CachedAnswer?, waiters: [Int: Waiter], flow: Flow
    ) {
        let key = HTTPCache.key(of: request)
        var entry = Entry(
            kept: kept, generation: max(request.generation, cache.generation(of: key)), flow: flow)
        entry.waiters = waiters
        let conditions = kept.map {
            $0.conditions(isSameVariant: cache.isSameVariant($0, for: request))
        }
        entry.transfer = transfers.start(
            request, conditions: conditions ?? [], priority: entry.priority, flow: flow
        ) { [self] result in
            coordinator.perform { self.end(request, result) }
        }
        entries[request] = entry
    }

    private func end(_ request: Request, _ result: Result<TransferAnswer, FetchError>) {
        guard let entry = entries.removeValue(forKey: request) else { return }
        entry.flow.arrive("pipeline")
        if case .failure(.cancelled) = result, entry.wasLeft, !entry.waiters.isEmpty {
            // Adopted too late.
            return start(
                request, confirming: entry.kept, waiters: entry.waiters, flow: entry.flow)
        }
        guard let outcome = outcome(of: result, request, entry) else {
            return start(request, confirming: nil, waiters: entry.waiters, flow: entry.flow)
        }
        for number in entry.waiters.keys.sorted() {
            entry.waiters[number]?.receive(outcome)
        }
    }

    /// Notes the result in the cache; nil if the transfer must be made again without conditions.
    private func outcome(
        of result: Result<TransferAnswer, FetchError>, _ request: Request, _ entry: Entry
    ) -> Outcome? {
        let key = HTTPCache.key(of: request)
        let answer: TransferAnswer
        switch result {
        case .success(let value): answer = value
        case .failure(let error):
            if [.status(404), .status(410)].contains(error) { cache.drop(key) }
            return .failed(error)
        }
        let now = currentSeconds()
        if answer.status == 304, let kept = entry.kept {
            guard kept.isMeant(by: answer.headers) else { return nil }
            // A 304 need not repeat `Vary`.
            let isVarying = answer.headers.contains { $0.name == "vary" }
            var confirmed = kept.confirmed(
                by: answer.headers, at: now,
                varying: isVarying
                    ? cache.varying(answer.headers, of: request, at: answer.address)
                    : cache.varying(kept.headers, of: request, at: kept.address))
            confirmed.generation = entry.generation
            cache.keep(confirmed, for: key)
            return .confirmed(confirmed, answer.timings)
        }
        var received = CachedAnswer(
            address: answer.address, headers: answer.headers, body: answer.body, storedAt: now,
            varying: cache.varying(answer.headers, of: request, at: answer.address))
        received.generation = entry.generation
        if HTTPCache.isStorable(answer) {
            cache.keep(received, for: key)
        } else {
            cache.drop(key)
        }
        return .received(received, answer.timings)
    }
}
