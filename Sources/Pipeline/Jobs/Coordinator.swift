import Basics
public import Dispatch

/// The one serial queue that owns all coordination state: jobs, subscriptions, priorities, what waits for what.
///
/// Work on it must be short and never block; blocking work belongs on a `WorkQueue`.
public struct Coordinator: Sendable {
    /// The serial queue.
    public let queue: DispatchQueue

    /// Makes a coordinator with a serial queue of its own.
    public init(label: String = "halftone.pipeline") { queue = DispatchQueue(label: label) }

    /// Runs `work` on the queue, later; callable from any thread.
    public func perform(_ work: @escaping @Sendable () -> Void) { queue.asyncGuarded(work) }

    /// Traps unless the caller is on the queue.
    public func assertConfined() { dispatchPrecondition(condition: .onQueue(queue)) }

    /// A subscription, made on any thread, to what `start` will subscribe to on the queue.
    ///
    /// Whatever is done with it happens after `start`, as the queue keeps order.
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
