import Basics
import Pipeline

/// The requests to one origin: those waiting, the most urgent first, and the number in flight.
///
/// The only place that admits requests to a server, by connections, urgency and time; libcurl's own limit (`CURLMOPT_MAX_HOST_CONNECTIONS`)
/// would queue them in order of arrival, and count all servers behind a proxy as one. Times are in seconds of `SteadyClock`.
struct HostQueue {
    struct Entry: Comparable {
        var priority: Priority
        /// The sequence number; older requests have smaller ones.
        var number: Int
        /// Whether the request takes a token: it is for a page named by another page.
        var takesToken = false

        /// Compares in ascending order: the next to start is the last, whose removal moves no other entry.
        static func < (left: Entry, right: Entry) -> Bool {
            (left.priority, right.number) < (right.priority, left.number)
        }
    }

    /// With at least this many connections, one is reserved for visible pictures, so that they need not wait for prefetched ones.
    private static let minForReserve = 4

    /// The number of requests in flight.
    private(set) var runningCount = 0
    /// The maximum number of requests in flight.
    private let limit: Int
    private var waiting: [Entry] = []
    private var pages: TokenBucket
    /// No request may be sent before this time.
    private var closedUntil = 0.0
    /// What the server has answered that is not to be asked for long, and until when.
    private var refusal: (until: Double, reason: FetchError)?
    /// By when all bodies so far would have arrived at the rate of the host.
    private var throttledUntil = 0.0

    init(limit: Int, pageLimits: TokenBucket.Limits, now: Double) {
        self.limit = max(1, limit)
        pages = TokenBucket(pageLimits, now: now)
    }

    mutating func insert(_ entry: Entry) { waiting.insertSorted(entry) }

    mutating func remove(_ entry: Entry) { waiting.removeSorted(entry) }

    /// Returns the most urgent request that may start now; while pages wait for a token, pictures may go ahead.
    func next(at now: Double) -> Entry? {
        guard closedUntil <= now else { return nil }
        let hasToken = pages.hasToken(at: now)
        guard let entry = waiting.last(where: { hasToken || !$0.takesToken }) else { return nil }
        let isReserved = entry.priority.level < .visible && limit >= Self.minForReserve
        return runningCount < (isReserved ? limit - 1 : limit) ? entry : nil
    }

    /// Removes the entry returned by `next`, which counts as running until `finish`.
    mutating func start(_ entry: Entry, at now: Double) {
        remove(entry)
        runningCount += 1
        if entry.takesToken { pages.take(at: now) }
    }

    mutating func finish() { runningCount -= 1 }

    /// Lets nothing start before `time`, at the server's request (`Retry-After` with 429 or 503); with a `reason` nothing waits for that.
    mutating func close(until time: Double, for reason: FetchError? = nil) {
        closedUntil = max(closedUntil, time)
        refusal = reason.map { (time, $0) } ?? refusal
    }

    /// Why nothing may wait here.
    func refusal(at now: Double) -> FetchError? {
        refusal.flatMap { $0.until > now ? $0.reason : nil }
    }

    /// Returns when the next request may start that is waiting only for time to pass; nil if there is none.
    func due(after now: Double) -> Double? {
        let open = max(now, closedUntil)
        if open > now, waiting.contains(where: { !$0.takesToken }) { return open }
        let due = open + pages.secondsToToken(at: open)
        return due > now && waiting.contains(where: \.takesToken) ? due : nil
    }

    /// Lets nothing start before a body that was asked for at `start` would have arrived at the rate of the host, in `seconds`, after all
    /// others: libcurl limits each transfer, but not many small ones.
    mutating func throttle(for seconds: Double, since start: Double) {
        throttledUntil = max(throttledUntil, start) + seconds
        close(until: throttledUntil)
    }

    /// The number of requests that will share the line, if none is added.
    var share: Int { min(limit, runningCount + waiting.count) }

    /// Whether the queue can be dropped, as a new one would be in the same state.
    func isIdle(at now: Double) -> Bool {
        waiting.isEmpty && runningCount == 0 && closedUntil <= now && pages.isFull(at: now)
    }
}
