import Glibc

/// The scrolling speed, from the scroll position at each update; times are in seconds of a steady clock.
///
/// Measured in screens: a quarter of a screen per frame and a page per frame are both too fast for a picture to load before it
/// is gone. A move after a rest is slow, however far it goes: a jump shows one screen, not those that it passes.
struct ScrollVelocity {
    /// The pause, in seconds, that ends a fast move, and how long a picture must be visible during one to be requested.
    ///
    /// Longer than the pause between two key repeats (20 to 50 per second), and about the longest delay that goes unnoticed
    /// (R. Miller, "Response time in man-computer conversational transactions", 1968).
    static let settleTime = 0.1
    /// The speed, in screens per second, from which a move is fast: pictures are then visible for less than two settle times and
    /// would be half gone when requested.
    private static let fastSpeed = 1 / (2 * settleTime)
    /// The averaging time of the speed, in seconds: two or three key repeats.
    private static let memory = 0.1
    /// The minimum time between two moves, in seconds.
    private static let frame = 0.016

    /// In screens per second.
    private var speed = 0.0
    private var gallery: ObjectIdentifier?
    private var metrics: GalleryMetrics?
    private var row = 0
    private var lastSample: Double?
    private var lastMove: Double?

    /// Records that `row` is now at the top of the screen, which has `screen` rows; another gallery or layout begins anew.
    mutating func observe(
        row: Int, screen: Int, of gallery: ObjectIdentifier, _ metrics: GalleryMetrics?,
        at now: Double
    ) {
        guard gallery == self.gallery, metrics == self.metrics else {
            return self = ScrollVelocity(gallery: gallery, metrics: metrics, row: row)
        }
        guard row != self.row else { return }
        lastMove = now
        let elapsed = lastSample.map { now - $0 } ?? .infinity
        // A burst of inputs is measured as one move, together with the first later input.
        guard elapsed > Self.frame / 2 else { return }
        let duration = max(Self.frame, elapsed)
        let screens = min(1, Double((row - self.row).magnitude) / Double(max(1, screen)))
        let latest = screens / duration
        // An exponentially weighted moving average of irregularly spaced samples.
        let average = speed + (latest - speed) * (1 - exp(-duration / Self.memory))
        speed = max(latest, average)
        self.row = row
        lastSample = now
    }

    /// Returns when a fast move counts as finished; nil if the user moves slowly or has stopped.
    func restDue(at now: Double) -> Double? {
        guard speed > Self.fastSpeed, let lastMove else { return nil }
        let due = lastMove + Self.settleTime
        return due > now ? due : nil
    }
}
