import Basics
public import Collector
import Gallery

/// A saver that writes nothing and answers when the test says so.
public final class GatedSaving: PictureSaving {
    private typealias Completion = @Sendable (Result<String?, SaveError>) -> Void
    private let waiting = Locked<[(order: SaveOrder, completion: Completion)]>([])
    private let packs = Locked(0)

    /// Creates a saver without requests.
    public init() {}

    /// The titles of the pictures requested but not answered, in order.
    public var titles: [String] { waiting.withLock { $0.map(\.order.picture.title) } }

    /// The folders of these requests; empty for the usual one.
    public var folders: [String] { orders.map(\.target) }

    /// The requests themselves.
    public var orders: [SaveOrder] { waiting.withLock { $0.map(\.order) } }

    /// How often archives were to be completed.
    public var packCount: Int { packs.withLock(\.self) }

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
        packs.withLock { $0 += 1 }
        completion(nil)
    }
}
