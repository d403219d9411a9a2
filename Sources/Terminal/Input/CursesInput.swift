import Browser
import CNcurses

/// Reads everything the user has typed so far, without waiting.
@MainActor struct CursesInput {
    private var decoder = InputDecoder()
    private var lastByte = 0.0
    /// Whether the last call stopped before everything was read.
    private(set) var mayHaveMore = false

    /// After this many seconds without a byte, half a sequence is given up.
    private static let patience = 0.2

    /// Keys left unread are answered after a frame: a flood of them must not keep the screen from being drawn.
    private static let mostEvents = 1000

    /// The events since the last call, at `time` in seconds of a steady clock.
    mutating func drain(at time: Double) -> [InputEvent] {
        if decoder.isWaiting, time - lastByte > Self.patience {
            decoder.abandon()
        }
        var events: [InputEvent] = []
        while events.count < Self.mostEvents {
            var character: wint_t = 0
            let status = get_wch(&character)
            if status == KEY_CODE_YES {
                events += decoder.keyCode(Int32(character), at: time)
            } else if status == OK, let scalar = Unicode.Scalar(character) {
                events += decoder.character(scalar, at: time)
            } else {
                break
            }
            lastByte = time
        }
        mayHaveMore = events.count >= Self.mostEvents
        return events + decoder.pause()
    }
}
