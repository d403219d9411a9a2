import Basics
import Dispatch
import Glibc

/// Runs blocking work on Dispatch workers, the most urgent first, with a limit on how much runs at once.
///
/// All methods must be called on the coordinator's queue; the work itself runs on a worker.
public final class WorkQueue: Sendable {
    private let coordinator: Coordinator
    private let workers: DispatchQueue
    private let limiter: PriorityLimiter
    private let isNice: Bool
    /// Called on the coordinator's queue whenever the last running piece of work is done.
    let onIdle = Locked<@Sendable () -> Void>({})

    /// Creates a queue that runs at most `width` pieces of work at once on workers of its own.
    ///
    /// `isNice` is for work of many milliseconds, which yields the CPU to everything else, above all to the main thread.
    public init(label: String, width: Int, coordinator: Coordinator, isNice: Bool = false) {
        self.coordinator = coordinator
        self.isNice = isNice
        // Each quality of service has threads of its own, so that the threads made nice below do no other work.
        workers = DispatchQueue(
            label: label, qos: isNice ? .utility : .unspecified,
            attributes: width > 1 ? .concurrent : [])
        limiter = PriorityLimiter(width: width, coordinator: coordinator)
    }

    /// Creates a queue with a width of its own that shares the workers of `other`.
    public init(sharing other: WorkQueue, width: Int) {
        coordinator = other.coordinator
        workers = other.workers
        isNice = other.isNice
        limiter = PriorityLimiter(width: width, coordinator: coordinator)
    }

    /// Number of decoding and drawing workers: one core is left for input and ncurses, but one slow picture must not block all others.
    public static var processorWidth: Int { max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)) - 1) }

    /// Whether no work is running, and so none is waiting.
    public var isIdle: Bool { limiter.runningCount == 0 }

    /// The number of pieces of work running.
    public var runningCount: Int { limiter.runningCount }

    /// The number of pieces of work waiting for their turn.
    public var waitingCount: Int { limiter.waitingCount }

    /// Runs `work` on a worker, then `then` on the coordinator's queue with its result.
    ///
    /// Cancelling before its turn drops both closures; after that it has no effect, and `then` is still called.
    @discardableResult
    public func enqueue<Output: Sendable>(
        priority: Priority, work: @escaping @Sendable () -> Output,
        then: @escaping @Sendable (Output) -> Void
    ) -> Subscription {
        limiter.enter(priority: priority) { [coordinator, workers, limiter, isNice, onIdle] in
            workers.asyncGuarded {
                // Applies to the calling thread (setpriority(2)), so it is set every time, which takes well under a microsecond; a nice
                // value of 10 is a tenth of the usual weight when others want the CPU.
                if isNice { setpriority(Int32(PRIO_PROCESS.rawValue), 0, 10) }
                let output = work()
                coordinator.perform {
                    // Before `leave`, so that work enqueued by `then` competes for the free slot.
                    then(output)
                    limiter.leave()
                    if limiter.runningCount == 0 { onIdle.withLock(\.self)() }
                }
            }
        }
    }
}
