/// How urgently somebody wants a result; a job has that of its most urgent asker.
public enum Priority: Int, Comparable, CaseIterable, Sendable {
    /// When nothing else is to do.
    case idle
    /// Soon to be seen.
    case prefetch
    /// On the screen.
    case visible
    /// What the reader looks at: the selection, the viewer, a page.
    case urgent

    /// Less urgent comes first.
    public static func < (left: Priority, right: Priority) -> Bool {
        left.rawValue < right.rawValue
    }
}
