import Glibc

/// How fast the reader moves, from where the screen stood at each frame; times are seconds of a steady clock.
///
/// Counted in screens, as that is what matters: at a quarter of a screen a frame and at a page a frame alike, a picture
/// is gone before it could be there. Moves that come after a rest are slow, however far they go: a jump shows one screen,
/// not those that it passes.
struct Travel {
    /// What is measured against itself only: another gallery, or another layout of it, begins anew.
    struct Ground: Equatable {
        /// Whose rows are counted.
        var gallery: ObjectIdentifier
        /// How they are laid out; nil where pictures are counted, one a screen.
        var metrics: GalleryMetrics?
    }

    /// What has happened since the last frame.
    enum Step {
        /// Nothing.
        case none
        /// Another gallery, or another layout of it.
        case begun
        /// On in the same direction.
        case moved
        /// Back.
        case turned
    }

    /// Seconds for which a picture must have been seen before it is asked for, while the reader moves fast; and without a
    /// move before that is over.
    ///
    /// Longer than the pause between two repeats of a key (terminals repeat 20 to 50 times a second), and about the
    /// delay that is not yet noticed (R. Miller, "Response time in man-computer conversational transactions", 1968).
    static let settleTime = 0.1
    /// Who sees each picture for less than two such times moves fast; at that pace it would be half gone when asked for.
    private static let fastSpeed = 1 / (2 * settleTime)
    /// Seconds over which `speed` is averaged: a few key repeats, so that it follows the reader and not each key.
    private static let memory = 1.0
    /// The same for what decides whether to wait: two or three repeats.
    private static let shortMemory = 0.1
    /// Moves count as at least this far apart, in seconds: what a screen shows at once is one move.
    private static let shortest = 0.016

    /// Screens a second in `direction`, averaged.
    private(set) var speed = 0.0
    /// 1 downwards, -1 upwards.
    private(set) var direction = 1
    private var shortSpeed = 0.0
    private var ground: Ground?
    private var row = 0
    private var lastMove: Double?
    private var lastSample: Double?

    /// Takes note that the screen, of so many rows, stands at `row`.
    mutating func observe(row: Int, screen: Int, on ground: Ground, at now: Double) -> Step {
        guard ground == self.ground else {
            self = Travel()
            self.ground = ground
            self.row = row
            return .begun
        }
        guard row != self.row else { return .none }
        lastMove = now
        // Inputs that come in one burst are measured together, with the next one that comes later.
        if let lastSample, now - lastSample < Self.shortest / 2 { return .none }
        let screens = min(1, Double((row - self.row).magnitude) / Double(max(1, screen)))
        let elapsed = max(Self.shortest, lastSample.map { now - $0 } ?? .infinity)
        let isTurn = turn(to: row > self.row ? 1 : -1)
        let latest = screens / elapsed
        speed = Self.average(speed, latest, over: elapsed, memory: Self.memory)
        shortSpeed =
            max(latest, Self.average(shortSpeed, latest, over: elapsed, memory: Self.shortMemory))
        self.row = row
        lastSample = now
        return isTurn ? .turned : .moved
    }

    /// When the reader, who moves fast, will be taken to have stopped; nil who does not.
    func restDue(at now: Double) -> Double? {
        guard shortSpeed > Self.fastSpeed, let lastMove else { return nil }
        let due = lastMove + Self.settleTime
        return due > now ? due : nil
    }

    /// Whoever turns round has stopped: what was fast was the other way.
    private mutating func turn(to direction: Int) -> Bool {
        guard direction != self.direction else { return false }
        self.direction = direction
        speed = 0
        return true
    }

    /// An exponentially weighted moving average of samples that stand for times of different length.
    private static func average(
        _ mean: Double, _ sample: Double, over elapsed: Double, memory: Double
    ) -> Double {
        mean + (sample - mean) * (1 - exp(-elapsed / memory))
    }
}
