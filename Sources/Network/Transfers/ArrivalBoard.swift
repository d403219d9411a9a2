import Pipeline
import Synchronization

/// Who wants to see bodies while they come in; any thread.
///
/// Apart from the transfers themselves, so that somebody can begin to look at one that is under way, on whosever behalf.
/// Costs a load of an atomic a packet as long as nobody looks.
final class ArrivalBoard: Sendable {
    typealias Receive = @Sendable (Arrival) -> Void

    private struct Watch {
        /// Bytes of the last arrival told.
        var shown = 0
        let receive: Receive
    }

    private struct Entry {
        var watches: [Int: Watch] = [:]
        var progress: FetchProgress?
    }

    private struct State {
        var entries: [Address: Entry] = [:]
        var lastNumber = 0
    }

    private let state = Locked(State())
    private let watchCount = Atomic<Int>(0)

    /// Tells `receive` of what has come of `address` at some steps on its way; at once nothing.
    ///
    /// `receive` is called on the transfer thread and must not block. Cancelling ends it; one call may be under way still.
    func watch(_ address: Address, receive: @escaping Receive) -> Subscription {
        let number = state.withLock { state in
            state.lastNumber += 1
            state.entries[address, default: Entry()].watches[state.lastNumber] =
                Watch(receive: receive)
            return state.lastNumber
        }
        watchCount.wrappingAdd(1, ordering: .relaxed)
        return Subscription(
            onCancel: { [weak self] in self?.end(number, of: address) }, onPriority: { _ in })
    }

    /// Says that all of `address` is there: whoever has looked at parts need not draw them any more.
    func finish(_ address: Address) {
        guard watchCount.load(ordering: .relaxed) > 0 else { return }
        let receivers = state.withLock { state in
            state.entries[address]?.watches.values.filter { $0.shown > 0 }.map(\.receive) ?? []
        }
        var whole = Arrival(bytes: [], total: nil)
        whole.isWhole = true
        receivers.forEach { $0(whole) }
    }

    /// How much has come of an address that is watched; nil before the first byte.
    func progress(of address: Address) -> FetchProgress? {
        state.withLock { $0.entries[address]?.progress }
    }

    private func end(_ number: Int, of address: Address) {
        let isEnded = state.withLock { state in
            guard state.entries[address]?.watches.removeValue(forKey: number) != nil else {
                return false
            }
            if state.entries[address]?.watches.isEmpty == true {
                state.entries[address] = nil
            }
            return true
        }
        if isEnded {
            watchCount.wrappingSubtract(1, ordering: .relaxed)
        }
    }

    /// The place of one transfer at the board.
    struct Seat {
        let board: ArrivalBoard
        let address: Address

        /// Says what there is; whoever is due for it is told.
        func note(_ body: [UInt8], total: Int?) {
            guard board.watchCount.load(ordering: .relaxed) > 0 else { return }
            let receivers = board.note(
                FetchProgress(received: body.count, total: total), of: address)
            // The array is copied once, at the next append, however many look.
            receivers.forEach { $0(Arrival(bytes: body, total: total)) }
        }
    }

    private func note(_ progress: FetchProgress, of address: Address) -> [Receive] {
        state.withLock { state in
            guard var entry = state.entries[address] else { return [] }
            entry.progress = progress
            var due: [Receive] = []
            for (number, watch) in entry.watches {
                guard let step = progress.step(after: watch.shown), progress.received >= step
                else { continue }
                entry.watches[number]?.shown = progress.received
                due.append(watch.receive)
            }
            state.entries[address] = entry
            return due
        }
    }
}

extension FetchProgress {
    /// Below this, the whole is there before anybody has looked at a part, in bytes.
    private static let smallest = 32 << 10

    /// How many bytes make the next arrival worth telling, when `shown` were told; nil if none before the whole does.
    ///
    /// An eighth, a quarter and a half, or where the length is not known, at every doubling: whoever reads all of them
    /// has read no more than once what the whole has, or twice.
    func step(after shown: Int) -> Int? {
        guard let total else { return max(Self.smallest, shown * 2) }
        guard total >= Self.smallest else { return nil }
        return [total / 8, total / 4, total / 2].first { $0 > shown }
    }
}
