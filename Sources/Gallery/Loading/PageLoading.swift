import Basics
import Dispatch
public import Network
public import Pipeline

/// Is called with what was loaded, or the reason why it was not.
public typealias LoadReceiver<Value> = Receiver<Result<Value, PageError>>

/// A page, or the reason why there is none.
public typealias PageResult = Result<Page, PageError>

/// Loads and parses gallery pages.
public protocol PageLoading: Sendable {
    /// Loads the page, folder, listing or picture at an address, whose referer, the page that named it, decides what may be reached; nil if
    /// the user did. Callable on any thread.
    ///
    /// `completion` runs exactly once, on no particular queue, and with `cancelled` after cancelling; before that, once for each part of the
    /// page that is known earlier (`isPart`).
    func load(
        _ request: Request, completion: @escaping LoadReceiver<Page>
    ) -> Subscription
}

/// A load in progress; ends exactly once, with a result or by cancellation, whichever comes first.
final class PendingLoad<Value: Sendable>: Sendable {
    private struct Running {
        var completion: LoadReceiver<Value>
        var priority: Priority
        var transfer: Subscription?
    }

    /// Nil once the load has ended.
    private let running: Locked<Running?>
    private let workers: DispatchQueue

    /// Creates a load with `priority`; cancellation is reported on `workers`, never on the cancelling thread.
    init(
        priority: Priority, workers: DispatchQueue?,
        completion: @escaping LoadReceiver<Value>
    ) {
        // Serial queues get their own threads from Dispatch, beyond the number of processors.
        self.workers = workers ?? DispatchQueue(label: "halftone.page")
        running = Locked(Running(completion: completion, priority: priority))
    }

    /// The caller's handle to cancel the load or change its priority.
    var subscription: Subscription {
        Subscription(onCancel: cancel, onPriority: setPriority)
    }

    /// Ends the load with `result`, unless it has already ended.
    func finish(_ result: Result<Value, PageError>) {
        running.exchange(nil)?.completion(result)
    }

    /// Fetches the next resource, unless the load has ended; `receive` runs on `workers`, and never after the load's end.
    func fetch(
        _ request: Request, from fetcher: any Fetching,
        receive: @escaping Receiver<Result<Response, FetchError>>
    ) {
        guard let begun = running.withLock({ $0?.priority }) else { return }
        let transfer = fetcher.fetch(request, priority: begun) { result in
            self.perform { receive(result) }
        }
        // The load may have been cancelled or its priority changed in the meantime.
        let priority = running.withLock { running in
            running?.transfer = transfer
            return running?.priority
        }
        guard let priority else { return transfer.cancel() }
        if priority != begun { transfer.setPriority(priority) }
    }

    /// Runs `work` on `workers`, unless the load has ended by then.
    func perform(_ work: @escaping Action) {
        workers.asyncGuarded {
            guard self.running.withLock({ $0 != nil }) else { return }
            work()
        }
    }

    private func cancel() {
        guard let ended = running.exchange(nil) else { return }
        ended.transfer?.cancel()
        workers.async { ended.completion(.failure(.cancelled)) }
    }

    private func setPriority(_ priority: Priority) {
        let transfer = running.withLock { running in
            running?.priority = priority
            return running?.transfer
        }
        transfer?.setPriority(priority)
    }
}
