/// A clock that a test advances, in seconds.
@MainActor public final class ManualClock {
    /// The current time.
    public var now = 0.0
    /// The pause before each key; a second is no hurry.
    public var pause = 1.0

    /// Creates a clock at zero.
    public init() {}
}
