/// Limits the rate of pages fetched from one server without user action, as for a crawler.
///
/// Pictures do not count: a page with forty of them expects them to be fetched, and connections are limited anyway.
struct TokenBucket {
    /// The number of pages at once, and the rate per second after that.
    struct Limits {
        /// The gallery's next page, the viewer's detail page, the prefetched one, and one to spare.
        var burst = 4.0
        /// The fastest that a user turns pages for long; crawlers are asked to stay below one or two.
        var perSecond = 2.0
    }

    /// A token within a billionth of one counts as whole, because of rounding.
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
