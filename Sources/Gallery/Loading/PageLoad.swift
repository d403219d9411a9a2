import Network
import Pipeline

/// One load under way: ends exactly once, by a result or by being cancelled, whichever comes first.
final class PageLoad: Sendable {
    private struct State {
        var isOver = false
        var transfer: Subscription?
    }

    private let state = Locked(State())
    private let completion: @Sendable (Result<Page, PageError>) -> Void

    init(completion: @escaping @Sendable (Result<Page, PageError>) -> Void) {
        self.completion = completion
    }

    /// Whether the result has been told.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Tells the result, unless one was told before.
    func finish(_ result: Result<Page, PageError>) {
        guard end() != nil else { return }
        completion(result)
    }

    /// Gives the load up, and the transfer it waits for.
    func cancel() {
        guard let transfer = end() else { return }
        transfer?.cancel()
        completion(.failure(.cancelled))
    }

    /// Passes a priority on to the transfer.
    func setPriority(_ priority: Priority) {
        state.withLock { $0.transfer }?.setPriority(priority)
    }

    /// Remembers what to cancel; cancels at once if the load is over already.
    func waits(for transfer: Subscription) {
        let isOver = state.withLock { state in
            if !state.isOver { state.transfer = transfer }
            return state.isOver
        }
        if isOver { transfer.cancel() }
    }

    /// Ends the load; nil if it was over, else what it was waiting for, if anything.
    private func end() -> Subscription?? {
        state.withLock { state in
            guard !state.isOver else { return nil }
            state.isOver = true
            defer { state.transfer = nil }
            return .some(state.transfer)
        }
    }
}
