/// How urgently a result is wanted; a job has the priority of its most urgent subscriber.
///
/// A level, and within it how near the thing is to what the user looks at: a screen of pictures fills from the selected one outwards, and
/// the screen after it from its first row on. Compared as one number, so every queue can keep it as a key.
public struct Priority: Comparable, Hashable, Sendable {
    /// The reason why it is wanted; any of a higher level goes before all of a lower one.
    public enum Level: Int, Comparable, CaseIterable, Sendable {
        /// When nothing else is to do.
        case idle
        /// Soon to be seen.
        case prefetch
        /// On the screen.
        case visible
        /// What the user looks at: the selection, the viewer, a page.
        case urgent

        /// Less urgent comes first.
        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// The largest distance that is told from a larger one: a gallery of this many rows lies within reach of no window.
    public static let farthest = 0xFFFF

    /// The level above, the nearness below: `level << 16 | farthest - distance`.
    private let rank: Int32

    /// The priority of that level, `distance` from what matters most in it, in any unit that its subscribers share; 0 is the nearest.
    public init(_ level: Level, distance: Int = 0) {
        let nearness = Self.farthest - min(max(0, distance), Self.farthest)
        rank = Int32(level.rawValue << 16 | nearness)
    }

    /// The reason why it is wanted.
    public var level: Level { Level(rawValue: Int(rank >> 16)) ?? .idle }

    /// How far it is from what matters most in its level.
    public var distance: Int { Self.farthest - Int(rank) & Self.farthest }

    /// When nothing else is to do.
    public static let idle = Priority(.idle)
    /// Soon to be seen.
    public static let prefetch = Priority(.prefetch)
    /// On the screen.
    public static let visible = Priority(.visible)
    /// What the user looks at: the selection, the viewer, a page.
    public static let urgent = Priority(.urgent)

    /// Less urgent comes first.
    public static func < (left: Priority, right: Priority) -> Bool { left.rank < right.rank }
}
