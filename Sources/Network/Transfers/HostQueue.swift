import Basics
import Pipeline

/// The requests for one origin: those that wait, most urgent first, and how many are with the server.
///
/// The one place where a server admits requests, by connections, by urgency and by time; libcurl's own limit of connections
/// (`CURLMOPT_MAX_HOST_CONNECTIONS`) would queue them in order of arrival, and count all servers behind a proxy as one. Times are in
/// seconds of `SteadyClock`.
struct HostQueue {
    struct Entry: Comparable {
        var priority: Priority
        /// The older has the smaller number.
        var number: Int
        /// Whether it takes a token: it is a page that another page named.
        var takesToken = false

        /// Ascending, so that the next to start is the last, where removing it moves nothing.
        static func < (left: Entry, right: Entry) -> Bool {
            left.priority == right.priority
                ? left.number > right.number : left.priority < right.priority
        }
    }

    /// With so many connections, one of them is kept for what is on the screen, so that it need not wait for what is fetched ahead.
    private static let leastForReserve = 4

    /// Requests with the server.
    private(set) var runningCount = 0
    /// Requests at once.
    private let limit: Int
    private var waiting: [Entry] = []
    private var pages: TokenBucket
    /// Until then the server must not be asked.
    private var closedUntil = 0.0

    init(limit: Int, pageLimits: TokenBucket.Limits, now: Double) {
        self.limit = max(1, limit)
        pages = TokenBucket(pageLimits, now: now)
    }

    mutating func insert(_ entry: Entry) { waiting.insertSorted(entry) }

    mutating func remove(_ entry: Entry) { waiting.removeSorted(entry) }

    /// The most urgent of those that may start now: pages may have to wait for a token while pictures go on.
    func next(at now: Double) -> Entry? {
        guard closedUntil <= now else { return nil }
        let hasToken = pages.hasToken(at: now)
        guard let entry = waiting.last(where: { hasToken || !$0.takesToken }),
            runningCount < width(of: entry.priority.level)
        else { return nil }
        return entry
    }

    /// Takes out what `next` has answered, and counts it as running until `finish`.
    mutating func start(_ entry: Entry, at now: Double) {
        remove(entry)
        runningCount += 1
        if entry.takesToken { pages.take(at: now) }
    }

    mutating func finish() { runningCount -= 1 }

    /// Starts nothing before `time`: the server said so (`Retry-After` with 429 or 503).
    mutating func close(until time: Double) { closedUntil = max(closedUntil, time) }

    /// When a request may start that now only waits for the time; nil if there is none.
    func due(after now: Double) -> Double? {
        guard !waiting.isEmpty else { return nil }
        let open = max(now, closedUntil)
        let due = waiting.contains { !$0.takesToken } ? open : open + pages.secondsToToken(at: open)
        return due > now ? due : nil
    }

    /// Whether it can be forgotten, as a new one would be the same.
    func isIdle(at now: Double) -> Bool {
        waiting.isEmpty && runningCount == 0 && closedUntil <= now && pages.isFull(at: now)
    }

    private func width(of level: Priority.Level) -> Int {
        level < .visible && limit >= Self.leastForReserve ? limit - 1 : limit
    }
}

/// Limits the pages of one server that are followed without the user's doing, as crawlers are limited.
///
/// Pictures are not counted: a page that shows forty of them means them to be fetched, and its connections are bounded.
struct TokenBucket {
    /// How many pages at once, and how many a second after that.
    struct Limits {
        /// The gallery's next page, the viewer's detail page, the one fetched ahead, and one to spare.
        var burst = 4.0
        /// What a user turns over at most for long; crawlers are asked to stay below one or two.
        var perSecond = 2.0
    }

    /// A token whose last billionth is missing by rounding is whole.
    private static let whole = 1 - 1e-9

    private let limits: Limits
    private var tokens: Double
    private var filledAt: Double

    init(_ limits: Limits, now: Double) {
        self.limits = limits
        tokens = limits.burst
        filledAt = now
    }

    func hasToken(at now: Double) -> Bool { tokens(at: now) >= Self.whole }

    func secondsToToken(at now: Double) -> Double { max(0, 1 - tokens(at: now)) / limits.perSecond }

    mutating func take(at now: Double) {
        tokens = max(0, tokens(at: now) - 1)
        filledAt = now
    }

    func isFull(at now: Double) -> Bool { tokens(at: now) >= limits.burst }

    private func tokens(at now: Double) -> Double {
        min(limits.burst, tokens + max(0, now - filledAt) * limits.perSecond)
    }
}
