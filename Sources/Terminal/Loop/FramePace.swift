/// The timing of frames and spinners.
///
/// At most 60 frames per second, a display's rate; but after a pause a few may follow each other at once, so that a page and its
/// pictures, arriving within milliseconds, need not wait. The last of these is saved for when nothing more is expected.
///
/// Times are in seconds of a steady clock.
struct FramePace {
    /// The number of frames that may be drawn at once, as of `creditTime`.
    private var credit = maxCredit
    private var creditTime = 0.0
    private var nextTick: Double?
    /// Since when a frame has been waiting for the terminal.
    private var heldUpSince: Double?

    private static let frameInterval = 0.016
    private static let maxCredit = 3.0
    /// Ten steps per second look lively and cost little.
    private static let tickInterval = 0.1

    mutating func frameDrawn(at now: Double) {
        credit = max(0, credit(at: now) - 1)
        creditTime = now
    }

    /// Returns whether a frame may be drawn now; `isStreaming` means that more results are expected soon.
    func isFrameDue(at now: Double, isStreaming: Bool) -> Bool {
        // The resolution of `poll` is a millisecond.
        wait(at: now, isStreaming: isStreaming) < 0.0005
    }

    private func credit(at now: Double) -> Double {
        min(Self.maxCredit, credit + (now - creditTime) / Self.frameInterval)
    }

    private func wait(at now: Double, isStreaming: Bool) -> Double {
        ((isStreaming ? 2 : 1) - credit(at: now)) * Self.frameInterval
    }

    /// Records that a frame is due while the terminal is still accepting the last one.
    mutating func frameHeldUp(at now: Double) { heldUpSince = heldUpSince ?? now }

    /// Returns how many frames there was time for while the terminal was busy.
    mutating func takeDroppedFrames(at now: Double) -> Int {
        guard let since = heldUpSince else { return 0 }
        heldUpSince = nil
        return 1 + Int(max(0, now - since) / Self.frameInterval)
    }

    /// Returns whether the spinners have to advance now, and schedules the next step.
    mutating func isTickDue(at now: Double, isAnimating: Bool) -> Bool {
        let isDue = isAnimating && nextTick ?? .infinity <= now
        if isDue || !isAnimating { nextTick = nil }
        if isAnimating { nextTick = nextTick ?? now + Self.tickInterval }
        return isDue
    }

    /// Returns how long to wait for events, in milliseconds for `poll`, at most until `deadline`; -1 for no limit.
    func timeout(
        at now: Double, needsFrame: Bool, isAnimating: Bool, deadline: Double? = nil
    ) -> Int32 {
        var due = deadline ?? .infinity
        if needsFrame { due = min(due, now + wait(at: now, isStreaming: isAnimating)) }
        if isAnimating { due = min(due, nextTick ?? now) }
        guard due < .infinity else { return -1 }
        return Int32((max(0, due - now) * 1000).rounded(.up))
    }
}
