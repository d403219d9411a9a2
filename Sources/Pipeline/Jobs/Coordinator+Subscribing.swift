extension Coordinator {
    /// A hold, made on any thread, on what `start` will ask for on the queue.
    ///
    /// Whatever is done with it happens after `start`, as the queue keeps order: so that asking and at once giving up is still told once.
    public func subscribe(_ start: @escaping @Sendable () -> Subscription) -> Subscription {
        let held = Held(coordinator: self)
        perform { held.subscription = start() }
        return Subscription(
            onCancel: { perform { held.subscription?.cancel() } },
            onPriority: { priority in perform { held.subscription?.setPriority(priority) } })
    }
}

/// What will be held once the queue has got round to it.
private final class Held: @unchecked Sendable {
    // @unchecked: `subscription` is touched on the coordinator's queue only, which it asserts.
    private let coordinator: Coordinator
    private var stored: Subscription?

    init(coordinator: Coordinator) {
        self.coordinator = coordinator
    }

    var subscription: Subscription? {
        get {
            coordinator.assertConfined()
            return stored
        }
        set {
            coordinator.assertConfined()
            stored = newValue
        }
    }
}
