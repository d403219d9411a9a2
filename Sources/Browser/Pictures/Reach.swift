/// How far ahead of the screen pictures are asked for.
///
/// By Little's law (J. D. C. Little, "A proof for the queuing formula L = λW", Operations Research 9, 1961): if pictures
/// come into view at λ a second and each takes W seconds to fetch and draw, then λ · W of them must be on their way at
/// any moment for none to be late. The reader's speed v in screens a second and the p pictures of a screen make
/// λ = v · p, so the pictures under way are v · W screens of p pictures each, and so far ahead the window reaches.
///
/// Bounds: at least a screen, as people page; at most four, or so many pictures and bytes that what is fetched for
/// nothing when the reader turns round stays small. Where the reader is faster than the line no window helps; the bounds
/// then keep the line from being spent on what will have been passed.
struct Reach: Equatable {
    /// What it is worked out from.
    struct Measures: Equatable {
        /// Screens a second.
        var speed: Double
        /// Seconds that a picture takes.
        var latency: Double
        /// The pictures of a screen.
        var picturesPerScreen: Int
        /// The mean size of a file; zero where it is not known.
        var bytesPerPicture: Int
    }

    /// Screens ahead.
    private(set) var screens = least

    /// One page.
    private static let least = 1.0
    /// Further ahead than this readers turn round, open a picture or leave more often than they get there.
    private static let most = 4.0
    /// A third of the 1,300 tiles that are kept reduced in memory: those seen and those behind need theirs.
    private static let mostPictures = 400.0
    /// So much may be fetched for nothing beyond the first screen, in bytes: 13 seconds of a 10 Mbit/s line.
    private static let mostBytes = 16e6
    /// The window changes in half screens, and gives up ground only when it is this much too large: a speed that
    /// wavers must not cancel in one frame what was asked for in the one before.
    private static let step = 0.5
    private static let tolerance = 0.6

    /// Works it out anew after a move; true if it has changed.
    mutating func adapt(to measures: Measures) -> Bool {
        let before = screens
        let needed = Self.bounded(measures)
        if needed > screens || needed < screens * Self.tolerance {
            screens = needed
        }
        return screens != before
    }

    private static func bounded(_ measures: Measures) -> Double {
        let pictures = Double(max(1, measures.picturesPerScreen))
        let bytes = pictures * Double(measures.bytesPerPicture)
        let affordable = bytes > 0 ? mostBytes / bytes : most
        let highest = max(least, min(most, mostPictures / pictures, affordable))
        let needed = measures.speed * measures.latency
        return min(max(least, (needed / step).rounded(.up) * step), highest)
    }

    /// For a trace.
    func reason(_ measures: Measures) -> String {
        let pictures = measures.speed * Double(measures.picturesPerScreen)
        return "\(screens) screens: \(Int(pictures.rounded())) pictures/s x "
            + "\(Int((measures.latency * 1000).rounded())) ms, \(measures.bytesPerPicture) bytes each"
    }
}
