/// A clock that a test moves, in seconds.
@MainActor public final class ManualClock {
    /// The time.
    public var now = 0.0
    /// What a reader waits before each key; a second is no hurry.
    public var pause = 1.0

    /// Starts at zero.
    public init() {}
}
