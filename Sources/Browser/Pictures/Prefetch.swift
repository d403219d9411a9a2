import Glibc

/// How fast the user scrolls, from where the screen stood at each update; times are seconds of a steady clock.
///
/// Counted in screens: at a quarter of a screen a frame and at a page a frame alike, a picture is gone before it could be
/// there. Moves that come after a rest are slow, however far they go: a jump shows one screen, not those that it passes.
struct ScrollVelocity {
    /// What is measured against itself only: another gallery, or another layout of it, begins anew.
    struct Surface: Equatable {
        /// Whose rows are counted.
        var gallery: ObjectIdentifier
        /// How they are laid out; nil where pictures are counted, one a screen.
        var metrics: GalleryMetrics?
    }

    enum Step {
        case none
        /// Another gallery, or another layout of it.
        case begun
        /// On in the same direction.
        case moved
        case turned
    }

    /// Seconds without a move after which a fast move is over, and for which a picture must be seen during one to be asked for.
    ///
    /// Longer than the pause between two repeats of a key (20 to 50 a second), and about the delay that is not yet noticed
    /// (R. Miller, "Response time in man-computer conversational transactions", 1968).
    static let settleTime = 0.1
    /// Screens a second from which a move is fast: each picture is seen for less than two settle times, and would be half
    /// gone when asked for.
    private static let fastSpeed = 1 / (2 * settleTime)
    /// Seconds over which `speed` is averaged: a few key repeats, so that it follows the user and not each key.
    private static let memory = 1.0
    /// The same for what decides whether to wait: two or three repeats.
    private static let shortMemory = 0.1
    /// Moves count as at least a frame apart, in seconds.
    private static let frame = 0.016

    /// Screens a second in `direction`, averaged.
    private(set) var speed = 0.0
    /// 1 downwards, -1 upwards.
    private(set) var direction = 1
    private var shortSpeed = 0.0
    private var surface: Surface?
    private var row = 0
    private var lastSample: Double?
    private var lastMove: Double?

    /// Takes note that the screen, of so many rows, stands at `row`.
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
        // Inputs of one burst are measured together, with the first that comes later.
        guard elapsed > Self.frame / 2 else { return .none }
        let duration = max(Self.frame, elapsed)
        let screens = min(1, Double((row - self.row).magnitude) / Double(max(1, screen)))
        let direction = row > self.row ? 1 : -1
        let isTurn = direction != self.direction
        self.direction = direction
        // After a turn the old speed says nothing: it was the other way.
        speed = isTurn ? 0 : speed
        let latest = screens / duration
        speed = Self.average(speed, latest, over: duration, memory: Self.memory)
        shortSpeed =
            max(latest, Self.average(shortSpeed, latest, over: duration, memory: Self.shortMemory))
        self.row = row
        lastSample = now
        return isTurn ? .turned : .moved
    }

    /// When the user, who moves fast, will be taken to have stopped; nil if the user moves slowly or stands.
    func restDue(at now: Double) -> Double? {
        guard shortSpeed > Self.fastSpeed, let lastMove else { return nil }
        let due = lastMove + Self.settleTime
        return due > now ? due : nil
    }

    /// An exponentially weighted moving average of samples that stand for times of different length.
    private static func average(
        _ mean: Double, _ sample: Double, over elapsed: Double, memory: Double
    ) -> Double {
        mean + (sample - mean) * (1 - exp(-elapsed / memory))
    }
}

/// How far ahead of the screen pictures are asked for.
///
/// By Little's law (J. D. C. Little, "A proof for the queuing formula L = λW", Operations Research 9, 1961): if screens
/// come into view at v a second and a picture takes W seconds to fetch and draw, then v · W screens of pictures must be on
/// their way at any moment for none to be late.
///
/// At least a screen, as people page; at most so much that little is fetched for nothing when the user turns round, or is
/// faster than the connection.
struct PrefetchDistance: Equatable {
    struct Measures {
        /// Screens a second.
        var speed: Double
        /// Seconds that a picture takes.
        var latency: Double
        var picturesPerScreen: Int
        /// The mean size of a file; zero where it is not known.
        var bytesPerPicture: Int
    }

    private(set) var screens = least

    private static let least = 1.0
    /// Further ahead than this users turn round, open a picture or leave more often than they get there.
    private static let most = 4.0
    /// A third of the 1,300 tiles that are kept reduced in memory: those seen and those behind need theirs.
    private static let mostPictures = 400.0
    /// So much may be fetched for nothing beyond the first screen, in bytes: 13 seconds of a 10 Mbit/s connection.
    private static let mostBytes = 16e6
    /// The window changes in half screens, and shrinks only when it is this much too large: a wavering speed must not
    /// cancel at one update what was asked for at the one before.
    private static let step = 0.5
    private static let tolerance = 0.6

    /// Works it out anew after a move; true if it has changed.
    mutating func adapt(to measures: Measures) -> Bool {
        let before = screens
        let needed = Self.bounded(measures)
        if needed > screens || needed < screens * Self.tolerance { screens = needed }
        return screens != before
    }

    private static func bounded(_ measures: Measures) -> Double {
        let pictures = Double(max(1, measures.picturesPerScreen))
        let bytes = pictures * Double(measures.bytesPerPicture)
        let affordable = bytes > 0 ? mostBytes / bytes : most
        let highest = max(least, min(most, mostPictures / pictures, affordable))
        let needed = measures.speed * measures.latency
        return min(max(least, (needed / step).rounded(.up) * step), highest)
    }

    func reason(_ measures: Measures) -> String {
        let pictures = measures.speed * Double(measures.picturesPerScreen)
        return "\(screens) screens: \(Int(pictures.rounded())) pictures/s x "
            + "\(Int((measures.latency * 1000).rounded())) ms, \(measures.bytesPerPicture) bytes each"
    }
}

/// How long a picture takes from asking to being there, in seconds: smoothed mean and mean deviation.
///
/// The estimator of TCP's round trips: V. Jacobson, "Congestion avoidance and control", 1988; RFC 6298, section 2.
struct Latency {
    private var mean: Double?
    private var deviation = 0.0

    /// Most pictures take no longer than this: two mean deviations above the mean; zero before the first one.
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
