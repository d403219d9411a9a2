import Glibc

/// The one clock for durations: CLOCK_MONOTONIC, never set back, the same in all processes of the machine; usable from any thread.
public enum SteadyClock {
    /// Returns the nanoseconds since an unspecified moment in the past.
    @Sendable public static func nanoseconds() -> UInt64 { UInt64(reading(of: CLOCK_MONOTONIC)) }

    /// Seconds since an unspecified moment in the past.
    public static var now: Double { Double(nanoseconds()) * 1e-9 }
}

/// Tells seconds since some moment, on any thread; a parameter, so that tests can set the time.
public typealias SecondsClock = @Sendable () -> Double

/// Measures the microseconds since its creation.
public struct Stopwatch: Sendable {
    private let start = SteadyClock.nanoseconds()

    /// Starts measuring.
    public init() {}

    /// The microseconds since then.
    public var microseconds: Int { Int((SteadyClock.nanoseconds() - start) / 1000) }
}
