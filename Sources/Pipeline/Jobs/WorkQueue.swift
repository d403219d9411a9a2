import Dispatch

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Workers that run blocking work side by side, most urgent first, first come first served within a priority.
///
/// All methods on the coordinator's queue; the work itself runs on concurrent Dispatch workers.
public final class WorkQueue: Sendable {
    private let coordinator: Coordinator
    private let workers: DispatchQueue
    private let turnstile: Turnstile

    /// Makes a queue that runs at most `width` pieces of work at once on concurrent Dispatch workers.
    public init(label: String, width: Int, coordinator: Coordinator) {
        self.coordinator = coordinator
        workers = DispatchQueue(label: label, attributes: .concurrent)
        turnstile = Turnstile(width: width, coordinator: coordinator)
    }

    /// Workers for decoding and drawing: a core is left to input and ncurses, but one slow picture must never hold all others.
    public static var processorWidth: Int {
        max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)) - 1)
    }

    /// The pieces of work that run.
    public var runningCount: Int {
        coordinator.assertConfined()
        return turnstile.insideCount
    }

    /// The pieces of work that wait for their turn.
    public var waitingCount: Int { turnstile.waitingCount }

    /// Puts `work` in line.
    ///
    /// It runs on a worker, then `then` on the coordinator's queue with what it returned. Cancelling the ticket before its turn drops both
    /// closures; afterwards nothing is undone and `then` is still called.
    @discardableResult
    public func enqueue<Output: Sendable>(
        priority: Priority, work: @escaping @Sendable () -> Output,
        then: @escaping @Sendable (Output) -> Void
    ) -> WorkTicket {
        turnstile.enter(priority: priority) { [coordinator, workers, turnstile] in
            workers.async {
                let output = work()
                coordinator.perform {
                    // First, so that what it puts in line takes part in who is next.
                    then(output)
                    turnstile.leave()
                }
            }
        }
    }
}
