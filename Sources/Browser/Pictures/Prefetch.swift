import Glibc

/// The scrolling speed, from the scroll position at each update; times are in seconds of a steady clock.
///
/// Measured in screens: a quarter of a screen per frame and a page per frame are both too fast for a picture to load before it
/// is gone. A move after a rest is slow, however far it goes: a jump shows one screen, not those that it passes.
struct ScrollVelocity {
    /// The area that is scrolled; another gallery or layout starts a new measurement.
    struct Surface: Equatable {
        /// The gallery whose rows are counted.
        var gallery: ObjectIdentifier
        /// Its layout; nil if pictures are counted, one per screen.
        var metrics: GalleryMetrics?
    }

    enum Step {
        case none
        /// Another gallery or layout.
        case begun
        /// Moved on in the same direction.
        case moved
        case turned
    }

    /// The pause, in seconds, that ends a fast move, and how long a picture must be visible during one to be requested.
    ///
    /// Longer than the pause between two key repeats (20 to 50 per second), and about the longest delay that goes unnoticed
    /// (R. Miller, "Response time in man-computer conversational transactions", 1968).
    static let settleTime = 0.1
    /// The speed, in screens per second, from which a move is fast: pictures are then visible for less than two settle times and
    /// would be half gone when requested.
    private static let fastSpeed = 1 / (2 * settleTime)
    /// The averaging time of `speed`, in seconds: a few key repeats, so that it follows the user rather than single keys.
    private static let memory = 1.0
    /// The averaging time of `shortSpeed`, which decides whether to wait: two or three key repeats.
    private static let shortMemory = 0.1
    /// The minimum time between two moves, in seconds.
    private static let frame = 0.016

    /// The average speed in screens per second.
    private(set) var speed = 0.0
    /// 1 when scrolling down, -1 when scrolling up.
    private(set) var direction = 1
    private var shortSpeed = 0.0
    private var surface: Surface?
    private var row = 0
    private var lastSample: Double?
    private var lastMove: Double?

    /// Records that `row` is now at the top of the screen, which has `screen` rows.
    mutating func observe(row: Int, screen: Int, on surface: Surface, at now: Double) -> Step {
        guard surface == self.surface else {
            self = ScrollVelocity()
            self.surface = surface
            self.row = row
            return .begun
        }
        guard row != self.row else { return .none }
        lastMove = now
        let elapsed = lastSample.map { now - $0 } ?? .infinity
        // A burst of inputs is measured as one move, together with the first later input.
        guard elapsed > Self.frame / 2 else { return .none }
        let duration = max(Self.frame, elapsed)
        let screens = min(1, Double((row - self.row).magnitude) / Double(max(1, screen)))
        let direction = row > self.row ? 1 : -1
        let isTurn = direction != self.direction
        self.direction = direction
        // The speed before a turn was in the other direction.
        speed = isTurn ? 0 : speed
        let latest = screens / duration
        speed = Self.average(speed, latest, over: duration, memory: Self.memory)
        shortSpeed =
            max(latest, Self.average(shortSpeed, latest, over: duration, memory: Self.shortMemory))
        self.row = row
        lastSample = now
        return isTurn ? .turned : .moved
    }

    /// Returns when a fast move counts as finished; nil if the user moves slowly or has stopped.
    func restDue(at now: Double) -> Double? {
        guard shortSpeed > Self.fastSpeed, let lastMove else { return nil }
        let due = lastMove + Self.settleTime
        return due > now ? due : nil
    }

    /// Returns an exponentially weighted moving average of irregularly spaced samples.
    private static func average(
        _ mean: Double, _ sample: Double, over elapsed: Double, memory: Double
    ) -> Double {
        mean + (sample - mean) * (1 - exp(-elapsed / memory))
    }
}

/// The distance of the prefetch ahead of the screen.
///
/// By Little's law (J. D. C. Little, "A proof for the queuing formula L = λW", Operations Research 9, 1961): if v screens per
/// second come into view and a picture takes W seconds to fetch and draw, v · W screens of pictures must be in flight at any
/// moment for none to be late.
///
/// At least one screen, as people page; limited so that little is fetched in vain when the user turns around or scrolls faster
/// than the connection.
struct PrefetchDistance: Equatable {
    struct Measures {
        /// Screens per second.
        var speed: Double
        /// The time to load a picture, in seconds.
        var latency: Double
        var picturesPerScreen: Int
        /// The mean file size; zero if unknown.
        var bytesPerPicture: Int
    }

    private(set) var screens = least

    private static let least = 1.0
    /// Users turn around, open a picture or leave before they get further than this.
    private static let most = 4.0
    /// A third of the 1,300 reduced tiles kept in memory; the visible ones and those behind need the rest.
    private static let maxPictures = 400.0
    /// The bytes that may be fetched in vain beyond the first screen: 13 seconds on a 10 Mbit/s connection.
    private static let maxBytes = 16e6
    /// The distance changes in half screens, and shrinks only when it is this much too large, so that a fluctuating speed does not
    /// cancel what was just requested.
    private static let step = 0.5
    private static let tolerance = 0.6

    /// Adapts the distance after a move; returns whether it has changed.
    mutating func adapt(to measures: Measures) -> Bool {
        let before = screens
        let needed = Self.bounded(measures)
        if needed > screens || needed < screens * Self.tolerance { screens = needed }
        return screens != before
    }

    private static func bounded(_ measures: Measures) -> Double {
        let pictures = Double(max(1, measures.picturesPerScreen))
        let bytes = pictures * Double(measures.bytesPerPicture)
        let affordable = bytes > 0 ? maxBytes / bytes : most
        let highest = max(least, min(most, maxPictures / pictures, affordable))
        let needed = measures.speed * measures.latency
        return min(max(least, (needed / step).rounded(.up) * step), highest)
    }

    func reason(_ measures: Measures) -> String {
        let pictures = measures.speed * Double(measures.picturesPerScreen)
        return "\(screens) screens: \(Int(pictures.rounded())) pictures/s x "
            + "\(Int((measures.latency * 1000).rounded())) ms, \(measures.bytesPerPicture) bytes each"
    }
}

/// The smoothed mean and mean deviation of the time to load a picture, in seconds.
///
/// The estimator for TCP round-trip times: V. Jacobson, "Congestion avoidance and control", 1988; RFC 6298, section 2.
struct Latency {
    private var mean: Double?
    private var deviation = 0.0

    /// An upper bound for most pictures: two mean deviations above the mean; zero before the first sample.
    var expected: Double { (mean ?? 0) + 2 * deviation }

    mutating func note(_ seconds: Double) {
        guard let mean else {
            mean = seconds
            deviation = seconds / 2
            return
        }
        deviation += (abs(seconds - mean) - deviation) / 4
        self.mean = mean + (seconds - mean) / 8
    }
}
