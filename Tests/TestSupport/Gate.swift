import Basics
import Pipeline

/// Holds work back until a test releases it: makes races reproducible without sleeping.
public final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [@Sendable () -> Void] = []
    }
    private let state = Locked(State())

    /// Creates a closed gate.
    public init() {}

    /// Runs `work` immediately if the gate is open, otherwise when it opens, on the opener's thread.
    public func pass(_ work: @escaping @Sendable () -> Void) {
        let runsNow = state.withLock { state in
            if !state.isOpen {
                state.waiting.append(work)
            }
            return state.isOpen
        }
        if runsNow {
            work()
        }
    }

    /// Opens the gate permanently and runs all waiting work, in order.
    public func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            let waiting = state.waiting
            state.waiting = []
            return waiting
        }
        for work in waiting {
            work()
        }
    }

    /// Waits until the gate opens.
    public func passed() async {
        await withCheckedContinuation { continuation in pass { continuation.resume() } }
    }

    /// The number of pieces of work waiting.
    public var waitingCount: Int { state.withLock { $0.waiting.count } }
}
