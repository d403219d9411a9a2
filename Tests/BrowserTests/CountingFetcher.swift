import Basics
import Network
import Pipeline
import TestSupport
import Trace

/// Forwards everything to the real fetcher and counts requests in flight.
final class CountingFetcher: Fetching {
    private let fetcher: FetchStage
    private let count = Locked(0)

    init(_ fetcher: FetchStage) {
        self.fetcher = fetcher
    }

    /// The number of requests in flight.
    var underWay: Int { count.withLock(\.self) }

    /// The number of requests being transferred.
    var transfersInFlight: Int { fetcher.transfersInFlight }

    var backlog: Backlog { fetcher.backlog }

    func fetch(
        _ request: Request, priority: Priority,
        completion: @escaping @PipelineActor @Sendable (Result<Response, FetchError>) -> Void
    ) -> Subscription {
        count.withLock { $0 += 1 }
        return fetcher.fetch(request, priority: priority) { [count] result in
            count.withLock { $0 -= 1 }
            completion(result)
        }
    }

    @PipelineActor func find<Derived: Sendable>(
        _ request: Request, priority: Priority, flow: Flow,
        derive: @escaping @Sendable (ContentHash) -> Derived?,
        completion: @escaping @PipelineActor @Sendable (Result<Found<Derived>, FetchError>) -> Void
    ) -> Subscription {
        count.withLock { $0 += 1 }
        return fetcher.find(request, priority: priority, flow: flow, derive: derive) {
            [count] result in
            count.withLock { $0 -= 1 }
            completion(result)
        }
    }
}
