/// The distance of the prefetch ahead of the screen.
///
/// By Little's law (J. D. C. Little, "A proof for the queuing formula L = λW", Operations Research 9, 1961): if v screens per
/// second come into view and a picture takes W seconds to fetch and draw, v · W screens of pictures must be in flight at any
/// moment for none to be late.
///
/// At least one screen, as people page; limited so that little is fetched in vain when the user turns around or scrolls faster
/// than the connection.
struct PrefetchDistance: Equatable {
    struct Measures {
        /// Screens per second.
        var speed: Double
        /// The time to load a picture, in seconds.
        var latency: Double
        var picturesPerScreen: Int
        /// The mean file size; zero if unknown.
        var bytesPerPicture: Int
    }

    private(set) var screens = least

    private static let least = 1.0
    /// Users turn around, open a picture or leave before they get further than this.
    private static let most = 4.0
    /// Two thirds of the 600 reduced tiles kept in memory; the visible ones and those behind need the rest.
    private static let maxPictures = 400.0
    /// The bytes that may be fetched in vain beyond the first screen: 13 seconds on a 10 Mbit/s connection.
    private static let maxBytes = 16e6
    /// The distance changes in half screens, and shrinks only when it is this much too large, so that a fluctuating speed does not
    /// cancel what was just requested.
    private static let step = 0.5
    private static let tolerance = 0.6

    /// Adapts the distance after a move; returns whether it has changed.
    mutating func adapt(to measures: Measures) -> Bool {
        let before = screens
        let needed = Self.bounded(measures)
        if needed > screens || needed < screens * Self.tolerance { screens = needed }
        return screens != before
    }

    private static func bounded(_ measures: Measures) -> Double {
        let pictures = Double(max(1, measures.picturesPerScreen))
        let bytes = pictures * Double(measures.bytesPerPicture)
        let affordable = bytes > 0 ? maxBytes / bytes : most
        let highest = max(least, min(most, maxPictures / pictures, affordable))
        let needed = measures.speed * measures.latency
        return min(max(least, (needed / step).rounded(.up) * step), highest)
    }

    func reason(_ measures: Measures) -> String {
        let pictures = measures.speed * Double(measures.picturesPerScreen)
        return "\(screens) screens: \(Int(pictures.rounded())) pictures/s x "
            + "\(Int((measures.latency * 1000).rounded())) ms, \(measures.bytesPerPicture) bytes each"
    }
}

/// The smoothed mean and mean deviation of the time to load a picture, in seconds.
///
/// The estimator for TCP round-trip times: V. Jacobson, "Congestion avoidance and control", 1988; RFC 6298, section 2.
struct Latency {
    private var mean: Double?
    private var deviation = 0.0

    /// An upper bound for most pictures: two mean deviations above the mean; zero before the first sample.
    var expected: Double { (mean ?? 0) + 2 * deviation }

    mutating func record(_ seconds: Double) {
        guard let mean else {
            mean = seconds
            deviation = seconds / 2
            return
        }
        deviation += (abs(seconds - mean) - deviation) / 4
        self.mean = mean + (seconds - mean) / 8
    }
}
