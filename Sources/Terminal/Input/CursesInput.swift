import Basics
import Browser
import CNcurses

/// Reads all pending keys and terminal replies without blocking.
@MainActor struct CursesInput {
    private let window: UnsafeMutablePointer<WINDOW>?
    private var decoder = InputDecoder()
    /// Whether the last call stopped before everything was read.
    private(set) var mayHaveMore = false
    private var burst = KeyBurst()
    /// Whether the keys of the last call were typed rather than pasted.
    var isTyped: Bool { burst.isTyped }
    /// When the input was last empty, in seconds of a steady clock; infinity if unknown, for example after another program ran.
    var emptySince = Double.infinity

    /// After this many seconds an incomplete sequence is dropped, even if bytes keep arriving, which may be keys.
    private static let timeout = 0.2
    /// The same limit for a reply, which gets more time as its rest would be taken for keys.
    private static let replyTimeout = 2.0
    /// This many characters at once are not typed, so they extend the wait for a sequence.
    private static let flood = 32
    /// How long the Escape key is held back, in seconds, as a slow line may deliver the rest of a key or a reply apart from it: longer than
    /// most network jitter, and too short to be noticed.
    private static let escapeHold = 0.06

    /// Further keys are handled after a frame: a flood of them must not block drawing.
    private static let maxEvents = 1000
    /// The same limit for characters, which need not produce keys.
    private static let maxCharacters = 100_000

    /// When to call `drain` even without input, to drop an incomplete sequence; nil for never.
    var deadline: Double? { decoder.isWaiting ? decoder.tokenizer.waitingSince + timeout : nil }

    init(window: UnsafeMutablePointer<WINDOW>?) { self.window = window }

    mutating func takeReplies() -> [TerminalReply] {
        defer { decoder.replies = [] }
        return decoder.replies
    }

    /// Returns the events since the last call; `time` is in seconds of a steady clock.
    mutating func drain(at time: Double) -> [InputEvent] {
        let events = read(at: time)
        let keys = events.count { if case .key = $0 { true } else { false } }
        burst.note(keys, at: time, noneBefore: emptySince)
        if !mayHaveMore { emptySince = time }
        return events
    }

    private mutating func read(at time: Double) -> [InputEvent] {
        var events: [InputEvent] = []
        var count = 0
        mayHaveMore = true
        while events.count < Self.maxEvents, count < Self.maxCharacters {
            var character: wint_t = 0
            let status = wget_wch(window, &character)
            if status == KEY_CODE_YES {
                events += decoder.keyCode(Int32(character))
            } else if status == OK, let scalar = Unicode.Scalar(character) {
                events += decoder.character(scalar, at: time)
            } else {
                mayHaveMore = false
                break
            }
            count += 1
        }
        // Reading that much takes a while.
        if count >= Self.flood { decoder.tokenizer.waitingSince = SteadyClock.now }
        if let deadline, deadline <= time { events += decoder.giveUp() }
        return events
    }

    /// How long to wait for the rest of an incomplete sequence, in seconds.
    private var timeout: Double {
        if decoder.isInPaste { return Self.replyTimeout }
        if decoder.tokenizer.hasLoneEscape { return Self.escapeHold }
        return decoder.tokenizer.isInReply && !decoder.tokenizer.isInDoubt
            ? Self.replyTimeout : Self.timeout
    }
}
