import Network
import Pipeline

/// Hands everything on to the real fetcher, and counts what is under way.
final class CountingFetcher: Fetching {
    private struct State {
        var underWay: [Request: Int] = [:]
        /// Files that were asked for past the cache: what was asked for before goes on beside that.
        var reloaded: Set<Address> = []
        var most = 0
    }

    private let fetcher: Fetcher
    private let state = Locked(State())

    init(_ fetcher: Fetcher) {
        self.fetcher = fetcher
    }

    /// Requests under way.
    var underWay: Int { state.withLock { $0.underWay.count } }

    /// The most equal requests for a picture that were ever under way at once, apart from files that were reloaded.
    var mostUnderWay: Int { state.withLock(\.most) }

    /// Requests that are with the server.
    var transfersInFlight: Int { fetcher.transfersInFlight }

    func fetch(
        _ request: Request, priority: Priority,
        completion: @escaping @Sendable (Result<Response, FetchError>) -> Void
    ) -> Subscription {
        state.withLock { state in
            state.underWay[request, default: 0] += 1
            if request.generation > .any { state.reloaded.insert(request.address) }
            if request.purpose == .picture, !state.reloaded.contains(request.address) {
                state.most = max(state.most, state.underWay[request] ?? 0)
            }
        }
        return fetcher.fetch(request, priority: priority) { [self] result in
            state.withLock { state in
                let count = state.underWay[request] ?? 0
                state.underWay[request] = count > 1 ? count - 1 : nil
            }
            completion(result)
        }
    }
}
