import Browser

/// Makes events of what ncurses reads: keys it knows, characters, and sequences it passes on in pieces.
///
/// Mouse reports, which ncurses would merge when several come at once, are read here, and so are keys in a form the terminal's description
/// does not list. Answers of the terminal are kept in `replies`; unknown sequences vanish: they are no keys.
struct InputDecoder {
    var replies: [TerminalReply] = []
    /// The bytes of a sequence under way, without its escape character.
    private(set) var sequence: [UInt8]?
    /// How many of them the answer that was begun can hold; what follows may have been typed after an answer that was cut off.
    private var answerLength: Int?
    /// When it began, or came into doubt; what comes later does not keep it open, or keys would.
    var waitingSince = 0.0
    /// What has been pasted so far, between its two marks (mode 2004).
    private var pasted: [Unicode.Scalar]?
    /// Inside a string sequence (OSC, DCS, …), whether its last byte was an escape character.
    private var sawEscape = false
    private var clicks = ClickCounter()

    /// Longer sequences than any terminal sends: what follows is swallowed up to the end, and the whole dropped.
    private static let longestSequence = 4096
    /// More than this in the moment before an answer is given up is not typed: rubbish, which presses no key.
    private static let mostTyped = 32
    /// CAN and SUB cut any sequence off (ECMA-48, and every terminal since the VT100).
    private static let cancellers: Set<UInt8> = [0x18, 0x1A]

    /// More than anything that is typed; the rest is dropped.
    private static let longestPaste = 16_384
    private static let pasteEnd = Array("\u{1B}[201~".unicodeScalars)

    var isWaiting: Bool { sequence != nil || isInPaste }

    var isInPaste: Bool { pasted != nil }

    /// Whether nothing but the escape character of a sequence has come.
    var hasLoneEscape: Bool { sequence == [] }

    /// Whether the sequence under way can only be an answer to what the terminal was asked.
    var isInReply: Bool { sequence.map(TerminalReply.isBegun(by:)) ?? false }

    /// Whether an answer has begun and goes on with what no answer holds: keys, or rubbish.
    var isInDoubt: Bool { answerLength != nil }

    /// A character arrived at `time` (seconds of any steady clock).
    mutating func character(_ scalar: Unicode.Scalar, at time: Double) -> [InputEvent] {
        if isInPaste { return extendPaste(with: scalar, at: time) }
        guard let introducer = sequence?.first else { return start(scalar, at: time) }
        guard scalar.isASCII else {
            // An answer may hold any text.
            if !EscapeSequence.isString(introducer) { abandon() }
            if isInReply { String(scalar).utf8.forEach { append($0, at: time) } }
            return []
        }
        let byte = UInt8(scalar.value)
        if EscapeSequence.isString(introducer) { return extendString(with: byte, at: time) }
        return extendControl(with: byte, after: introducer, at: time)
    }

    /// Only the mark at its end ends it, so that no key can be in it.
    private mutating func extendPaste(with scalar: Unicode.Scalar, at time: Double) -> [InputEvent]
    {
        waitingSince = time
        pasted?.append(scalar)
        guard let text = pasted else { return [] }
        if text.suffix(Self.pasteEnd.count).elementsEqual(Self.pasteEnd) {
            pasted = nil
            let kept = text.dropLast(Self.pasteEnd.count).prefix(Self.longestPaste)
            return [.paste(String(String.UnicodeScalarView(kept)))]
        }
        if text.count > 2 * Self.longestPaste {
            pasted?.removeSubrange(Self.longestPaste..<text.count - Self.pasteEnd.count)
        }
        return []
    }

    mutating func keyCode(_ code: Int32, at time: Double) -> [InputEvent] {
        // Keys of a terminal cannot be pasted; what looks like one is dropped.
        if isInPaste { return [] }
        let pending = giveUp()
        return pending + (KeyTable.event(forCode: code).map { [$0] } ?? [])
    }

    /// Nothing more came: a lone escape character is the key, half a sequence is dropped.
    ///
    /// String sequences stay open: their answers come over slow lines in several pieces.
    mutating func pause() -> [InputEvent] { hasLoneEscape ? giveUp() : [] }

    /// The rest of a sequence is long overdue: gives back what was typed after its beginning.
    mutating func giveUp() -> [InputEvent] {
        pasted = nil
        defer { abandon() }
        if hasLoneEscape { return [.key(.escape)] }
        guard let answerLength, let typed = sequence?.dropFirst(answerLength),
            typed.count <= Self.mostTyped
        else { return sawEscape ? [.key(.escape)] : [] }
        return String(decoding: typed, as: UTF8.self).unicodeScalars.compactMap(KeyTable.event)
            + (sawEscape ? [.key(.escape)] : [])
    }

    private mutating func abandon() {
        sequence = nil
        sawEscape = false
        answerLength = nil
    }

    /// A character outside of sequences, or the one after an escape character.
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
        // Escape and the next key in one read, or Alt with a key: both keys, as vi takes it.
        abandon()
        return [.key(.escape)] + (KeyTable.event(for: scalar).map { [$0] } ?? [])
    }

    private mutating func extendString(with byte: UInt8, at time: Double) -> [InputEvent] {
        if sawEscape, byte != UInt8(ascii: "\\") {
            // Any other sequence cuts the string off, as xterm does it.
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
        guard let text = sequence, text.count < Self.longestSequence else { return }
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
        // ECMA-48's final bytes.
        guard (0x40...0x7E).contains(byte) else {
            append(byte, at: time)
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
        if body.elementsEqual("[200".utf8), byte == UInt8(ascii: "~") {
            pasted = []
            waitingSince = time
            return []
        }
        return EscapeSequence.event(body, final: byte, clicks: &clicks, at: time).map { [$0] } ?? []
    }

    private mutating func append(_ byte: UInt8, at time: Double) {
        guard let begun = sequence, begun.count < Self.longestSequence else { return }
        if answerLength == nil, TerminalReply.isBegun(by: begun),
            !TerminalReply.canHold(byte, after: begun)
        {
            answerLength = begun.count
            waitingSince = time
        }
        sequence?.append(byte)
    }
}
