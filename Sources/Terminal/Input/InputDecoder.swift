import Browser

/// Decodes what ncurses reads: recognized keys, characters, and sequences that it passes on in pieces.
///
/// Decodes mouse reports, several of which ncurses would merge, and forms of keys missing from the terminal's description.
/// Terminal replies are collected in `replies`; unknown sequences are dropped.
struct InputDecoder {
    var replies: [TerminalReply] = []
    /// The bytes of the current sequence, without its escape character.
    private(set) var sequence: [UInt8]?
    /// How many of these bytes fit the current reply; later ones may have been typed after a reply that was cut off.
    private var answerLength: Int?
    /// When the sequence began or became doubtful; later bytes do not extend the wait, or keys would.
    var waitingSince = 0.0
    /// The pasted text so far (bracketed paste, mode 2004).
    private var pasted: [Unicode.Scalar]?
    /// Whether the last byte of a string sequence (OSC, DCS, …) was an escape character.
    private var sawEscape = false
    private var clicks = ClickCounter()

    /// Longer than any sequence from a terminal: the rest is discarded, and the whole sequence dropped.
    private static let maxSequence = 4096
    /// More than this before a reply is given up cannot have been typed: it is noise and produces no keys.
    private static let maxTyped = 32
    /// CAN and SUB cancel any sequence (ECMA-48, and every terminal since the VT100).
    private static let cancellers: Set<UInt8> = [0x18, 0x1A]

    /// Longer than anything typed; the rest is dropped.
    private static let maxPaste = 16_384
    private static let pasteEnd = Array("\u{1B}[201~".unicodeScalars)

    var isWaiting: Bool { sequence != nil || isInPaste }

    var isInPaste: Bool { pasted != nil }

    /// Whether only the escape character of a sequence has arrived.
    var hasLoneEscape: Bool { sequence == [] }

    /// Whether the current sequence must be a reply to one of our queries.
    var isInReply: Bool { sequence.map(TerminalReply.isBegun(by:)) ?? false }

    /// Whether a reply has continued with bytes that no reply contains, such as keys or noise.
    var isInDoubt: Bool { answerLength != nil }

    /// Handles a character that arrived at `time`, in seconds of a steady clock.
    mutating func character(_ scalar: Unicode.Scalar, at time: Double) -> [InputEvent] {
        if isInPaste { return extendPaste(with: scalar, at: time) }
        guard let introducer = sequence?.first else { return start(scalar, at: time) }
        guard scalar.isASCII else {
            // A reply may contain any text.
            if !EscapeSequence.isString(introducer) { abandon() }
            if isInReply { String(scalar).utf8.forEach { append($0, at: time) } }
            return []
        }
        let byte = UInt8(scalar.value)
        if EscapeSequence.isString(introducer) { return extendString(with: byte, at: time) }
        return extendControl(with: byte, after: introducer, at: time)
    }

    /// Extends a paste, which only its end marker ends, so that none of it is taken for keys.
    private mutating func extendPaste(with scalar: Unicode.Scalar, at time: Double) -> [InputEvent]
    {
        waitingSince = time
        pasted?.append(scalar)
        guard let text = pasted else { return [] }
        if text.suffix(Self.pasteEnd.count).elementsEqual(Self.pasteEnd) {
            pasted = nil
            let kept = text.dropLast(Self.pasteEnd.count).prefix(Self.maxPaste)
            return [.paste(String(String.UnicodeScalarView(kept)))]
        }
        if text.count > 2 * Self.maxPaste {
            pasted?.removeSubrange(Self.maxPaste..<text.count - Self.pasteEnd.count)
        }
        return []
    }

    mutating func keyCode(_ code: Int32, at time: Double) -> [InputEvent] {
        // Keys without characters cannot be pasted.
        if isInPaste { return [] }
        let pending = giveUp()
        return pending + (KeyTable.event(forCode: code).map { [$0] } ?? [])
    }

