import Synchronization

/// A clock that a test advances, in seconds.
@MainActor public final class ManualClock {
    /// The current time.
    public var now = 0.0
    /// The pause before each key; a second is no hurry.
    public var pause = 1.0

    /// Creates a clock at zero.
    public init() {}
}

/// Returns a clock by which `step` seconds pass from each look at it to the next.
public func steppingClock(_ step: Double) -> @Sendable () -> Double {
    let time = SteppingTime()
    return { Double(time.looks.add(1, ordering: .relaxed).newValue) * step }
}

private final class SteppingTime: Sendable {
    let looks = Atomic(0)
}
