import Basics
package import Dispatch

/// The confinement of all coordination state: jobs, subscriptions, priorities, what is cached where.
///
/// Its executor is one serial Dispatch queue, `halftone.pipeline`, so work runs in the order in which it was added. Work must be short and
/// must never block; blocking work belongs on a `WorkQueue`.
@globalActor public actor PipelineActor {
    /// The only instance; its queue has no thread before the first work.
    public static let shared = PipelineActor()

    private nonisolated let executor = SerialQueueExecutor(label: "halftone.pipeline")

    /// The queue itself, for tests to wait for it.
    package static var queue: DispatchQueue { shared.executor.queue }

    /// The executor of everything isolated to this actor.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Runs `work` soon; callable from any thread.
    public static func perform(_ work: @escaping PipelineAction) {
        queue.asyncGuarded { assumeIsolated(work) }
    }

    /// Runs `work` at once; traps unless the caller already runs on the pipeline's queue.
    public static func assumeIsolated<Output: Sendable>(
        _ work: @PipelineActor () -> Output
    ) -> Output {
        shared.executor.checkIsolated()
        // Isolation only restricts callers, so both function types have the same representation; `MainActor.assumeIsolated` does the same.
        return withoutActuallyEscaping(work) { work in
            unsafeBitCast(work, to: (() -> Output).self)()
        }
    }

    /// Returns at once, on any thread, a subscription to what `start` will subscribe to on the queue.
    ///
    /// Calls to it take effect after `start`, as the queue is serial.
    public static func subscribe(
        _ start: @escaping @PipelineActor @Sendable () -> Subscription
    ) -> Subscription {
        let started = Locked<Subscription?>(nil)
        perform {
            let subscription = start()
            started.withLock { $0 = subscription }
        }
        return Subscription(
            onCancel: { perform { started.current?.cancel() } },
            onPriority: { priority in
                perform { started.current?.setPriority(priority) }
            })
    }
}

/// An executor on a serial Dispatch queue, as Linux has no `DispatchSerialQueue`.
private final class SerialQueueExecutor: SerialExecutor {
    let queue: DispatchQueue

    init(label: String) { queue = DispatchQueue(label: label) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.asyncGuarded { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
