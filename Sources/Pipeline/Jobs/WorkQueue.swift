import Basics
import Dispatch
import Glibc

/// Runs blocking work on threads of its own, the most urgent first, with a limit on how much runs at once.
@PipelineActor public final class WorkQueue {
    /// Serial Dispatch queues, each with a thread while it has work: libdispatch lets these exceed the number of processors, unlike the
    /// threads of concurrent queues, of which there are only as many as processors for all queues together.
    private var idleWorkers: [DispatchQueue]
    let limiter: PriorityLimiter
    private let isNice: Bool
    private var actionsWhenIdle: [PipelineAction] = []

    /// Creates a queue that runs at most `width` pieces of work at once.
    ///
    /// `isNice` is for work of many milliseconds, which yields the CPU to everything else, above all to the main thread.
    public nonisolated init(label: String, width: Int, isNice: Bool = false) {
        self.isNice = isNice
        // Threads are shared by the serial queues of a quality of service, and no others have this one: those made nice do nothing else.
        idleWorkers = (0..<width).map { _ in
            DispatchQueue(label: label, qos: isNice ? .utility : .userInitiated)
        }
        limiter = PriorityLimiter(width: width)
    }

    /// Number of decoding and drawing workers: one core is left for input and ncurses, but one slow picture must not block all others.
    public nonisolated static var processorWidth: Int {
        max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)) - 1)
    }

    /// Whether no work is running, and so none is waiting.
    var isIdle: Bool { limiter.runningCount == 0 }

    /// Runs `action` once no work is running: at once, or after the last piece of work.
    func whenIdle(_ action: @escaping PipelineAction) {
        if isIdle { action() } else { actionsWhenIdle.append(action) }
    }

    /// Runs `work` on a worker, then `then` with its result.
    ///
    /// Cancelling before its turn drops both closures; after that it has no effect, and `then` is still called.
    @discardableResult
    public func enqueue<Output: Sendable>(
        priority: Priority, work: @escaping @Sendable () -> Output,
        then: @escaping PipelineReceiver<Output>
    ) -> Subscription {
        limiter.enter(priority: priority) { [self] in
            // The limiter has as many places as there are workers.
            let worker = idleWorkers.removeLast()
            worker.asyncGuarded { [isNice] in
                // Applies to the calling thread (setpriority(2)), so it is set every time, which takes well under a microsecond; a nice
                // value of 10 is a tenth of the usual weight when others want the CPU.
                if isNice { setpriority(Int32(PRIO_PROCESS.rawValue), 0, 10) }
                let output = work()
                PipelineActor.perform { [self] in
                    // Before `leave`, so that work enqueued by `then` competes for the free slot.
                    then(output)
                    idleWorkers.append(worker)
                    limiter.leave()
                    guard isIdle else { return }
                    let actions = actionsWhenIdle
                    actionsWhenIdle = []
                    for action in actions { action() }
                }
            }
        }
    }
}
