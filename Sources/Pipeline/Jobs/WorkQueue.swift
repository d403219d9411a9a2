import Basics
import Dispatch
import Glibc

/// Runs blocking work on Dispatch workers, most urgent first, so many pieces at once.
///
/// All methods on the coordinator's queue; the work itself runs on a worker.
public final class WorkQueue: Sendable {
    private let coordinator: Coordinator
    private let workers: DispatchQueue
    private let limiter: PriorityLimiter
    private let isNice: Bool
    /// Called on the coordinator's queue whenever the last piece of work is done.
    let onIdle = Locked<@Sendable () -> Void>({})

    /// Makes a queue that runs at most `width` pieces of work at once on workers of its own.
    ///
    /// `isNice` is for work of many milliseconds, which yields the processors to everything else, first of all to the main thread.
    public init(label: String, width: Int, coordinator: Coordinator, isNice: Bool = false) {
        self.coordinator = coordinator
        self.isNice = isNice
        // Each quality of service has threads of its own, so that those made nice below do nothing else.
        workers = DispatchQueue(
            label: label, qos: isNice ? .utility : .unspecified,
            attributes: width > 1 ? .concurrent : [])
        limiter = PriorityLimiter(width: width, coordinator: coordinator)
    }

    /// Makes a queue with a width of its own on the workers of `other`.
    public init(sharing other: WorkQueue, width: Int) {
        coordinator = other.coordinator
        workers = other.workers
        isNice = other.isNice
        limiter = PriorityLimiter(width: width, coordinator: coordinator)
    }

    /// Workers for decoding and drawing: a core is left to input and ncurses, but one slow picture must never hold up all others.
    public static var processorWidth: Int { max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)) - 1) }

    /// Whether nothing runs, and so nothing waits.
    public var isIdle: Bool { limiter.runningCount == 0 }

    /// The pieces of work that run.
    public var runningCount: Int { limiter.runningCount }

    /// The pieces of work that wait for their turn.
    public var waitingCount: Int { limiter.waitingCount }

    /// Runs `work` on a worker, then `then` on the coordinator's queue with what it returned.
    ///
    /// Cancelling before its turn drops both closures; afterwards nothing is undone and `then` is still called.
    @discardableResult
    public func enqueue<Output: Sendable>(
        priority: Priority, work: @escaping @Sendable () -> Output,
        then: @escaping @Sendable (Output) -> Void
    ) -> Subscription {
        limiter.enter(priority: priority) { [coordinator, workers, limiter, isNice, onIdle] in
            workers.asyncGuarded {
                // The calling thread (setpriority(2)), every time, for a system call of well under a microsecond; 10 is a tenth of the
                // usual weight when others want the processor.
                if isNice { setpriority(Int32(PRIO_PROCESS.rawValue), 0, 10) }
                let output = work()
                coordinator.perform {
                    // First, so that work it enqueues takes part in who is next.
                    then(output)
                    limiter.leave()
                    if limiter.runningCount == 0 { onIdle.withLock(\.self)() }
                }
            }
        }
    }
}
