/// Tells keys that are pressed by hand from a text that was pasted without marks, and from what was typed ahead for another program.
struct KeyBurst {
    /// A slow line may deliver two or three keys at once that were typed one by one.
    private static let leastPasted = 4
    /// No two keys are pressed by hand in a shorter time, in seconds.
    private static let shortestPress = 0.01
    /// In so many seconds a key hardly anyone types a line.
    private static let fastTyping = 0.04

    private var last = -Double.infinity
    /// How many have come without a pause.
    private var count = 0

    /// Whether the keys noted last came as slowly as people type, or are too few for a text.
    var isTyped: Bool { count < Self.leastPasted }

    /// Notes `keys` that were read at once at `time`, and none of which was there before `start`; in seconds of a steady clock.
    ///
    /// What was typed while the program was busy is read at once.
    mutating func note(_ keys: Int, at time: Double, noneBefore start: Double) {
        guard keys > 0 else { return }
        let isUnhurried = time - start >= Double(keys) * Self.fastTyping
        count = isUnhurried ? 0 : time - last < Self.shortestPress ? count + keys : keys
        last = time
    }
}
