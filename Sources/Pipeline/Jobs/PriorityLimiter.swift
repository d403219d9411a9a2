/// Lets so many pieces of work run at once, most urgent first, first come first served within a priority.
///
/// Idle work ages: after so many others have gone ahead, the oldest has its turn. All methods on the coordinator's queue.
public final class PriorityLimiter: @unchecked Sendable {
    // @unchecked: every variable is touched on the coordinator's queue only; each entry asserts it.

    /// Pieces of work that go ahead of waiting idle work: it then costs the others 6 % of the time.
    private static let patience = 16

    private let coordinator: Coordinator
    private let width: Int
    private var waiting = PriorityHeap()
    private var startedSinceIdle = 0
    private var isDraining = false

    /// How many run.
    public private(set) var runningCount = 0

    /// Makes a limiter that lets `width` pieces of work run at once.
    public init(width: Int, coordinator: Coordinator) {
        precondition(width > 0, "nothing would ever run")
        self.coordinator = coordinator
        self.width = width
    }

    /// How many wait.
    public var waitingCount: Int {
        coordinator.assertConfined()
        return waiting.count
    }

    /// Calls `start` when there is room, at once if there is now; one `leave` must follow.
    ///
    /// Cancelling before drops `start`; afterwards nothing happens. The subscription is confined to the coordinator's queue.
    @discardableResult
    public func enter(
        priority: Priority, start: @escaping @Sendable () -> Void
    ) -> Subscription {
        coordinator.assertConfined()
        let work = ScheduledWork(priority: priority, start: start)
        waiting.append(work)
        drain()
        return Subscription(
            onCancel: { self.drop(work) }, onPriority: { self.move(work, to: $0) })
    }

    /// Makes room for the next.
    public func leave() {
        coordinator.assertConfined()
        runningCount -= 1
        drain()
    }

    private func move(_ work: ScheduledWork, to priority: Priority) {
        coordinator.assertConfined()
        guard work.place != nil, priority != work.priority else { return }
        waiting.remove(work)
        let isRaised = priority > work.priority
        work.priority = priority
        // Lowered work has waited already: it goes before its new equals.
        if isRaised { waiting.append(work) } else { waiting.prepend(work) }
    }

    private func drop(_ work: ScheduledWork) {
        coordinator.assertConfined()
        guard work.place != nil else { return }
        waiting.remove(work)
        work.start = nil
    }

    /// A `leave` from inside `start` comes back to this loop, or a thousand in a row would be a thousand calls deep.
    private func drain() {
        guard !isDraining else { return }
        isDraining = true
        defer { isDraining = false }
        while runningCount < width, let work = next() {
            waiting.remove(work)
            runningCount += 1
            let start = work.start
            work.start = nil
            start?()
        }
    }

    private func next() -> ScheduledWork? {
        guard let first = waiting.first, first.priority.level > .idle else {
            startedSinceIdle = 0
            return waiting.first
        }
        startedSinceIdle += 1
        guard startedSinceIdle > Self.patience else { return first }
        startedSinceIdle = 0
        return waiting.oldestIdle ?? first
    }
}

/// Work that waits in a `PriorityLimiter`, which alone touches it.
final class ScheduledWork: @unchecked Sendable {
    // @unchecked: every variable is touched by its limiter only, which asserts that it runs on the coordinator's queue.
    var priority: Priority
    /// Nil once it has started or been dropped.
    var start: (@Sendable () -> Void)?
    /// Its index in the heap; nil if it does not wait.
    var place: Int?
    /// Among equals the lower starts first.
    var order = 0

    init(priority: Priority, start: @escaping @Sendable () -> Void) {
        self.priority = priority
        self.start = start
    }

    func startsBefore(_ other: ScheduledWork) -> Bool {
        priority == other.priority ? order < other.order : priority > other.priority
    }
}
