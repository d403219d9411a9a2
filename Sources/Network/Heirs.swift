import Pipeline

/// Transfers that nobody waits for any more but that have not ended, and who has asked for the same since.
///
/// So that a request that is given up and made again neither runs twice nor loses what had come. All methods on the
/// coordinator's queue.
final class Heirs: @unchecked Sendable {
    // @unchecked: `entries` is touched on the coordinator's queue only; each entry asserts it.
    private struct Entry {
        var transfer: Subscription
        var heir: FetchWalk?
    }

    private let coordinator: Coordinator
    private var entries: [Request: Entry] = [:]

    init(coordinator: Coordinator) {
        self.coordinator = coordinator
    }

    /// Remembers a transfer, just cancelled, until `take`.
    func leave(_ request: Request, _ transfer: Subscription) {
        coordinator.assertConfined()
        entries[request] = Entry(transfer: transfer)
    }

    /// Makes `walk` wait for what is left of an earlier transfer; false if there is none.
    func join(_ walk: FetchWalk) -> Bool {
        coordinator.assertConfined()
        let request = walk.request
        guard let transfer = entries[request]?.transfer else { return false }
        entries[request]?.heir = walk
        transfer.setPriority(walk.job.priority)
        walk.job.onPriorityChange { transfer.setPriority($0) }
        walk.job.onCancel { [self] in
            entries[request]?.heir = nil
            transfer.cancel()
        }
        return true
    }

    /// Whether a transfer for `request` had been left, and who waits for it now.
    func take(_ request: Request) -> (isLeft: Bool, heir: FetchWalk?) {
        coordinator.assertConfined()
        let entry = entries.removeValue(forKey: request)
        return (entry != nil, entry?.heir)
    }
}
