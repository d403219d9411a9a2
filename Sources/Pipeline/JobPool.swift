/// The jobs of one stage under way, by key: two askers of one key share one job.
///
/// Stub: to be written. All methods on the coordinator's queue.
public final class JobPool<Key: Hashable & Sendable, Value: Sendable, Failure: CancellableError>:
    @unchecked Sendable
{
    // @unchecked: every stored property is touched on the coordinator's queue only; each entry asserts it.
    private let coordinator: Coordinator

    /// Makes an empty pool whose state is confined to `coordinator`.
    public init(coordinator: Coordinator) {
        self.coordinator = coordinator
    }

    /// Joins the job for `key`, or makes one and calls `start` at once to set it going.
    ///
    /// On the coordinator's queue, where `receive` is called too, exactly once.
    public func subscribe(
        to key: Key, priority: Priority,
        start: (Job<Value, Failure>) -> Void,
        receive: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) -> Subscription {
        fatalError("to be written")
    }
}

/// One piece of work with its askers. All methods on the coordinator's queue unless they say otherwise.
public final class Job<Value: Sendable, Failure: CancellableError>: @unchecked Sendable {
    // @unchecked: confined like the pool that owns it.

    /// The priority of the most urgent asker.
    public private(set) var priority: Priority = .idle

    /// Makes this job's priority and cancellation pass on to `dependency`, a job of an earlier stage.
    public func depend(on dependency: Subscription) {}

    /// Runs blocking `work` on `queue` when its turn comes, and finishes with its result; dropped if cancelled first.
    public func run(on queue: WorkQueue, work: @escaping @Sendable () -> Result<Value, Failure>) {}

    /// Called once if the last asker gives up before the job is finished.
    public func onCancel(_ action: @escaping @Sendable () -> Void) {}

    /// Called whenever the priority changes.
    public func onPriorityChange(_ action: @escaping @Sendable (Priority) -> Void) {}

    /// Ends the job: every asker is told, the pool forgets it. Later calls do nothing.
    public func finish(_ result: Result<Value, Failure>) {}
}

/// Workers that run blocking work side by side, most urgent first, first come first served within a priority.
///
/// Stub: to be written.
public final class WorkQueue: @unchecked Sendable {
    /// Makes a queue that runs at most `width` pieces of work at once on concurrent Dispatch workers.
    public init(label: String, width: Int, coordinator: Coordinator) {}
}
