/// One asker's hold on a job.
///
/// Every method may be called on any thread, any number of times.
///
/// The asker's completion runs exactly once whatever happens; after `cancel` it is told `cancelled`, unless the result was already on its way.
/// A subscription that is merely dropped goes on: cancelling is explicit.
public final class Subscription: Sendable {
    private let onCancel: @Sendable () -> Void
    private let onPriority: @Sendable (Priority) -> Void

    /// Makes a handle from what it does; both closures are called on the caller's thread.
    public init(
        onCancel: @escaping @Sendable () -> Void,
        onPriority: @escaping @Sendable (Priority) -> Void
    ) {
        self.onCancel = onCancel
        self.onPriority = onPriority
    }

    /// A hold on something that is over.
    public static let ended = Subscription(onCancel: {}, onPriority: { _ in })

    /// Gives the result up; the last asker to do so cancels the job and, through it, what the job waits for.
    public func cancel() {
        onCancel()
    }

    /// Changes how urgently this asker wants the result.
    public func setPriority(_ priority: Priority) {
        onPriority(priority)
    }
}
