import Basics
public import Browser
public import Gallery
public import Pipeline

/// A saver that writes nothing and answers when the test says so.
public final class GatedSaving: PictureSaving {
    private typealias Completion = @Sendable (Result<String, SaveError>) -> Void
    private let waiting = Locked<[(picture: Picture, folder: String, completion: Completion)]>([])

    /// Creates a saver without requests.
    public init() {}

    /// The titles of the pictures requested but not answered, in order.
    public var titles: [String] { waiting.withLock { $0.map(\.picture.title) } }

    /// The folders of these requests; empty for the usual one.
    public var folders: [String] { waiting.withLock { $0.map(\.folder) } }

    /// Answers the oldest request.
    public func answer(_ result: Result<String, SaveError>) {
        waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }?.completion(result)
    }

    /// Records the request.
    public func save(
        _ picture: Picture, in folder: String,
        completion: @escaping @Sendable (Result<String, SaveError>) -> Void
    ) -> Subscription {
        waiting.withLock { $0.append((picture, folder, completion)) }
        return .ended
    }
}
