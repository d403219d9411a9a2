import Gallery
import Network
import Pipeline

/// How pages were read, told by the threads that read them and taken by the one that prints.
final class ExplanationList: Sendable {
    private let explanations = Locked([Explanation]())

    /// Adds one; any thread.
    @Sendable func add(_ explanation: Explanation) {
        explanations.withLock { $0.append(explanation) }
    }

    /// Those told since the last time; any thread.
    func take() -> [Explanation] {
        explanations.withLock { all in
            defer { all = [] }
            return all
        }
    }
}
