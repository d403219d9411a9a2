/// A part of the terminal's input.
enum InputToken: Hashable {
    case character(Unicode.Scalar)
    /// A character after an escape character, which is how terminals report it with Alt.
    case alt(Unicode.Scalar)
    case sequence(EscapeSequence)
}

/// A complete escape sequence (ECMA-48), which is a key, a mouse report, or a reply.
struct EscapeSequence: Hashable {
    /// `[` for a control sequence, `O` for a key of the keypad; `]`, `P`, `_`, `^` and `X` for strings.
    let introducer: Unicode.Scalar
    let body: String
    /// What ends a control sequence or a key; the terminator of a string.
    let final: Unicode.Scalar
}

/// Splits the terminal's input into characters and escape sequences, in whatever pieces it arrives.
///
/// A lone escape character is the key. Times are in seconds of a steady clock.
struct InputTokenizer {
    /// The characters of the current sequence, without the escape character.
    private(set) var partial: [Unicode.Scalar]?
    /// How many of these fit the current reply; later ones may have been typed after a reply that was cut off.
    private var replyLength: Int?
    /// When the sequence began or became doubtful; later bytes do not extend the wait, or keys would.
    var waitingSince = 0.0
    /// Whether the last character of a string was an escape character.
    private var sawEscape = false

    /// Longer than any sequence from a terminal: the rest is discarded, and the whole sequence dropped.
    static let maxLength = 4096
    /// More than this before a reply is given up cannot have been typed: it is noise and produces no keys.
    private static let maxTyped = 32
    private static let escape: Unicode.Scalar = "\u{1B}"
    private static let oldMouse: [Unicode.Scalar] = ["[", "M"]

    /// Whether only the escape character of a sequence has arrived.
    var hasLoneEscape: Bool { partial == [] }

    /// Whether the current sequence must be a reply to one of our queries.
    var isInReply: Bool { partial.map(TerminalReply.isBegun) ?? false }

    /// Whether a reply has continued with characters that no reply contains, such as keys or noise.
    var isInDoubt: Bool { replyLength != nil }

    /// Returns what `scalar`, which arrived at `time`, completes.
    mutating func feed(_ scalar: Unicode.Scalar, at time: Double) -> [InputToken] {
        guard let partial else {
            guard scalar == Self.escape else { return [.character(scalar)] }
            begin(at: time)
            return []
        }
        switch partial.first {
        case nil where scalar == Self.escape: return [.character(scalar)]
        case nil where "[O]P_^X".unicodeScalars.contains(scalar): self.partial = [scalar]
        case nil:
            abandon()
            return [.alt(scalar)]
        case "[", "O": return extendControl(with: scalar, at: time)
        default: return extendString(with: scalar, at: time)
        }
        return []
    }

    private mutating func extendControl(
        with scalar: Unicode.Scalar, at time: Double
    ) -> [InputToken] {
        // A mouse report in X10's form has three characters after its end: button, column and row, 32 more each.
        if let partial, partial.starts(with: Self.oldMouse) {
            guard partial.count == 4 else {
                self.partial?.append(scalar)
                return []
            }
            return end(with: scalar)
        }
        switch scalar.value {
        case 0x1B: partial = []
        case 0x4D where partial == ["["]: partial = Self.oldMouse
        case 0x40...0x7E: return end(with: scalar)
        // CAN and SUB cancel any sequence, in every terminal since the VT100; only ASCII continues it.
        case 0x18, 0x1A, 0x80...: abandon()
        default: append(scalar, at: time)
        }
        return []
    }

    private mutating func extendString(
        with scalar: Unicode.Scalar, at time: Double
    ) -> [InputToken] {
        if sawEscape, scalar != "\\" {
            // Any other sequence cancels the string, as in xterm.
            sawEscape = false
            let typed = giveUp()
            begin(at: time)
            return typed + feed(scalar, at: time)
        }
        switch scalar.value {
        case 0x07,
            _ where sawEscape:
            return end(with: scalar)
        case 0x1B: sawEscape = true
        case 0x18, 0x1A: return giveUp()
        default: append(scalar, at: time)
        }
        return []
    }

    private mutating func append(_ scalar: Unicode.Scalar, at time: Double) {
        guard let begun = partial, begun.count < Self.maxLength else { return }
        if replyLength == nil, isInReply, !TerminalReply.canContinue(begun, with: scalar) {
            replyLength = begun.count
            waitingSince = time
        }
        partial?.append(scalar)
    }

    private mutating func end(with final: Unicode.Scalar) -> [InputToken] {
        defer { abandon() }
        guard let partial, let introducer = partial.first, partial.count < Self.maxLength else {
            return []
        }
        return [
            .sequence(
                EscapeSequence(
                    introducer: introducer,
                    body: String(String.UnicodeScalarView(partial.dropFirst())), final: final))
        ]
    }

    private mutating func begin(at time: Double) {
        abandon()
        partial = []
        waitingSince = time
    }

    private mutating func abandon() {
        partial = nil
        sawEscape = false
        replyLength = nil
    }

    /// Drops an overdue sequence; returns what was typed after its beginning.
    mutating func giveUp() -> [InputToken] {
        defer { abandon() }
        guard let partial else { return [] }
        let typed = replyLength.map { partial.dropFirst($0) } ?? []
        let end = hasLoneEscape || sawEscape ? [Self.escape] : []
        return ((typed.count <= Self.maxTyped ? typed : []) + end).map(InputToken.character)
    }
}
