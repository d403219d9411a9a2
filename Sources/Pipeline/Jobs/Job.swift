/// One piece of work with its askers.
///
/// All methods on the coordinator's queue. A job is under way until `finish` is called or its last asker gives up, whichever comes first; from then on every call is harmless.
public final class Job<Value: Sendable, Failure: CancellableError>: @unchecked Sendable {
    // @unchecked: every stored property is touched on the coordinator's queue only; each entry asserts it.

    /// How the job stands.
    private enum State {
        case underWay
        case finished
        case cancelled
    }

    private struct Asker {
        let id: Int
        var priority: Priority
        let receive: @Sendable (Result<Value, Failure>) -> Void
    }

    private let coordinator: Coordinator
    private let leavePool: @Sendable (Job) -> Void
    private var state = State.underWay
    private var askers: [Asker] = []
    private var nextID = 0
    private var dependencies: [Subscription] = []
    private var ticket: WorkTicket?
    private var cancelActions: [@Sendable () -> Void] = []
    private var priorityActions: [@Sendable (Priority) -> Void] = []

    /// The priority of the most urgent asker.
    public private(set) var priority: Priority = .idle

    /// `leavePool` holds on to the pool, which holds the job: both live until the job ends, so that no asker is forgotten.
    init(coordinator: Coordinator, leavePool: @escaping @Sendable (Job) -> Void) {
        self.coordinator = coordinator
        self.leavePool = leavePool
    }

    /// Whether the job has finished or been cancelled.
    public var isEnded: Bool {
        coordinator.assertConfined()
        return state != .underWay
    }

    /// Makes this job's priority and cancellation pass on to `dependency`, a job of an earlier stage.
    ///
    /// `dependency` was asked for with this job's `priority`. It is cancelled at once if this job has been.
    public func depend(on dependency: Subscription) {
        coordinator.assertConfined()
        switch state {
        case .underWay: dependencies.append(dependency)
        case .finished: break
        case .cancelled: dependency.cancel()
        }
    }

    /// Runs blocking `work` on `queue` when its turn comes, and finishes with its result; dropped if cancelled first.
    ///
    /// A job cancelled while `work` runs has told its askers already; the result is dropped.
    public func run(
        on queue: WorkQueue, work: @escaping @Sendable () -> Result<Value, Failure>
    ) {
        coordinator.assertConfined()
        guard state == .underWay else { return }
        ticket = queue.enqueue(priority: priority, work: work) { result in
            self.finish(result)
        }
    }

    /// Called once if the last asker gives up before the job is finished; at once if that has happened.
    public func onCancel(_ action: @escaping @Sendable () -> Void) {
        coordinator.assertConfined()
        switch state {
        case .underWay: cancelActions.append(action)
        case .finished: break
        case .cancelled: action()
        }
    }

    /// Called whenever the priority changes.
    public func onPriorityChange(_ action: @escaping @Sendable (Priority) -> Void) {
        coordinator.assertConfined()
        guard state == .underWay else { return }
        priorityActions.append(action)
    }

    /// Ends the job: every asker is told, the pool forgets it.
    ///
    /// Later calls do nothing.
    public func finish(_ result: Result<Value, Failure>) {
        coordinator.assertConfined()
        guard state == .underWay else { return }
        let told = askers
        end(as: .finished)
        for asker in told {
            asker.receive(result)
        }
    }

    // MARK: - For the pool

    /// Adds an asker, who is told of the end exactly once.
    func join(
        priority: Priority, receive: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) -> Subscription {
        let id = nextID
        nextID += 1
        askers.append(Asker(id: id, priority: priority, receive: receive))
        updatePriority()
        // Weak: a handle kept after the end must not keep the job's result machinery alive.
        return Subscription(
            onCancel: { [coordinator, weak self] in
                coordinator.perform { [weak self] in self?.leave(id) }
            },
            onPriority: { [coordinator, weak self] priority in
                coordinator.perform { [weak self] in self?.setPriority(priority, of: id) }
            })
    }

    private func leave(_ id: Int) {
        guard let index = askers.firstIndex(where: { $0.id == id }) else { return }
        let asker = askers.remove(at: index)
        if askers.isEmpty {
            cancel()
        } else {
            updatePriority()
        }
        asker.receive(.failure(.cancelled))
    }

    private func setPriority(_ priority: Priority, of id: Int) {
        guard let index = askers.firstIndex(where: { $0.id == id }) else { return }
        askers[index].priority = priority
        updatePriority()
    }

    private func updatePriority() {
        let highest = askers.lazy.map(\.priority).max() ?? .idle
        guard highest != priority else { return }
        priority = highest
        ticket?.setPriority(highest)
        for dependency in dependencies {
            dependency.setPriority(highest)
        }
        for action in priorityActions {
            action(highest)
        }
    }

    private func cancel() {
        let actions = cancelActions
        let abandoned = dependencies
        let ticket = ticket
        end(as: .cancelled)
        ticket?.cancel()
        for dependency in abandoned {
            dependency.cancel()
        }
        for action in actions {
            action()
        }
    }

    /// Leaves the pool first: whoever asks from inside a completion gets a new job.
    private func end(as state: State) {
        self.state = state
        leavePool(self)
        askers = []
        dependencies = []
        ticket = nil
        cancelActions = []
        priorityActions = []
    }
}
