/// How urgently a result is needed; a job has the priority of its most urgent subscriber.
///
/// Consists of a level and, within it, the distance from the user's focus: a screen of pictures fills from the selected one outwards, and
/// the screen after it from its first row on. Compared as one number, so every queue can use it as a key.
public struct Priority: Comparable, Hashable, Sendable {
    /// The reason a result is needed; everything of a higher level goes before everything of a lower one.
    public enum Level: Int, Comparable, CaseIterable, Sendable {
        /// Only when there is nothing else to do.
        case idle
        /// About to become visible.
        case prefetch
        /// On the screen.
        case visible
        /// The user's focus: the selection, the viewer, a page.
        case urgent

        /// Less urgent comes first.
        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// Larger distances are treated as this one; no prefetch window reaches that many rows.
    static let farthest = 0xFFFF

    /// The level in the high bits, the nearness in the low ones: `level << 16 | farthest - distance`.
    private let rank: Int32

    /// Creates a priority of `level`, at `distance` from the focus in any unit its subscribers share; 0 is the nearest.
    public init(_ level: Level, distance: Int = 0) {
        let nearness = Self.farthest - min(max(0, distance), Self.farthest)
        rank = Int32(level.rawValue << 16 | nearness)
    }

    /// The reason the result is needed.
    public var level: Level { Level(rawValue: Int(rank >> 16)) ?? .idle }

    /// The distance from the focus of its level.
    public var distance: Int { Self.farthest - Int(rank) & Self.farthest }

    /// Only when there is nothing else to do.
    public static let idle = Priority(.idle)
    /// About to become visible.
    public static let prefetch = Priority(.prefetch)
    /// On the screen.
    public static let visible = Priority(.visible)
    /// The user's focus: the selection, the viewer, a page.
    public static let urgent = Priority(.urgent)

    /// Less urgent comes first.
    public static func < (left: Priority, right: Priority) -> Bool { left.rank < right.rank }
}
