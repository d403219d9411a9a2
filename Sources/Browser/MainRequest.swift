import Pipeline

/// A request to another queue whose results are received on the main thread.
///
/// Results that arrive after `cancel` or after deallocation are dropped, so callers never see stale ones.
@MainActor final class MainRequest {
    private var subscription: Subscription?
    private var isCancelled = false

    /// Creates the request; `ask` starts it and passes its results, on any thread, to its argument.
    init<Answer: Sendable>(
        on main: any MainScheduling,
        ask: (@escaping Receiver<Answer>) -> Subscription,
        receive: @escaping @MainActor (Answer) -> Void
    ) {
        subscription = ask { [weak self] answer in
            main.post {
                if self?.isCancelled == false { receive(answer) }
            }
        }
    }

    func cancel() {
        isCancelled = true
        subscription?.cancel()
    }

    func setPriority(_ priority: Priority) { subscription?.setPriority(priority) }
}

extension BrowserContext {
    /// Begins a request whose results change the state.
    @MainActor func request<Answer: Sendable>(
        ask: (@escaping Receiver<Answer>) -> Subscription,
        receive: @escaping @MainActor (Answer) -> Void
    ) -> MainRequest {
        MainRequest(on: main, ask: ask) { [display] answer in
            receive(answer)
            display.stateChanged()
        }
    }
}
