/// Lets so many through at once, most urgent first, first come first served within a priority.
///
/// All methods on the coordinator's queue.
public final class Turnstile: @unchecked Sendable {
    // @unchecked: every variable is touched on the coordinator's queue only; each entry asserts it.
    private let coordinator: Coordinator
    private let width: Int
    private var isDraining = false
    /// By `Priority.rawValue`.
    private var lines: [Line<WorkTicket>]

    /// How many are inside.
    public private(set) var insideCount = 0

    /// Makes a turnstile that lets `width` inside at once.
    public init(width: Int, coordinator: Coordinator) {
        precondition(width > 0, "nobody would ever get in")
        self.coordinator = coordinator
        self.width = width
        lines = Array(repeating: Line(), count: Priority.allCases.count)
    }

    /// How many wait.
    public var waitingCount: Int {
        coordinator.assertConfined()
        return lines.reduce(0) { $0 + $1.count }
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
        ticket.place = lines[priority.rawValue].append(ticket)
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
        guard let place = ticket.place, priority != ticket.priority else { return }
        lines[ticket.priority.rawValue].remove(at: place)
        // Lowered work has waited already: it goes before those that were always this patient.
        ticket.place =
            priority > ticket.priority
            ? lines[priority.rawValue].append(ticket) : lines[priority.rawValue].prepend(ticket)
        ticket.priority = priority
    }

    func drop(_ ticket: WorkTicket) {
        coordinator.assertConfined()
        guard let place = ticket.place else { return }
        lines[ticket.priority.rawValue].remove(at: place)
        ticket.leaveLine()
    }

    /// Whoever leaves from inside `pass` comes back to this loop, or a thousand in a row would be a thousand calls deep.
    private func drain() {
        guard !isDraining else { return }
        isDraining = true
        defer { isDraining = false }
        while insideCount < width, let pass = popMostUrgent()?.leaveLine() {
            insideCount += 1
            pass()
        }
    }

    private func popMostUrgent() -> WorkTicket? {
        for index in lines.indices.reversed() {
            if let ticket = lines[index].popFirst() {
                return ticket
            }
        }
        return nil
    }
}
