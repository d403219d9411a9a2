import Basics

/// Limits how many pieces of work run at once; starts the most urgent first, and in order of arrival within a priority.
///
/// Idle work ages: after `maxOvertaking` others have overtaken it, the oldest gets its turn. All methods run on the coordinator's queue.
public final class PriorityLimiter: @unchecked Sendable {
    // @unchecked: all variables are accessed on the coordinator's queue only; each entry point asserts it.

    /// The number of others that may go ahead of waiting idle work, which then gets 6 % of the starts.
    private static let maxOvertaking = 16

    private let coordinator: Coordinator
    private let width: Int
    /// In ascending order: the next to start is the last, whose removal moves no other element.
    private var waiting: [ScheduledWork] = []
    /// The highest and lowest `order` assigned so far.
    private var back = 0
    private var front = 0
    private var startedSinceIdle = 0
    private var isDraining = false

    /// The number of pieces of work running.
    public private(set) var runningCount = 0

    /// Creates a limiter that lets `width` pieces of work run at once.
    public init(width: Int, coordinator: Coordinator) {
        precondition(width > 0, "nothing would ever run")
        self.coordinator = coordinator
        self.width = width
    }

    /// The number of pieces of work waiting.
    public var waitingCount: Int {
        coordinator.assertConfined()
        return waiting.count
    }

    /// Calls `start` as soon as there is room, possibly at once; each start must be followed by one `leave`.
    ///
    /// Cancelling the subscription before that drops `start`; after that it has no effect. It is confined to the coordinator's queue.
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

    /// Frees a slot for the next piece of work.
    public func leave() {
        coordinator.assertConfined()
        runningCount -= 1
        drain()
    }

    private func move(_ work: ScheduledWork, to priority: Priority) {
        coordinator.assertConfined()
        guard work.start != nil, priority != work.priority else { return }
        waiting.removeSorted(work)
        // Work whose priority was lowered has waited already, so it goes ahead of its new equals.
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

    /// Starts waiting work; a `leave` from inside `start` returns to this loop instead of recursing.
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
        guard startedSinceIdle > Self.maxOvertaking else { return first }
        startedSinceIdle = 0
        let idle = waiting.prefix { $0.priority.level == .idle }
        return idle.min { $0.order < $1.order } ?? first
    }
}

/// Work waiting in a `PriorityLimiter`; the greatest starts first.
private final class ScheduledWork: Comparable, @unchecked Sendable {
    // @unchecked: all variables are accessed by the limiter only, which asserts that it runs on the coordinator's queue.
    var priority: Priority
    /// Within a priority, the lower order starts first.
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
