import Pipeline

/// A turnstile for each name, made when it is needed and forgotten when nobody is there.
///
/// All methods on the coordinator's queue.
final class Turnstiles: @unchecked Sendable {
    // @unchecked: `turnstiles` is touched on the coordinator's queue only; each entry asserts it.
    private let width: @Sendable (Priority.Level) -> Int
    private let coordinator: Coordinator
    private var turnstiles: [String: Turnstile] = [:]

    init(coordinator: Coordinator, width: @escaping @Sendable (Priority.Level) -> Int) {
        self.coordinator = coordinator
        self.width = width
    }

    /// Stands in line for `name`; `pass` is called when it is let in and stays in as long as it, or anybody, keeps the slot.
    func enter(
        _ name: String, priority: Priority, pass: @escaping @Sendable (Slot) -> Void
    ) -> WorkTicket {
        coordinator.assertConfined()
        let turnstile =
            turnstiles[name] ?? Turnstile(coordinator: coordinator, width: width)
        turnstiles[name] = turnstile
        return turnstile.enter(priority: priority) { [self] in
            pass(
                Slot { [self] in
                    coordinator.perform { self.leave(name, turnstile) }
                })
        }
    }

    private func leave(_ name: String, _ turnstile: Turnstile) {
        coordinator.assertConfined()
        turnstile.leave()
        if turnstile.insideCount == 0 && turnstiles[name] === turnstile {
            turnstiles[name] = nil
        }
    }
}

/// A place inside a turnstile, given back when nobody holds it any more; any thread.
final class Slot: Sendable {
    private let release: @Sendable () -> Void

    init(release: @escaping @Sendable () -> Void) {
        self.release = release
    }

    deinit {
        release()
    }
}
