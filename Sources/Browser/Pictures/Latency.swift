/// How long a picture takes from asking to being there, in seconds: smoothed mean and mean deviation.
///
/// The estimator of TCP's round trips: V. Jacobson, "Congestion avoidance and control", 1988; RFC 6298, section 2.
struct Latency {
    private var mean: Double?
    private var deviation = 0.0

    /// Most pictures take no longer than this: two mean deviations above the mean; zero before the first one.
    var expected: Double { (mean ?? 0) + 2 * deviation }

    /// Takes a picture into account that took `seconds`.
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
