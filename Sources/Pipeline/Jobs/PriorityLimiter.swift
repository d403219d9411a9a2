import Basics

/// Limits how many pieces of work run at once; starts the most urgent first, and in order of arrival within a priority.
///
/// Idle work ages: after `maxOvertaking` others have overtaken it, the oldest gets its turn.
@PipelineActor final class PriorityLimiter {
    /// The place of a piece of work among those waiting; the greatest starts first.
    private struct Place: Comparable {
        var priority: Priority
        /// Within a priority, the lower order starts first.
        var order: Int
        let number: Int

        static func < (left: Self, right: Self) -> Bool {
            (left.priority, right.order) < (right.priority, left.order)
        }
    }

    private typealias Work = (place: Place, start: PipelineAction)

    /// The number of others that may go ahead of waiting idle work, which then gets 6 % of the starts.
    private static let maxOvertaking = 16

    private let width: Int
    /// In ascending order: the next to start is the last, whose removal moves no other element.
    private var waiting: [Place] = []
    private var works: [Int: Work] = [:]
    /// The highest and lowest `order` assigned so far; the highest also numbers the work.
    private var back = 0
    private var front = 0
    private var startedSinceIdle = 0
    private var isDraining = false

    /// The number of pieces of work running.
    private(set) var runningCount = 0

    /// Creates a limiter that lets `width` pieces of work run at once.
    nonisolated init(width: Int) {
        precondition(width > 0, "nothing would ever run")
        self.width = width
    }

    /// The number of pieces of work waiting.
    var waitingCount: Int { waiting.count }

    /// Calls `start` as soon as there is room, possibly at once; each start must be followed by one `leave`.
    ///
    /// Cancelling the subscription before that drops `start`; after that it has no effect. It may only be used on the pipeline's queue.
    @discardableResult
    func enter(
        priority: Priority, start: @escaping PipelineAction
    ) -> Subscription {
        back += 1
        let place = Place(priority: priority, order: back, number: back)
        works[place.number] = (place, start)
        waiting.insertSorted(place)
        drain()
        return Subscription(
            onCancel: { PipelineActor.assumeIsolated { _ = self.remove(place.number) } },
            onPriority: { priority in
                PipelineActor.assumeIsolated { self.move(place.number, to: priority) }
            })
    }

    /// Frees a slot for the next piece of work.
    public func leave() {
        runningCount -= 1
        drain()
    }

    /// Takes a piece of work out, unless it has started.
    private func remove(_ number: Int) -> Work? {
        guard let work = works.removeValue(forKey: number) else { return nil }
        waiting.removeSorted(work.place)
        return work
    }

    private func move(_ number: Int, to priority: Priority) {
        guard var work = remove(number) else { return }
        if priority > work.place.priority {
            back += 1
            work.place.order = back
        } else if priority < work.place.priority {
            // It has waited already, so it goes ahead of its new equals.
            front -= 1
            work.place.order = front
        }
        work.place.priority = priority
        works[number] = work
        waiting.insertSorted(work.place)
    }

    /// Starts waiting work; a `leave` from inside `start` returns to this loop instead of recursing.
    private func drain() {
        guard !isDraining else { return }
        isDraining = true
        while runningCount < width, let number = nextNumber(), let work = remove(number) {
            runningCount += 1
            work.start()
        }
        isDraining = false
    }

    private func nextNumber() -> Int? {
        guard let first = waiting.last, first.priority.level > .idle else {
            startedSinceIdle = 0
            return waiting.last?.number
        }
        startedSinceIdle += 1
        guard startedSinceIdle > Self.maxOvertaking else { return first.number }
        startedSinceIdle = 0
        let idle = waiting.prefix { $0.priority.level == .idle }
        return (idle.min { $0.order < $1.order } ?? first).number
    }
}
