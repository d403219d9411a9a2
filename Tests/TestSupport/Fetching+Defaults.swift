public import Basics
public import Network
public import Pipeline
public import Trace

/// Defaults for features that most fetcher doubles do not need.
extension Fetching {
    /// Fetches without deriving anything.
    @PipelineActor public func find<Derived: Sendable>(
        _ request: Request, priority: Priority, flow: Flow,
        derive: @escaping @Sendable (ContentHash) -> Derived?,
        completion: @escaping @PipelineActor @Sendable (Result<Found<Derived>, FetchError>) -> Void
    ) -> Subscription {
        fetch(request, priority: priority) { completion($0.map { .body($0) }) }
    }

    /// Never reports partial arrivals.
    public func watch(
        _ address: Address, receive: @escaping @Sendable (Arrival) -> Void
    ) -> Subscription { .ended }

    /// Forgets it.
    public func note(copy file: Address, of original: Address?) {}

    /// Forgets them.
    public func note(headers: [Address: HeaderFields]) {}

    /// Always nil.
    public func progress(of address: Address) -> FetchProgress? { nil }

    /// An empty backlog.
    public var backlog: Backlog { Backlog() }
}
