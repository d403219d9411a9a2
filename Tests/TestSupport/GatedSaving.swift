import Basics
public import Collector
import Gallery

/// A saver that writes nothing and answers when the test says so.
public final class GatedSaving: PictureSaving {
    private typealias Completion = @Sendable (Result<String?, SaveError>) -> Void
    private let waiting = Locked<[(order: SaveOrder, completion: Completion)]>([])
    private let packs = Locked((count: 0, failure: SaveError?.none))

    /// Creates a saver without requests.
    public init() {}

    /// The titles of the pictures requested but not answered, in order.
    public var titles: [String] { waiting.withLock { $0.map(\.order.picture.title) } }

    /// The folders of these requests; empty for the usual one.
    public var folders: [String] { orders.map(\.target) }

    /// The requests themselves.
    public var orders: [SaveOrder] { waiting.withLock { $0.map(\.order) } }

    /// How often archives were to be completed.
    public var packCount: Int { packs.withLock(\.count) }

    /// Fails to complete archives from now on.
    public func failPacks(_ failure: SaveError) { packs.withLock { $0.failure = failure } }

    /// Answers the oldest request.
    public func answer(_ result: Result<String?, SaveError>) {
        waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }?.completion(result)
    }

    /// Records the request.
    public func save(
        _ order: SaveOrder, completion: @escaping @Sendable (Result<String?, SaveError>) -> Void
    ) {
        waiting.withLock { $0.append((order, completion)) }
    }

    /// Counts the call, and completes at once.
    public func pack(completion: @escaping @Sendable (SaveError?) -> Void) {
        completion(
            packs.withLock { packs in
                packs.count += 1
                return packs.failure
            })
    }
}
