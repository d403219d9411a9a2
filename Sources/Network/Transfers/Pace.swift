/// How fast one server may be asked: a token bucket for pages that are followed by themselves, and the pause it asked for.
///
/// Pictures are not counted: a page that shows forty of them means them to be fetched, and its connections are bounded. Times are of the
/// monotonic clock, in nanoseconds.
struct Pace {
    /// How many pages at once, and how many a second after that.
    struct Limits {
        /// The gallery's next page, the viewer's detail page, the one fetched ahead, and one to spare.
        var burst = 4.0
        /// What a reader turns over at most for long; crawlers are asked to stay below one or two.
        var perSecond = 2.0
    }

    private let limits: Limits
    private var tokens: Double
    private var filledAt: UInt64
    private var closedUntil: UInt64 = 0

    init(_ limits: Limits, now: UInt64) {
        self.limits = limits
        tokens = limits.burst
        filledAt = now
    }

    /// Whether anything may be asked.
    func isOpen(at now: UInt64) -> Bool { closedUntil <= now }

    /// Whether another page may be asked for.
    func allowsPage(at now: UInt64) -> Bool { isOpen(at: now) && tokens(at: now) >= 1 }

    /// Counts a page that is asked for.
    mutating func takePage(at now: UInt64) {
        tokens = max(0, tokens(at: now) - 1)
        filledAt = now
    }

    /// Asks nothing before `time`: the server said so (`Retry-After` with 429 or 503).
    mutating func close(until time: UInt64) { closedUntil = max(closedUntil, time) }

    /// When the next request may start: a page, or anything else.
    func due(isPage: Bool, now: UInt64) -> UInt64 {
        let open = max(now, closedUntil)
        let missing = 1 - tokens(at: open)
        guard isPage, missing > 0 else { return open }
        // A nanosecond more than the fraction, so that the token is whole by then.
        return open + UInt64(min(missing / limits.perSecond, 1e6) * 1e9) + 1
    }

    /// Whether it says nothing that a new one would not.
    func isIdle(at now: UInt64) -> Bool { isOpen(at: now) && tokens(at: now) >= limits.burst }

    private func tokens(at now: UInt64) -> Double {
        let seconds = now > filledAt ? Double(now - filledAt) / 1e9 : 0
        return min(limits.burst, tokens + seconds * limits.perSecond)
    }
}
