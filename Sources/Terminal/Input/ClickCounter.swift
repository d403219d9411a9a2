import Browser

/// Tells a double click from two clicks.
struct ClickCounter {
    private var last: (x: Int, y: Int, time: Double)?

    /// In seconds; what desktops use.
    private static let longestInterval = 0.4

    /// The event for a press of the first button at `time`, in seconds.
    mutating func click(x: Int, y: Int, at time: Double) -> InputEvent {
        if let first = last, first.x == x, first.y == y, time - first.time <= Self.longestInterval {
            // A third click begins anew.
            last = nil
            return .doubleClick(x: x, y: y)
        }
        last = (x, y, time)
        return .click(x: x, y: y)
    }
}
