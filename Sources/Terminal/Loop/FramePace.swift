/// When frames are drawn and spinners move.
///
/// Times are seconds of a steady clock.
struct FramePace {
    private var lastFrame = -Double.infinity
    private var nextTick: Double?
    /// Since when a frame has been due that the terminal could not take.
    private var heldUpSince: Double?

    /// At most 60 frames a second: what a display shows.
    ///
    /// After a pause the next one is due at once.
    private static let frameInterval = 0.016
    /// Ten steps a second look alive and cost little.
    private static let tickInterval = 0.1

    /// A frame has just been drawn.
    mutating func frameDrawn(at now: Double) {
        lastFrame = now
    }

    /// Whether the last frame is long enough ago.
    func isFrameDue(at now: Double) -> Bool {
        now - lastFrame >= Self.frameInterval
    }

    /// A frame is due, but the terminal has not taken all of the last one.
    mutating func frameHeldUp(at now: Double) {
        heldUpSince = heldUpSince ?? now
    }

    /// How many frames the terminal has missed by `now`, when it takes one again: as many as there was time for.
    mutating func takeDroppedFrames(at now: Double) -> Int {
        guard let since = heldUpSince else { return 0 }
        heldUpSince = nil
        return 1 + Int(max(0, now - since) / Self.frameInterval)
    }

    /// Whether the spinners have to move now; keeps time for the next step.
    mutating func isTickDue(at now: Double, isAnimating: Bool) -> Bool {
        guard isAnimating else {
            nextTick = nil
            return false
        }
        guard let due = nextTick, due <= now else {
            nextTick = nextTick ?? now + Self.tickInterval
            return false
        }
        nextTick = now + Self.tickInterval
        return true
    }

    /// How long to wait for events, in milliseconds as `poll` takes them, at most until `deadline`; -1 for ever.
    func timeout(
        at now: Double, needsFrame: Bool, isAnimating: Bool, deadline: Double? = nil
    ) -> Int32 {
        var due = deadline ?? .infinity
        if needsFrame {
            due = min(due, lastFrame + Self.frameInterval)
        }
        if isAnimating {
            due = min(due, nextTick ?? now)
        }
        guard due.isFinite || due < now else { return -1 }
        return Int32((max(0, due - now) * 1000).rounded(.up))
    }
}
