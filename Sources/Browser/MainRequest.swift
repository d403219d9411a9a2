import Pipeline

/// A request to another queue, whose answers are received on the main thread.
///
/// What comes after `cancel`, or when the request is no longer held, is dropped: who asks anew need not tell old answers from new ones.
@MainActor final class MainRequest {
    private var subscription: Subscription?
    private var isCancelled = false

    /// `ask` makes the request; its argument takes the answers, on any thread.
    init<Answer: Sendable>(
        on main: any MainScheduling,
        ask: (@escaping @Sendable (Answer) -> Void) -> Subscription,
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
