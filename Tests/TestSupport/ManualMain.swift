import Basics
import Dispatch
public import Pipeline

/// A main thread that runs posted work only when the test says so.
public final class ManualMain: MainScheduling {
    private let letters = Locked<[@MainActor @Sendable () -> Void]>([])

    private let arrived = DispatchSemaphore(value: 0)

    /// Creates a main thread with nothing posted.
    public init() {}

    /// Keeps `work` until `drain`.
    public func post(_ work: @escaping @MainActor @Sendable () -> Void) {
        letters.withLock { $0.append(work) }
        arrived.signal()
    }

    /// Blocks until work has been posted from another thread; returns false on timeout.
    public func waitForPost() -> Bool {
        while waitingCount == 0 {
            guard arrived.wait(timeout: .testDeadline) == .success else { return false }
        }
        return true
    }

    /// Runs everything posted, including work posted meanwhile.
    @MainActor public func drain() {
        while let letter = letters.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            letter()
        }
    }

    /// The number of pieces of work waiting.
    public var waitingCount: Int { letters.withLock(\.count) }
}
