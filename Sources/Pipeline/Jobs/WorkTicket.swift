/// A piece of work's place in a `WorkQueue`.
///
/// All methods on the coordinator's queue.
public final class WorkTicket: @unchecked Sendable {
    // @unchecked: every variable is touched by the queue only, which asserts that it runs on the coordinator's queue.

    /// Runs on a worker and returns what is left to do on the coordinator's queue.
    typealias Work = @Sendable () -> @Sendable () -> Void

    private let queue: WorkQueue
    private var work: Work?
    var priority: Priority
    /// Nil once the work has begun or been dropped.
    var place: Line<WorkTicket>.Place?

    init(queue: WorkQueue, priority: Priority, work: @escaping Work) {
        self.queue = queue
        self.priority = priority
        self.work = work
    }

    /// Drops the work if it has not begun; else does nothing.
    public func cancel() {
        queue.drop(self)
    }

    /// Moves the work to the end of the more urgent, or to the front of the less urgent; nothing once it has begun.
    public func setPriority(_ priority: Priority) {
        queue.move(self, to: priority)
    }

    @discardableResult
    func leaveLine() -> Work? {
        place = nil
        defer { work = nil }
        return work
    }
}
