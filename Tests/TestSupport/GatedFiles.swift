import Basics
public import Browser

/// Changes no files, and reports when the test says so.
public final class GatedFiles: FileChanging {
    private let requests = Locked<[(works: [FileWork], report: @Sendable (FileReport) -> Void)]>([])

    /// Creates one without requests.
    public init() {}

    /// What was asked for last.
    public var works: [FileWork] { requests.withLock { $0.last?.works ?? [] } }

    /// The number of requests so far.
    public var count: Int { requests.withLock(\.count) }

    /// Reports to the last request.
    public func report(
        _ undoing: [FileWork], left: [FileWork] = [], failures: [String] = []
    ) {
        let last = requests.withLock(\.last)
        let rest = max(0, (last?.works.count ?? 0) - undoing.count - failures.count)
        last?.report((undoing, left, failures, rest))
    }

    /// The paths of folders that are not there.
    public var missing: Set<String> {
        get { absent.withLock(\.self) }
        set { absent.withLock { $0 = newValue } }
    }
    private let absent = Locked<Set<String>>([])

    /// Answers at once.
    public func isFolder(_ path: String, answer: @escaping @Sendable (Bool) -> Void) {
        answer(!missing.contains(path))
    }

    /// Records the request.
    public func change(
        _ works: [FileWork], report: @escaping @Sendable (FileReport) -> Void
    ) {
        requests.withLock { $0.append((works, report)) }
    }
}
