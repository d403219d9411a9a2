import Basics
public import Collector
public import Network
public import Pipeline

/// A saver that writes nothing and answers when the test says so.
public final class GatedSaving: PictureSaving {
    private typealias Completion = @Sendable (Result<String?, SaveError>) -> Void
    private let waiting = Locked<[(order: SaveOrder, completion: Completion)]>([])
    private let packs = Locked<[String]>([])

    /// Creates a saver without requests.
    public init() {}

    /// The titles of the pictures requested but not answered, in order.
    public var titles: [String] { waiting.withLock { $0.map(\.order.picture.title) } }

    /// The folders of these requests; empty for the usual one.
    public var folders: [String] { orders.map(\.target) }

    /// The requests themselves.
    public var orders: [SaveOrder] { waiting.withLock { $0.map(\.order) } }

    /// The targets that were completed.
    public var packed: [String] { packs.withLock(\.self) }

    /// Answers the oldest request.
    public func answer(_ result: Result<String?, SaveError>) {
        waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }?.completion(result)
    }

    /// Records the request.
    public func save(
        _ order: SaveOrder, completion: @escaping @Sendable (Result<String?, SaveError>) -> Void
    ) -> Subscription {
        waiting.withLock { $0.append((order, completion)) }
        return .ended
    }

    /// Records the target, and completes at once.
    public func pack(
        _ target: String, title: String, from page: Address,
        completion: @escaping @Sendable (SaveError?) -> Void
    ) -> Subscription {
        packs.withLock { $0.append(target) }
        completion(nil)
        return .ended
    }
}
