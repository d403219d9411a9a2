import Basics
@testable import Pipeline

// What only tests ask for.

extension MemoryCache {
    /// The budget in bytes.
    var capacity: Int { state.withLock(\.capacity) }
    /// The number of entries.
    var count: Int { state.withLock(\.entries.count) }
}

extension JobPool {
    /// The number of jobs in flight.
    var count: Int { jobs.count }
}

extension WorkQueue {
    /// The number of pieces of work running.
    var runningCount: Int { limiter.runningCount }
    /// The number of pieces of work waiting for their turn.
    var waitingCount: Int { limiter.waitingCount }
}
