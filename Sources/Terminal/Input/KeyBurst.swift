/// Distinguishes typed keys from text pasted without markers and from input typed ahead for another program.
struct KeyBurst {
    /// A slow line may deliver two or three typed keys at once.
    private static let minPasted = 4
    /// The shortest time between two typed keys, in seconds.
    private static let shortestPress = 0.01
    /// The time per key, in seconds, that hardly anyone undercuts for a whole line.
    private static let fastTyping = 0.04

    private var last = -Double.infinity
    /// The number of keys received without a pause.
    private var count = 0

    /// Whether the last keys came as slowly as typing, or are too few for a text.
    var isTyped: Bool { count < Self.minPasted }

    /// Records `keys` read at once at `time`, none of which was available before `start`; both in seconds of a steady clock.
    ///
    /// Keys typed while the program was busy are also read at once.
    mutating func note(_ keys: Int, at time: Double, noneBefore start: Double) {
        guard keys > 0 else { return }
        let isUnhurried = time - start >= Double(keys) * Self.fastTyping
        count = isUnhurried ? 0 : time - last < Self.shortestPress ? count + keys : keys
        last = time
    }
}
