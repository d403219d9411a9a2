import Glibc

/// Time that only moves forward.
public enum SteadyClock {
    /// Seconds since some moment in the past; any thread.
    @Sendable public static func read() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    /// Seconds since some moment in the past; any thread.
    public static var now: Double { read() }
}
