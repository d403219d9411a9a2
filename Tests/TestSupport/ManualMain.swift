import Dispatch
public import Pipeline

/// A main thread that runs what is posted only when the test says so.
public final class ManualMain: MainScheduling {
    private let letters = Locked<[@MainActor @Sendable () -> Void]>([])

    private let arrived = DispatchSemaphore(value: 0)

    /// Makes one with nothing posted.
    public init() {}

    /// Keeps `work` until `drain`.
    public func post(_ work: @escaping @MainActor @Sendable () -> Void) {
        letters.withLock { $0.append(work) }
        arrived.signal()
    }

    /// Blocks until something waits, for work that goes on beside the main thread; false when patience ends.
    public func waitForPost() -> Bool {
        while waitingCount == 0 {
            guard arrived.wait(timeout: .endOfPatience) == .success else { return false }
        }
        return true
    }

    /// Runs everything posted, including what that posts in turn.
    @MainActor public func drain() {
        while let letter = letters.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            letter()
        }
    }

    /// How much waits at this moment.
    public var waitingCount: Int { letters.withLock(\.count) }
}
