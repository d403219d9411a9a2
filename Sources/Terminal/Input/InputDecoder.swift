import Browser

/// Makes events of what ncurses reads: keys it knows, characters, and sequences it passes on in pieces.
///
/// Mouse reports, which ncurses would merge when several come at once, are read here, and so are keys in a form the
/// terminal's description does not list. Answers of the terminal are kept in `replies`; unknown sequences vanish:
/// they are no keys.
struct InputDecoder {
    /// Answers that have come; whoever takes them empties it.
    var replies: [TerminalReply] = []
    /// The bytes of a sequence under way, without its escape character.
    private(set) var sequence: [UInt8]?
    /// Inside a string sequence (OSC, DCS, …), whether its last byte was an escape character.
    private var sawEscape = false
    private var clicks = ClickCounter()

    /// Longer sequences than any terminal sends: what follows is swallowed up to the end, and the whole dropped.
    private static let longestSequence = 4096
    /// CAN and SUB cut any sequence off (ECMA-48, and every terminal since the VT100).
    private static let cancellers: Set<UInt8> = [0x18, 0x1A]

    /// Whether a sequence has begun and not ended.
    var isWaiting: Bool { sequence != nil }

    /// Whether nothing but the escape character of a sequence has come.
    var hasLoneEscape: Bool { sequence == [] }

    /// Whether the sequence under way can only be an answer to what the terminal was asked.
    var isInReply: Bool { sequence.map(TerminalReply.isBegun(by:)) ?? false }

    /// A character arrived at `time` (seconds of any steady clock).
    mutating func character(_ scalar: Unicode.Scalar, at time: Double) -> [InputEvent] {
        guard let introducer = sequence?.first else {
            return start(scalar, at: time)
        }
        guard scalar.isASCII else {
            // An answer may hold any text.
            if !EscapeSequence.isString(introducer) { abandon() }
            return []
        }
        let byte = UInt8(scalar.value)
        if EscapeSequence.isString(introducer) {
            return extendString(with: byte, at: time)
        }
        return extendControl(with: byte, after: introducer, at: time)
    }

    /// ncurses recognised the key with this code.
    mutating func keyCode(_ code: Int32, at time: Double) -> [InputEvent] {
        let pending = flush()
        return pending + (KeyTable.event(forCode: code).map { [$0] } ?? [])
    }

    /// Nothing more came: a lone escape character is the key, half a sequence is dropped.
    ///
    /// String sequences stay open: their answers come over slow lines in several pieces.
    mutating func pause() -> [InputEvent] {
        hasLoneEscape ? flush() : []
    }

    /// The rest of a sequence is long overdue.
    mutating func abandon() {
        sequence = nil
        sawEscape = false
    }

    private mutating func flush() -> [InputEvent] {
        defer { abandon() }
        return hasLoneEscape ? [.key(.escape)] : []
    }

    /// A character outside of sequences, or the one after an escape character.
    private mutating func start(_ scalar: Unicode.Scalar, at time: Double) -> [InputEvent] {
        guard hasLoneEscape else {
            if scalar.value == 0x1B {
                sequence = []
                return []
            }
            return KeyTable.event(for: scalar).map { [$0] } ?? []
        }
        if scalar.value == 0x1B {
            return [.key(.escape)]
        }
        if scalar.isASCII, EscapeSequence.isIntroducer(UInt8(scalar.value)) {
            sequence = [UInt8(scalar.value)]
            sawEscape = false
            return []
        }
        // Escape and the next key in one read, or Alt with a key: both keys, as vi takes it.
        abandon()
        return [.key(.escape)] + (KeyTable.event(for: scalar).map { [$0] } ?? [])
    }

    private mutating func extendString(with byte: UInt8, at time: Double) -> [InputEvent] {
        if sawEscape, byte != UInt8(ascii: "\\") {
            // Any other sequence cuts the string off, as xterm does it.
            endString()
            sequence = []
            return start(Unicode.Scalar(byte), at: time)
        }
        if byte == 0x07 || sawEscape {
            endString()
        } else if byte == 0x1B {
            sawEscape = true
        } else if Self.cancellers.contains(byte) {
            abandon()
        } else {
            append(byte)
        }
        return []
    }

    private mutating func endString() {
        if let text = sequence, text.first == UInt8(ascii: "]"), text.count < Self.longestSequence,
            let reply = TerminalReply(command: text.dropFirst())
        {
            replies.append(reply)
        }
        abandon()
    }

    private mutating func extendControl(
        with byte: UInt8, after introducer: UInt8, at time: Double
    ) -> [InputEvent] {
        if byte == 0x1B {
            sequence = []
            return []
        }
        if Self.cancellers.contains(byte) {
            abandon()
            return []
        }
        guard EscapeSequence.isFinal(byte, after: introducer) else {
            append(byte)
            return []
        }
        let body = sequence ?? []
        abandon()
        guard body.count < Self.longestSequence else { return [] }
        if introducer == UInt8(ascii: "["),
            let reply = TerminalReply(control: body.dropFirst(), final: byte)
        {
            replies.append(reply)
            return []
        }
        return EscapeSequence.event(body, final: byte, clicks: &clicks, at: time).map { [$0] } ?? []
    }

    private mutating func append(_ byte: UInt8) {
        guard let count = sequence?.count, count < Self.longestSequence else { return }
        sequence?.append(byte)
    }
}
