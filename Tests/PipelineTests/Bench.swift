import Basics
import Dispatch
import Pipeline
import TestSupport

/// An error for tests.
enum Trouble: CancellableError, Equatable {
    case cancelled
    case broken
}

typealias TestPool = JobPool<String, Int, Trouble>
typealias TestJob = Job<Int, Trouble>
typealias TestResult = Result<Int, Trouble>

/// Records elements in order; usable from any thread.
final class Log<Element: Sendable>: Sendable {
    private let state = Locked<[Element]>([])

    var all: [Element] { state.withLock { $0 } }

    func add(_ element: Element) {
        state.withLock { $0.append(element) }
    }
}

extension DispatchSemaphore {
    /// Waits for a signal; false after a generous timeout, so that a broken test ends.
    func arrives() -> Bool {
        wait(timeout: .testDeadline) == .success
    }
}
