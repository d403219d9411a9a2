/// When the slideshow turns to the next picture.
struct Slideshow {
    /// How long each picture is seen.
    private(set) var seconds = 5
    /// Ticks until the next picture, ten a second; nil while there is no slideshow.
    private var ticks: Int?

    var isRunning: Bool { ticks != nil }

    /// Begins anew; without `seconds` as slowly as the last time.
    mutating func start(seconds: Int?) {
        self.seconds = seconds.map { min($0, 86_400) } ?? self.seconds
        ticks = 10 * self.seconds
    }

    mutating func stop() { ticks = nil }

    /// Counts a tick, and tells whether the time of the picture is over; one still on its way is waited for, so that each is seen.
    mutating func tick(isShown: Bool) -> Bool {
        guard let left = ticks else { return false }
        let isOver = left <= 1 && isShown
        ticks = isOver ? 10 * seconds : max(1, left - 1)
        return isOver
    }
}
