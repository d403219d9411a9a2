/// A place in the line before a `Turnstile` or in a `WorkQueue`.
///
/// All methods on the coordinator's queue.
public final class WorkTicket: @unchecked Sendable {
    // @unchecked: every variable is touched by the turnstile only, which asserts that it runs on the coordinator's queue.
    private let turnstile: Turnstile
    private var pass: (@Sendable () -> Void)?
    var priority: Priority
    /// Nil once it has been let in or dropped.
    var place: Line<WorkTicket>.Place?

    init(turnstile: Turnstile, priority: Priority, pass: @escaping @Sendable () -> Void) {
        self.turnstile = turnstile
        self.priority = priority
        self.pass = pass
    }

    /// Drops the work if it has not begun; else does nothing.
    public func cancel() {
        turnstile.drop(self)
    }

    /// Moves the work to the end of the more urgent, or to the front of the less urgent; nothing once it has begun.
    public func setPriority(_ priority: Priority) {
        turnstile.move(self, to: priority)
    }

    @discardableResult
    func leaveLine() -> (@Sendable () -> Void)? {
        place = nil
        defer { pass = nil }
        return pass
    }
}
