import Pipeline

/// Transfers under way, which of them nobody waits for any more, and who has asked for the same since.
///
/// So that a request that is given up and made again neither runs twice nor loses what had come. One transfer a request:
/// whoever asks again either shares its job or inherits it. All methods on the coordinator's queue.
final class Heirs: @unchecked Sendable {
    // @unchecked: `entries` is touched on the coordinator's queue only; each entry asserts it.
    private struct Entry {
        var transfer: Subscription
        var isLeft = false
        var heir: FetchWalk?
    }

    private let coordinator: Coordinator
    private var entries: [Request: Entry] = [:]

    init(coordinator: Coordinator) {
        self.coordinator = coordinator
    }

    /// Remembers a transfer until `take`.
    func begin(_ request: Request, _ transfer: Subscription) {
        coordinator.assertConfined()
        entries[request] = Entry(transfer: transfer)
    }

    /// Says that nobody waits for it any more; nothing happens if it has ended, and only its body was still being read.
    func leave(_ request: Request) {
        coordinator.assertConfined()
        entries[request]?.isLeft = true
    }

    /// Makes `walk` wait for what is left of an earlier transfer; false if there is none.
    func join(_ walk: FetchWalk) -> Bool {
        coordinator.assertConfined()
        let request = walk.request
        guard let entry = entries[request], entry.isLeft else { return false }
        let transfer = entry.transfer
        entries[request]?.heir = walk
        transfer.setPriority(walk.job.priority)
        walk.job.onPriorityChange { transfer.setPriority($0) }
        walk.job.onCancel { [self] in
            entries[request]?.heir = nil
            transfer.cancel()
        }
        return true
    }

    /// Forgets a transfer, which has ended; whether it had been left, and who waits for it now.
    func take(_ request: Request) -> (isLeft: Bool, heir: FetchWalk?) {
        coordinator.assertConfined()
        let entry = entries.removeValue(forKey: request)
        return (entry?.isLeft ?? false, entry?.heir)
    }
}
