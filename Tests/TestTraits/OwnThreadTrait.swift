import Dispatch
public import Testing

/// Runs each test case on a thread of its own: Swift's tasks have one per processor, and waiting for another process would occupy it.
public struct OwnThreadTrait: SuiteTrait, TestTrait, TestScoping {
    private final class Executor: TaskExecutor {
        // A serial queue has a thread of its own; a concurrent one shares those of the processors.
        private let queue = DispatchQueue(label: "halftone.test")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    /// Of a suite, the trait is that of all tests in it.
    public var isRecursive: Bool { true }

    /// Runs the test case `function`, on a thread made for it.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(Executor()) { try await function() }
    }
}

extension Trait where Self == OwnThreadTrait {
    /// Each test case runs on a thread of its own, for those that wait for processes or time-outs.
    public static var onOwnThread: Self { Self() }
}
