/// A place in the line before a `Turnstile` or in a `WorkQueue`.
///
/// All methods on the coordinator's queue.
public final class WorkTicket: @unchecked Sendable {
    // @unchecked: every variable is touched by the turnstile only, which asserts that it runs on the coordinator's queue.
    private let turnstile: Turnstile
    private var pass: (@Sendable () -> Void)?
    var priority: Priority
    /// Where it stands in its line; nil once it has been let in or dropped.
    var place: Int?
    /// Its place among equals: the lower goes first.
    var order = 0

    init(turnstile: Turnstile, priority: Priority, pass: @escaping @Sendable () -> Void) {
        self.turnstile = turnstile
        self.priority = priority
        self.pass = pass
    }

    /// Drops the work if it has not begun; else does nothing.
    public func cancel() {
        turnstile.drop(self)
    }

    /// Moves the work behind its peers if that is more urgent, or before them if it is less; nothing once it has begun.
    public func setPriority(_ priority: Priority) {
        turnstile.move(self, to: priority)
    }

    /// Whether its turn comes before that of `other`.
    func goesBefore(_ other: WorkTicket) -> Bool {
        priority == other.priority ? order < other.order : priority > other.priority
    }

    @discardableResult
    func leaveLine() -> (@Sendable () -> Void)? {
        defer { pass = nil }
        return pass
    }
}
