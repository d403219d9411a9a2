import Network
import Pipeline

/// What is asked for on behalf of pictures: one request for each, for as long as it is wanted, and what has failed.
@MainActor class WantedRequests<Value: Sendable, Failure: CancellableError> {
    private let main: any MainScheduling
    private(set) var requests: [PictureID: MainRequest] = [:]
    /// Failures outlive the wish, so that scrolling back and forth does not keep asking a dead server.
    private var failures: [PictureID: (identity: Address, error: Failure)] = [:]
    /// Cache generations for retrying what has failed, since the cached copy may be the broken one.
    private var retries: [PictureID: CacheGeneration] = [:]

    init(_ main: any MainScheduling) { self.main = main }

    func isLoading(_ id: PictureID) -> Bool { requests[id] != nil }

    /// Returns why what has this `identity`, or whatever was asked for last, could not be had.
    func failure(of id: PictureID, as identity: Address? = nil) -> Failure? {
        failures[id].flatMap { $0.identity == identity ?? $0.identity ? $0.error : nil }
    }

    /// Retries the failed ones of `ids`; returns their number.
    func retry(_ ids: some Sequence<PictureID>) -> Int {
        let failed = ids.filter { failures.removeValue(forKey: $0) != nil }
        let generation = CacheGeneration.next()
        for id in failed { retries[id] = generation }
        return failed.count
    }

    /// Forgets a failure because another address is to be tried.
    func forgetFailure(of id: PictureID) { failures[id] = nil }

    /// Forgets the failures of a section, whose pictures are then requested again.
    func forget(section: Int) {
        failures = failures.filter { $0.key.section != section }
        retries = retries.filter { $0.key.section != section }
    }

    /// Returns the minimum cache generation for a picture that needs at least `generation`.
    func generation(of id: PictureID, atLeast generation: CacheGeneration) -> CacheGeneration {
        max(generation, retries[id] ?? .any)
    }

    /// Begins to ask, in place of an earlier request.
    func begin(
        _ id: PictureID, as identity: Address,
        ask: (@escaping Receiver<Result<Value, Failure>>) -> Subscription
    ) {
        requests[id] = MainRequest(on: main, ask: ask) { [weak self] result in
            guard let self else { return }
            requests[id] = nil
            switch result {
            // Cancelled elsewhere (results of requests cancelled here are dropped), so it is still wanted.
            case .failure(.cancelled): break
            case .failure(let error):
                failures[id] = (identity, error)
                retries[id] = nil
            case .success: retries[id] = nil
            }
            receive(try? result.get(), for: id)
        }
    }

    /// Takes what has arrived; nil if it failed or was cancelled elsewhere.
    func receive(_ value: Value?, for id: PictureID) {}

    /// Cancels the requests of what is not `wanted`; returns their number.
    @discardableResult
    func cancel(except wanted: Set<PictureID>) -> Int {
        let ids = requests.keys.filter { !wanted.contains($0) }
        for id in ids { take(id)?.cancel() }
        return ids.count
    }

    /// Takes a request out without cancelling it.
    func take(_ id: PictureID) -> MainRequest? { requests.removeValue(forKey: id) }
}
