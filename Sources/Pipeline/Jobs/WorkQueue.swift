import Dispatch

import Glibc

/// Workers that run blocking work side by side, most urgent first, first come first served within a priority.
///
/// All methods on the coordinator's queue; the work itself runs on concurrent Dispatch workers.
public final class WorkQueue: Sendable {
    private let coordinator: Coordinator
    private let workers: DispatchQueue
    private let turnstile: Turnstile
    private let isHeavy: Bool

    /// Makes a queue that runs at most `width` pieces of work at once on concurrent Dispatch workers.
    ///
    /// `isHeavy` is for work of many milliseconds: it then yields the processors to everything else, first of all to the main thread.
    public init(label: String, width: Int, coordinator: Coordinator, isHeavy: Bool = false) {
        self.coordinator = coordinator
        self.isHeavy = isHeavy
        // Each quality of service has threads of its own, so that those made nice below do nothing else.
        workers = DispatchQueue(
            label: label, qos: isHeavy ? .utility : .unspecified, attributes: .concurrent)
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
        turnstile.enter(priority: priority) { [coordinator, workers, turnstile, isHeavy] in
            workers.async {
                if isHeavy { Self.yieldToOthers() }
                let output = work()
                coordinator.perform {
                    // First, so that what it puts in line takes part in who is next.
                    then(output)
                    turnstile.leave()
                }
            }
        }
    }

    /// Makes the calling thread nice; costs a system call of well under a microsecond where it already is.
    private static func yieldToOthers() {
        // 0 is the calling thread on Linux (setpriority(2)); 10 is a tenth of the usual weight when others want the processor.
        setpriority(Int32(PRIO_PROCESS.rawValue), 0, 10)
    }
}
