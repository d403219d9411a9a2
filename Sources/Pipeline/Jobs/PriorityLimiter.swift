import Basics

/// Lets so many pieces of work run at once, most urgent first, first come first served within a priority.
///
/// Idle work ages: after so many others have gone ahead, the oldest has its turn. All methods on the coordinator's queue.
public final class PriorityLimiter: @unchecked Sendable {
    // @unchecked: every variable is touched on the coordinator's queue only; each entry asserts it.

    /// Pieces of work that go ahead of waiting idle work: it then costs the others 6 % of the time.
    private static let patience = 16

    private let coordinator: Coordinator
    private let width: Int
    /// Ascending, so that the next to start is the last, where removing it moves nothing.
    private var waiting: [ScheduledWork] = []
    /// The orders given to the last and to the first among equals.
    private var back = 0
    private var front = 0
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
    public func enter(priority: Priority, start: @escaping @Sendable () -> Void) -> Subscription {
        coordinator.assertConfined()
        back += 1
        let work = ScheduledWork(priority: priority, order: back, start: start)
        waiting.insertSorted(work)
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
        guard work.start != nil, priority != work.priority else { return }
        waiting.removeSorted(work)
        // Lowered work has waited already: it goes before its new equals.
        if priority > work.priority {
            back += 1
            work.order = back
        } else {
            front -= 1
            work.order = front
        }
        work.priority = priority
        waiting.insertSorted(work)
    }

    private func drop(_ work: ScheduledWork) {
        coordinator.assertConfined()
        guard work.start != nil else { return }
        waiting.removeSorted(work)
        work.start = nil
    }

    /// A `leave` from inside `start` comes back to this loop, or a thousand in a row would be a thousand calls deep.
    private func drain() {
        guard !isDraining else { return }
        isDraining = true
        defer { isDraining = false }
        while runningCount < width, let work = next() {
            waiting.removeSorted(work)
            runningCount += 1
            let start = work.start
            work.start = nil
            start?()
        }
    }

    private func next() -> ScheduledWork? {
        guard let first = waiting.last, first.priority.level > .idle else {
            startedSinceIdle = 0
            return waiting.last
        }
        startedSinceIdle += 1
        guard startedSinceIdle > Self.patience else { return first }
        startedSinceIdle = 0
        let idle = waiting.prefix { $0.priority.level == .idle }
        return idle.min { $0.order < $1.order } ?? first
    }
}

/// Work that waits in a `PriorityLimiter`; what starts first is the greatest.
private final class ScheduledWork: Comparable, @unchecked Sendable {
    // @unchecked: every variable is touched by its limiter only, which asserts that it runs on the coordinator's queue.
    var priority: Priority
    /// Among equals the lower starts first.
    var order: Int
    /// Nil once it has started or been dropped.
    var start: (@Sendable () -> Void)?

    init(priority: Priority, order: Int, start: @escaping @Sendable () -> Void) {
        self.priority = priority
        self.order = order
        self.start = start
    }

    static func < (left: ScheduledWork, right: ScheduledWork) -> Bool {
        left.priority == right.priority ? left.order > right.order : left.priority < right.priority
    }

    static func == (left: ScheduledWork, right: ScheduledWork) -> Bool { left === right }
}
