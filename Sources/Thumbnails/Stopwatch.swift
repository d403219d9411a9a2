import Basics

/// Microseconds since it was made.
struct Stopwatch: Sendable {
    private let start = SteadyClock.nanoseconds()

    var microseconds: Int { Int((SteadyClock.nanoseconds() - start) / 1000) }
}

extension Result {
    /// The word for a trace.
    var outcome: String {
        switch self {
        case .success: "ok"
        case .failure(let error): "\(error)"
        }
    }
}
