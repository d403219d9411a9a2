/// Lets so many through at once, most urgent first, first come first served within a priority.
///
/// All methods on the coordinator's queue.
public final class Turnstile: @unchecked Sendable {
    // @unchecked: every variable is touched on the coordinator's queue only; each entry asserts it.
    private let coordinator: Coordinator
    private let width: @Sendable (Priority.Level) -> Int
    private var isDraining = false
    private var line = TicketHeap()

    /// How many are inside.
    public private(set) var insideCount = 0

    /// Makes a turnstile that lets `width` inside at once.
    public convenience init(width: Int, coordinator: Coordinator) {
        self.init(coordinator: coordinator) { _ in width }
    }

    /// Makes one that lets somebody in as long as fewer than `width` of their level are inside, of whatever level those
    /// are; more urgent levels must not be narrower.
    ///
    /// What is wider for the urgent is a reserve that those who came earlier cannot fill.
    public init(coordinator: Coordinator, width: @escaping @Sendable (Priority.Level) -> Int) {
        precondition(width(.idle) > 0, "nobody would ever get in")
        self.coordinator = coordinator
        self.width = width
    }

    /// How many wait.
    public var waitingCount: Int {
        coordinator.assertConfined()
        return line.count
    }

    /// Stands in line; `pass` is called when it is let in, at once if there is room, and must be followed by one `leave`.
    ///
    /// Cancelling the ticket before its turn drops `pass`; afterwards it does nothing.
    @discardableResult
    public func enter(
        priority: Priority, pass: @escaping @Sendable () -> Void
    ) -> WorkTicket {
        coordinator.assertConfined()
        let ticket = WorkTicket(turnstile: self, priority: priority, pass: pass)
        line.append(ticket)
        drain()
        return ticket
    }

    /// Makes room for the next.
    public func leave() {
        coordinator.assertConfined()
        insideCount -= 1
        drain()
    }

    // MARK: - For tickets

    func move(_ ticket: WorkTicket, to priority: Priority) {
        coordinator.assertConfined()
        guard ticket.place != nil, priority != ticket.priority else { return }
        line.remove(ticket)
        let isRaised = priority > ticket.priority
        ticket.priority = priority
        // Lowered work has waited already: it goes before those that were always this patient.
        if isRaised { line.append(ticket) } else { line.prepend(ticket) }
        // It may now use the reserve.
        drain()
    }

    func drop(_ ticket: WorkTicket) {
        coordinator.assertConfined()
        guard ticket.place != nil else { return }
        line.remove(ticket)
        ticket.leaveLine()
    }

    /// Whoever leaves from inside `pass` comes back to this loop, or a thousand in a row would be a thousand calls deep.
    private func drain() {
        guard !isDraining else { return }
        isDraining = true
        defer { isDraining = false }
        while let ticket = line.first, insideCount < width(ticket.priority.level) {
            line.remove(ticket)
            insideCount += 1
            ticket.leaveLine()?()
        }
    }
}
