/// Microseconds since it was made.
struct Stopwatch: Sendable {
    private let start = ContinuousClock.now

    var microseconds: Int {
        let (seconds, attoseconds) = start.duration(to: .now).components
        return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
    }
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
