/// A subscriber's interest in a result.
///
/// Every method may be called any number of times; on any thread, unless whatever made it says otherwise. The
/// subscriber's completion runs exactly once; after `cancel` it is told `cancelled`, unless the result was already on
/// its way. One that is merely dropped goes on: cancelling is explicit.
public final class Subscription: Sendable {
    private let onCancel: @Sendable () -> Void
    private let onPriority: @Sendable (Priority) -> Void

    /// Makes a handle from what it does; both closures are called on the caller's thread.
    public init(
        onCancel: @escaping @Sendable () -> Void,
        onPriority: @escaping @Sendable (Priority) -> Void = { _ in }
    ) {
        self.onCancel = onCancel
        self.onPriority = onPriority
    }

    /// A subscription to something that is over.
    public static let ended = Subscription(onCancel: {})

    /// Gives the result up; the last subscriber to do so cancels the job and, through it, what the job waits for.
    public func cancel() { onCancel() }

    /// Changes how urgently this subscriber wants the result.
    public func setPriority(_ priority: Priority) { onPriority(priority) }
}

/// An error with a case for "given up", which is never shown as a failure.
public protocol CancellableError: Error, Sendable {
    /// The case that means cancelled.
    static var cancelled: Self { get }
}
