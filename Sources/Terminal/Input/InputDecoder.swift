import Browser

/// Makes events of what ncurses reads: keys it knows, characters, and sequences it passes on in pieces.
///
/// Mouse reports, which ncurses would merge when several come at once, are read here, and so are keys in a form the
/// terminal's description does not list. Answers of the terminal and unknown sequences vanish: they are no keys.
struct InputDecoder {
    /// The bytes of a sequence under way, without its escape character.
    private var sequence: [UInt8]?
    /// Inside a string sequence (OSC, DCS, …), whether its last byte was an escape character.
    private var sawEscape = false
    private var clicks = ClickCounter()

    /// Longer sequences than any terminal sends; what follows is taken for keys again.
    private static let longestSequence = 4096

    /// Whether a sequence has begun and not ended.
    var isWaiting: Bool { sequence != nil }

    /// A character arrived at `time` (seconds of any steady clock).
    mutating func character(_ scalar: Unicode.Scalar, at time: Double) -> [InputEvent] {
        guard let current = sequence else {
            if scalar.value == 0x1B {
                sequence = []
                return []
            }
            return KeyTable.event(for: scalar).map { [$0] } ?? []
        }
        return extend(current, with: scalar, at: time)
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
        sequence == [] ? flush() : []
    }

    /// The rest of a sequence is long overdue.
    mutating func abandon() {
        sequence = nil
        sawEscape = false
    }

    private mutating func flush() -> [InputEvent] {
        defer { abandon() }
        return sequence == [] ? [.key(.escape)] : []
    }

    private mutating func extend(
        _ current: [UInt8], with scalar: Unicode.Scalar, at time: Double
    ) -> [InputEvent] {
        guard scalar.isASCII, current.count < Self.longestSequence else {
            // An answer may hold any text.
            if current.first.map(EscapeSequence.isString) != true { abandon() }
            return []
        }
        let byte = UInt8(scalar.value)
        guard let introducer = current.first else {
            return begin(with: byte, at: time)
        }
        if EscapeSequence.isString(introducer) {
            let ends = byte == 0x07 || (sawEscape && byte == UInt8(ascii: "\\"))
            sawEscape = byte == 0x1B
            sequence = ends ? nil : current + [byte]
            return []
        }
        if byte == 0x1B {
            sequence = []
            return []
        }
        guard EscapeSequence.isFinal(byte, after: introducer) else {
            sequence = current + [byte]
            return []
        }
        sequence = nil
        return EscapeSequence.event(current, final: byte, clicks: &clicks, at: time).map { [$0] }
            ?? []
    }

    private mutating func begin(with byte: UInt8, at time: Double) -> [InputEvent] {
        if byte == 0x1B {
            return [.key(.escape)]
        }
        if EscapeSequence.isIntroducer(byte) {
            sequence = [byte]
            sawEscape = false
            return []
        }
        // Escape and the next key in one read, or Alt with a key: both keys, as vi takes it.
        sequence = nil
        let key = KeyTable.event(for: Unicode.Scalar(byte))
        return [.key(.escape)] + (key.map { [$0] } ?? [])
    }
}
