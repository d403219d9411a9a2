import Basics
public import Dispatch

/// The one serial queue that owns all coordination state: jobs, subscriptions, priorities, dependencies.
///
/// Work on it must be short and must never block; blocking work belongs on a `WorkQueue`.
public struct Coordinator: Sendable {
    /// The serial queue.
    public let queue: DispatchQueue

    /// Creates a coordinator with a serial queue of its own.
    public init(label: String = "halftone.pipeline") { queue = DispatchQueue(label: label) }

    /// Runs `work` asynchronously on the queue; callable from any thread.
    public func perform(_ work: @escaping @Sendable () -> Void) { queue.asyncGuarded(work) }

    /// Traps unless the caller is on the queue.
    public func assertConfined() { dispatchPrecondition(condition: .onQueue(queue)) }

    /// Returns at once, on any thread, a subscription to what `start` will subscribe to on the queue.
    ///
    /// Calls to it take effect after `start`, as the queue is serial.
    public func subscribe(_ start: @escaping @Sendable () -> Subscription) -> Subscription {
        let held = Locked<Subscription?>(nil)
        perform {
            let subscription = start()
            held.withLock { $0 = subscription }
        }
        return Subscription(
            onCancel: { perform { held.withLock(\.self)?.cancel() } },
            onPriority: { priority in
                perform { held.withLock(\.self)?.setPriority(priority) }
            })
    }
}
