/// The timing of the slideshow.
struct Slideshow {
    /// The time that each picture is shown.
    private(set) var seconds = 5
    /// Ticks until the next picture, ten per second; nil if no slideshow is running.
    private var ticks: Int?

    var isRunning: Bool { ticks != nil }

    /// Starts over; nil keeps the previous duration.
    mutating func start(seconds: Int?) {
        self.seconds = seconds.map { min($0, 86_400) } ?? self.seconds
        ticks = 10 * self.seconds
    }

    mutating func stop() { ticks = nil }

    /// Counts a tick and returns whether to show the next picture; waits until the current one is shown.
    mutating func tick(isShown: Bool) -> Bool {
        guard let left = ticks else { return false }
        let isOver = left <= 1 && isShown
        ticks = isOver ? 10 * seconds : max(1, left - 1)
        return isOver
    }
}
