/// The jobs of one stage under way, by key: two askers of one key share one job.
///
/// A key holds exactly what the stage's result depends on; coalescing is then this dictionary. All methods on the coordinator's queue.
public final class JobPool<Key: Hashable & Sendable, Value: Sendable, Failure: CancellableError>:
    @unchecked Sendable
{
    // @unchecked: every stored property is touched on the coordinator's queue only; each entry asserts it.
    private let coordinator: Coordinator
    private var jobs: [Key: Job<Value, Failure>] = [:]

    /// Makes an empty pool whose state is confined to `coordinator`.
    public init(coordinator: Coordinator) {
        self.coordinator = coordinator
    }

    /// The jobs under way.
    public var count: Int {
        coordinator.assertConfined()
        return jobs.count
    }

    /// Joins the job for `key`, or makes one and calls `start` at once to set it going.
    ///
    /// On the coordinator's queue, where `receive` is called too, exactly once; before this returns if `start` finishes the job itself.
    /// `receive` may ask again: by then the job has left the pool.
    public func subscribe(
        to key: Key, priority: Priority,
        start: (Job<Value, Failure>) -> Void,
        receive: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) -> Subscription {
        coordinator.assertConfined()
        if let job = jobs[key] {
            return job.join(priority: priority, receive: receive)
        }
        let job = Job<Value, Failure>(coordinator: coordinator) { job in
            self.forget(job, for: key)
        }
        jobs[key] = job
        let subscription = job.join(priority: priority, receive: receive)
        start(job)
        return subscription
    }

    private func forget(_ job: Job<Value, Failure>, for key: Key) {
        if jobs[key] === job {
            jobs[key] = nil
        }
    }
}
