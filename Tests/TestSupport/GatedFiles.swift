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
        requests.withLock(\.last)?.report((undoing, left, failures))
    }

    /// Records the request.
    public func change(
        _ works: [FileWork], report: @escaping @Sendable (FileReport) -> Void
    ) {
        requests.withLock { $0.append((works, report)) }
    }
}
