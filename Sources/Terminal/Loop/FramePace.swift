/// When frames are drawn and spinners move.
///
/// At most 60 frames a second, what a display shows; but after a pause some may follow each other at once, so that a page and its
/// pictures, which come within milliseconds, need not wait. The last of those is kept for the moment when nothing more is on its way.
///
/// Times are seconds of a steady clock.
struct FramePace {
    /// The frames that may be drawn at once, as of `creditTime`.
    private var credit = mostCredit
    private var creditTime = 0.0
    private var nextTick: Double?
    /// Since when a frame has been due that the terminal could not take.
    private var heldUpSince: Double?

    private static let frameInterval = 0.016
    private static let mostCredit = 3.0
    /// Ten steps a second look alive and cost little.
    private static let tickInterval = 0.1

    mutating func frameDrawn(at now: Double) {
        credit = max(0, credit(at: now) - 1)
        creditTime = now
    }

    /// Whether a frame may be drawn now; `isStreaming` tells that more is about to come in.
    func isFrameDue(at now: Double, isStreaming: Bool) -> Bool {
        // poll counts in milliseconds.
        wait(at: now, isStreaming: isStreaming) < 0.0005
    }

    private func credit(at now: Double) -> Double {
        min(Self.mostCredit, credit + (now - creditTime) / Self.frameInterval)
    }

    private func wait(at now: Double, isStreaming: Bool) -> Double {
        ((isStreaming ? 2 : 1) - credit(at: now)) * Self.frameInterval
    }

    /// A frame is due, but the terminal has not taken all of the last one.
    mutating func frameHeldUp(at now: Double) { heldUpSince = heldUpSince ?? now }

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
        if needsFrame { due = min(due, now + wait(at: now, isStreaming: isAnimating)) }
        if isAnimating { due = min(due, nextTick ?? now) }
        guard due.isFinite || due < now else { return -1 }
        return Int32((max(0, due - now) * 1000).rounded(.up))
    }
}
