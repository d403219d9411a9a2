/// The jobs in flight of one stage, by key: subscribers to the same key share one job.
///
/// A key holds exactly what the stage's result depends on, so coalescing is a look-up.
@PipelineActor
public final class JobPool<
    Key: Hashable & Sendable, Value: Sendable, Failure: CancellableError
> {
    private let lingers: Bool
    private(set) var jobs: [Key: Job<Value, Failure>] = [:]

    /// Creates an empty pool.
    ///
    /// If it `lingers`, a job stays in flight until it finishes, even after its last subscriber has left: its dependencies are cancelled,
    /// but may still succeed, and a new subscriber adopts it.
    public nonisolated init(lingers: Bool = false) { self.lingers = lingers }

    /// Joins the job for `key`, or creates one and calls `start` at once to start it.
    ///
    /// `receive` is called exactly once; before this method returns if `start` finishes the job itself. It may
    /// subscribe again: by then the job has left the pool.
    public func subscribe(
        to key: Key, priority: Priority,
        start: (Job<Value, Failure>) -> Void,
        receive: @escaping Completion<Value, Failure>
    ) -> Subscription {
        if let job = jobs[key] { return job.join(priority: priority, receive: receive) }
        let job = Job<Value, Failure>(lingers: lingers) { self.jobs[key] = nil }
        jobs[key] = job
        let subscription = job.join(priority: priority, receive: receive)
        start(job)
        return subscription
    }
}

/// A piece of work with its subscribers.
///
/// A job is in flight until `finish` is called or, unless it lingers, its last
/// subscriber cancels, whichever comes first; after that, every call is harmless.
@PipelineActor public final class Job<Value: Sendable, Failure: CancellableError> {
    private enum State {
        case underWay
        case finished
        case cancelled
    }

    private let lingers: Bool
    private let leavePool: PipelineAction
    private var state = State.underWay
    /// By the numbers in which they joined.
    private var subscribers: [Int: (priority: Priority, receive: Completion<Value, Failure>)] = [:]
    private var nextID = 0
    private var dependencies: [Subscription] = []

    /// The priority of the most urgent subscriber.
    public private(set) var priority: Priority = .idle

    /// `leavePool` retains the pool, which retains the job: both live until the job ends, so that every subscriber is notified.
    fileprivate init(lingers: Bool, leavePool: @escaping PipelineAction) {
        self.lingers = lingers
        self.leavePool = leavePool
    }

    /// Whether the job has subscribers.
    public var isWanted: Bool { !subscribers.isEmpty }

    /// Whether the job has finished or been cancelled.
    public var isEnded: Bool { state != .underWay }

    /// Forwards this job's priority changes and cancellation to `dependency`, which must have been created with its current `priority`.
    ///
    /// The dependency is cancelled at once if this job already has been.
    public func depend(on dependency: Subscription) {
        switch state {
        case .underWay: dependencies.append(dependency)
        case .finished: break
        case .cancelled: dependency.cancel()
        }
    }

    /// Calls `action` once if the last subscriber cancels before the job is finished; at once if that has already happened.
    public func onCancel(_ action: @escaping Action) {
        depend(on: Subscription(onCancel: action))
    }

    /// Runs blocking `work` on `queue` when its turn comes, then `then` with its result, unless the job has ended by then.
    public func run<Output: Sendable>(
        on queue: WorkQueue, work: @escaping @Sendable () -> Output,
        then: @escaping PipelineReceiver<Output>
    ) {
        guard state == .underWay else { return }
        depend(
            on: queue.enqueue(priority: priority, work: work) { output in
                if !self.isEnded { then(output) }
            })
    }

    /// Ends the job: notifies every subscriber and removes it from the pool; later calls do nothing.
    public func finish(_ result: Result<Value, Failure>) {
        guard state == .underWay else { return }
        let told = subscribers.sorted { $0.key < $1.key }
        end(as: .finished)
        for (_, subscriber) in told { subscriber.receive(result) }
    }

    fileprivate func join(
        priority: Priority,
        receive: @escaping Completion<Value, Failure>
    ) -> Subscription {
        let id = nextID
        nextID += 1
        let isAdopted = subscribers.isEmpty
        subscribers[id] = (priority, receive)
        updatePriority(evenIfSame: isAdopted)
        // Weak: a subscription that outlives the job must not retain what the job held.
        return Subscription(
            onCancel: { [weak self] in
                PipelineActor.perform { [weak self] in self?.leave(id) }
            },
            onPriority: { [weak self] priority in
                PipelineActor.perform { [weak self] in self?.setPriority(priority, of: id) }
            })
    }

    private func leave(_ id: Int) {
        guard let subscriber = subscribers.removeValue(forKey: id) else { return }
        if subscribers.isEmpty {
            let abandoned = dependencies
            if !lingers { end(as: .cancelled) }
            abandoned.forEach { $0.cancel() }
        } else {
            updatePriority()
        }
        subscriber.receive(.failure(.cancelled))
    }

    private func setPriority(_ priority: Priority, of id: Int) {
        guard subscribers[id] != nil else { return }
        subscribers[id]?.priority = priority
        updatePriority()
    }

    private func updatePriority(evenIfSame: Bool = false) {
        let highest = subscribers.values.reduce(.idle) { max($0, $1.priority) }
        guard evenIfSame || highest != priority else { return }
        priority = highest
        dependencies.forEach { $0.setPriority(highest) }
    }

    /// Ends the job, leaving the pool first, so that a subscriber that subscribes again from its completion gets a new one.
    private func end(as state: State) {
        self.state = state
        leavePool()
        subscribers = [:]
        dependencies = []
    }
}
