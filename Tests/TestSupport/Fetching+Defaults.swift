public import Network
public import Pipeline
public import Trace

/// What most doubles of a fetcher can do without.
extension Fetching {
    /// Fetches; nothing is derived.
    public func find<Derived: Sendable>(
        _ request: Request, priority: Priority, flow: Flow,
        derive: @escaping @Sendable (ContentHash) -> Derived?,
        completion: @escaping @Sendable (Result<Found<Derived>, FetchError>) -> Void
    ) -> Subscription {
        fetch(request, priority: priority) { completion($0.map { .body($0) }) }
    }

    /// Nothing is seen before it is whole.
    public func watch(
        _ address: Address, receive: @escaping @Sendable (Arrival) -> Void
    ) -> Subscription { .ended }

    /// Not known.
    public func progress(of address: Address) -> FetchProgress? { nil }

    /// Nothing waits for it.
    public var backlog: Backlog { Backlog() }
}
