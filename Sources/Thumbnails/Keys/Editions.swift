import Network
import Pipeline

/// Which edition of each file is the newest asked for, and which the newest shown; any thread.
///
/// Until a reload has something to show, the old edition stays good, so that nothing flashes; from then on nothing older is used, whatever still
/// comes in. Files never reloaded are edition 0 and cost nothing.
final class Editions: Sendable {
    private struct State {
        var issued = 0
        var shown = 0
        /// Reloads under way, which share one edition.
        var reloads = 0
    }

    private let states = Locked<[Address: State]>([:])

    /// The oldest edition that may be shown.
    func shown(of address: Address) -> Int {
        states.withLock { $0[address]?.shown ?? 0 }
    }

    /// Gives `request` its edition; a reload must be followed by `endReload`.
    func begin(_ request: ThumbnailRequest) -> Ask {
        states.withLock { states in
            guard request.isReload else {
                let state = states[request.address] ?? State()
                return Ask(request: request, edition: state.issued, oldestUsable: state.shown)
            }
            var state = states[request.address] ?? State()
            if state.reloads == 0 {
                state.issued += 1
            }
            state.reloads += 1
            states[request.address] = state
            return Ask(request: request, edition: state.issued, oldestUsable: state.issued)
        }
    }

    /// Says that something of `edition` can be shown: older ones are out of date from now on.
    func show(_ edition: Int, of address: Address) {
        // Edition 0 is what every file starts with.
        guard edition > 0 else { return }
        states.withLock { states in
            let shown = states[address]?.shown ?? 0
            states[address]?.shown = max(shown, edition)
        }
    }

    /// Ends a reload, however it went.
    func endReload(of address: Address) {
        states.withLock { $0[address]?.reloads -= 1 }
    }
}