    /// Handles a pause: a lone escape character is the key, and half a sequence is dropped.
    ///
    /// String sequences stay open, since replies arrive in several pieces over slow lines.
    mutating func pause() -> [InputEvent] { hasLoneEscape ? giveUp() : [] }

    /// Drops an overdue sequence; returns what was typed after its beginning.
    mutating func giveUp() -> [InputEvent] {
        pasted = nil
        defer { abandon() }
        if hasLoneEscape { return [.key(.escape)] }
        guard let answerLength, let typed = sequence?.dropFirst(answerLength),
            typed.count <= Self.maxTyped
        else { return sawEscape ? [.key(.escape)] : [] }
        return String(decoding: typed, as: UTF8.self).unicodeScalars.compactMap(KeyTable.event)
            + (sawEscape ? [.key(.escape)] : [])
    }

    private mutating func abandon() {
        sequence = nil
        sawEscape = false
        answerLength = nil
    }

    /// Handles a character outside sequences, or the one after an escape character.
    private mutating func start(_ scalar: Unicode.Scalar, at time: Double) -> [InputEvent] {
        guard hasLoneEscape else {
            if scalar.value == 0x1B {
                sequence = []
                waitingSince = time
                return []
            }
            return KeyTable.event(for: scalar).map { [$0] } ?? []
        }
        if scalar.value == 0x1B { return [.key(.escape)] }
        if scalar.isASCII, EscapeSequence.isIntroducer(UInt8(scalar.value)) {
            sequence = [UInt8(scalar.value)]
            sawEscape = false
            return []
        }
        // Escape and the next key in one read, or Alt with a key: treated as two keys, as in vi.
        abandon()
        return [.key(.escape)] + (KeyTable.event(for: scalar).map { [$0] } ?? [])
    }

    private mutating func extendString(with byte: UInt8, at time: Double) -> [InputEvent] {
        if sawEscape, byte != UInt8(ascii: "\\") {
            // Any other sequence cancels the string, as in xterm.
            sawEscape = false
            let typed = giveUp()
            sequence = []
            waitingSince = time
            return typed + start(Unicode.Scalar(byte), at: time)
        }
        if byte == 0x07 || sawEscape {
            endString()
        } else if byte == 0x1B {
            sawEscape = true
        } else if Self.cancellers.contains(byte) {
            return giveUp()
        } else {
            append(byte, at: time)
        }
        return []
    }

    private mutating func endString() {
        defer { abandon() }
        guard let text = sequence, text.count < Self.maxSequence else { return }
        switch text.first {
        case UInt8(ascii: "]"):
            replies += TerminalReply(command: text.dropFirst()).map { [$0] } ?? []
        case UInt8(ascii: "P"):
            replies += TerminalReply(deviceControl: text.dropFirst()).map { [$0] } ?? []
        case UInt8(ascii: "_"):
            replies += TerminalReply(applicationCommand: text.dropFirst()).map { [$0] } ?? []
        default: break
        }
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
        // The final bytes of ECMA-48.
        guard (0x40...0x7E).contains(byte) else {
            append(byte, at: time)
            return []
        }
        let body = sequence ?? []
        abandon()
        guard body.count < Self.maxSequence else { return [] }
        if introducer == UInt8(ascii: "["),
            let reply = TerminalReply(control: body.dropFirst(), final: byte)
        {
            replies.append(reply)
            return []
        }
        if body.elementsEqual("[200".utf8), byte == UInt8(ascii: "~") {
            pasted = []
            waitingSince = time
            return []
        }
        return EscapeSequence.event(body, final: byte, clicks: &clicks, at: time).map { [$0] } ?? []
    }

    private mutating func append(_ byte: UInt8, at time: Double) {
        guard let begun = sequence, begun.count < Self.maxSequence else { return }
        if answerLength == nil, TerminalReply.isBegun(by: begun),
            !TerminalReply.canHold(byte, after: begun)
        {
            answerLength = begun.count
            waitingSince = time
        }
        sequence?.append(byte)
    }
}
