import Dispatch

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Workers that run blocking work side by side, most urgent first, first come first served within a priority.
///
/// All methods on the coordinator's queue; the work itself runs on concurrent Dispatch workers.
public final class WorkQueue: @unchecked Sendable {
    // @unchecked: `lines` and `running` are touched on the coordinator's queue only; each entry asserts it.
    private let coordinator: Coordinator
    private let workers: DispatchQueue
    private let width: Int
    private var running = 0
    /// By `Priority.rawValue`.
    private var lines: [Line<WorkTicket>]

    /// Makes a queue that runs at most `width` pieces of work at once on concurrent Dispatch workers.
    public init(label: String, width: Int, coordinator: Coordinator) {
        precondition(width > 0, "a queue without workers never ends")
        self.coordinator = coordinator
        self.width = width
        workers = DispatchQueue(label: label, attributes: .concurrent)
        lines = Array(repeating: Line(), count: Priority.allCases.count)
    }

    /// Workers for decoding and drawing: a core is left to input and ncurses, but one slow picture must never hold all others.
    public static var processorWidth: Int {
        max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)) - 1)
    }

    /// The pieces of work that run.
    public var runningCount: Int {
        coordinator.assertConfined()
        return running
    }

    /// The pieces of work that wait for their turn.
    public var waitingCount: Int {
        coordinator.assertConfined()
        return lines.reduce(0) { $0 + $1.count }
    }

    /// Puts `work` in line.
    ///
    /// It runs on a worker, then `then` on the coordinator's queue with what it returned.
    ///
    /// Cancelling the ticket before its turn drops both closures; afterwards nothing is undone and `then` is still called.
    @discardableResult
    public func enqueue<Output: Sendable>(
        priority: Priority, work: @escaping @Sendable () -> Output,
        then: @escaping @Sendable (Output) -> Void
    ) -> WorkTicket {
        coordinator.assertConfined()
        let ticket = WorkTicket(queue: self, priority: priority) {
            let output = work()
            return { then(output) }
        }
        ticket.place = lines[priority.rawValue].append(ticket)
        drain()
        return ticket
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

    private func drain() {
        while running < width, let ticket = popMostUrgent() {
            guard let work = ticket.leaveLine() else { continue }
            running += 1
            workers.async { [self] in
                let then = work()
                coordinator.perform { [self] in
                    running -= 1
                    then()
                    drain()
                }
            }
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
