import Basics
import Browser
import CNcurses
import Pipeline

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
    /// How long the Escape key is held back while replies are expected, in seconds: longer than network jitter, short enough
    /// for a key that is hardly pressed in the first moments.
    private static let escapeHold = 0.1

    /// Further keys are handled after a frame: a flood of them must not block drawing.
    private static let maxEvents = 1000
    /// The same limit for characters, which need not produce keys.
    private static let maxCharacters = 100_000

    /// When to call `drain` even without input, to drop an incomplete sequence; nil for never.
    var deadline: Double? { decoder.isWaiting ? decoder.waitingSince + timeout : nil }

    init(window: UnsafeMutablePointer<WINDOW>?) { self.window = window }

    mutating func takeReplies() -> [TerminalReply] {
        defer { decoder.replies = [] }
        return decoder.replies
    }

    /// Returns the events since the last call; `time` is in seconds of a steady clock.
    ///
    /// With `expectsReplies`, a lone escape character may be the start of a reply.
    mutating func drain(at time: Double, expectsReplies: Bool = false) -> [InputEvent] {
        let events = read(at: time, expectsReplies: expectsReplies)
        let keys = events.count { if case .key = $0 { true } else { false } }
        burst.note(keys, at: time, noneBefore: emptySince)
        if !mayHaveMore { emptySince = time }
        return events
    }

    private mutating func read(at time: Double, expectsReplies: Bool) -> [InputEvent] {
        var events: [InputEvent] = []
        var count = 0
        while events.count < Self.maxEvents, count < Self.maxCharacters {
            var character: wint_t = 0
            let status = wget_wch(window, &character)
            if status == KEY_CODE_YES {
                events += decoder.keyCode(Int32(character), at: time)
            } else if status == OK, let scalar = Unicode.Scalar(character) {
                events += decoder.character(scalar, at: time)
            } else {
                break
            }
            count += 1
        }
        mayHaveMore = events.count >= Self.maxEvents || count >= Self.maxCharacters
        // Reading that much takes a while.
        if count >= Self.flood { decoder.waitingSince = SteadyClock.now }
        let isOverdue = decoder.isWaiting && time - decoder.waitingSince >= timeout
        if decoder.hasLoneEscape {
            return expectsReplies && !isOverdue ? events : events + decoder.pause()
        }
        return isOverdue ? events + decoder.giveUp() : events
    }

    /// How long to wait for the rest of an incomplete sequence, in seconds.
    private var timeout: Double {
        if decoder.isInPaste { return Self.replyTimeout }
        if decoder.hasLoneEscape { return Self.escapeHold }
        return decoder.isInReply && !decoder.isInDoubt ? Self.replyTimeout : Self.timeout
    }
}

enum KeyTable {
    /// `KEY_F0`, which takes an argument in C and is not imported.
    private static let functionBase: Int32 = 0o410

    /// Returns the key that types `scalar`; nil if none does.
    static func event(for scalar: Unicode.Scalar) -> InputEvent? {
        switch scalar.value {
        case 0x08, 0x7F: .key(.backspace)
        case 0x09: .key(.tab)
        case 0x0A, 0x0D: .key(.enter)
        case 0x1B: .key(.escape)
        case 0x01...0x1A:
            .key(.control(Unicode.Scalar(UInt8(scalar.value) + UInt8(ascii: "a") - 1)))
        case 0..<0x20, 0x80..<0xA0: nil
        default: .key(.character(scalar))
        }
    }

    /// Returns the key recognized by ncurses; nil for keys that are not used.
    static func event(forCode code: Int32) -> InputEvent? {
        if code > functionBase, code <= functionBase + 63 {
            return .key(.function(Int(code - functionBase)))
        }
        return named[code].map { .key($0) }
    }

    private static let named: [Int32: Key] = [
        KEY_UP: .up, KEY_DOWN: .down, KEY_LEFT: .left, KEY_RIGHT: .right,
        KEY_PPAGE: .pageUp, KEY_NPAGE: .pageDown, KEY_HOME: .home, KEY_END: .end,
        KEY_A1: .home, KEY_A3: .pageUp, KEY_C1: .end, KEY_C3: .pageDown,
        KEY_ENTER: .enter, KEY_BTAB: .backTab, KEY_BACKSPACE: .backspace, KEY_DC: .delete,
        // With Shift.
        KEY_SR: .up, KEY_SF: .down, KEY_SLEFT: .left, KEY_SRIGHT: .right,
        KEY_SHOME: .home, KEY_SEND: .end, KEY_SPREVIOUS: .pageUp, KEY_SNEXT: .pageDown,
    ]
}
