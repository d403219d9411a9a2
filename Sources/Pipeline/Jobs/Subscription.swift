import Basics
public import Dispatch

/// A subscriber's interest in a result.
///
/// Every method may be called any number of times, on any thread unless the creator of the subscription says otherwise. The subscriber's
/// completion runs exactly once; after `cancel` it receives `cancelled`, unless the result was already on its way. Releasing a subscription
/// does not cancel it: cancelling is explicit.
public final class Subscription: Sendable {
    private let onCancel: Action
    private let onPriority: Receiver<Priority>

    /// Creates a subscription from its actions; both closures are called on the caller's thread.
    public init(
        onCancel: @escaping Action,
        onPriority: @escaping Receiver<Priority> = { _ in }
    ) {
        self.onCancel = onCancel
        self.onPriority = onPriority
    }

    /// A subscription to something that has already ended.
    public static let ended = Subscription(onCancel: {})

    /// Gives up the result; when the last subscriber does so, the job and its dependencies are cancelled.
    public func cancel() { onCancel() }

    /// Changes how urgently this subscriber wants the result.
    public func setPriority(_ priority: Priority) { onPriority(priority) }
}

extension DispatchQueue {
    /// Runs `work` unless the subscription is cancelled before; `isCancelled` tells whether it is by then.
    public func cancellable(
        _ work: @escaping @Sendable (_ isCancelled: () -> Bool) -> Void
    ) -> Subscription {
        let isCancelled = Locked(false)
        asyncGuarded {
            if !isCancelled.current { work { isCancelled.current } }
        }
        return Subscription(onCancel: { isCancelled.withLock { $0 = true } })
    }
}

/// Does something, on any thread.
public typealias Action = @Sendable () -> Void

/// Does something on the pipeline's queue.
public typealias PipelineAction = @PipelineActor @Sendable () -> Void

/// Does something on the main thread.
public typealias MainAction = @MainActor @Sendable () -> Void

/// Receives a value, on any thread.
public typealias Receiver<Value> = @Sendable (Value) -> Void

/// Receives a value on the pipeline's queue.
public typealias PipelineReceiver<Value> = @PipelineActor @Sendable (Value) -> Void

/// Receives a result on the pipeline's queue.
public typealias Completion<Value, Failure: Error> = PipelineReceiver<Result<Value, Failure>>

/// An error type with a cancelled case, which is never shown as a failure.
public protocol CancellableError: Error, Equatable, Sendable {
    /// The case for cancellation.
    static var cancelled: Self { get }
}
