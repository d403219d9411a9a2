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
    private var pasted: String.UnicodeScalarView?
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
    private static let pasteEnd = "\u{1B}[201~".unicodeScalars

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
        guard var text = pasted else { return [] }
        if text.suffix(Self.pasteEnd.count).elementsEqual(Self.pasteEnd) {
            text.removeLast(Self.pasteEnd.count)
            pasted = nil
            return [.paste(String(text.prefix(Self.longestPaste)))]
        }
        if text.count > 2 * Self.longestPaste {
            pasted?.removeSubrange(
                text.index(
                    text.startIndex, offsetBy: Self.longestPaste)..<text.index(
                        text.endIndex, offsetBy: -8))
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
            pasted = String.UnicodeScalarView()
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

/// What the sequences mean that ncurses does not recognise (ECMA-48; xterm's control sequences for the mouse).
enum EscapeSequence {
    /// Whether `byte`, after an escape character, begins a sequence.
    static func isIntroducer(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") || isString(byte)
    }

    /// Whether it begins a text that only a terminator ends: OSC, DCS, APC, PM, SOS.
    static func isString(_ byte: UInt8) -> Bool { "]P_^X".utf8.contains(byte) }

    /// The event a whole sequence stands for; nil for those that are none.
    static func event(
        _ sequence: [UInt8], final: UInt8, clicks: inout ClickCounter, at time: Double
    ) -> InputEvent? {
        let body = sequence.dropFirst()
        if body.first == UInt8(ascii: "<") {
            return mouse(
                numbers(body.dropFirst()), isPress: final == UInt8(ascii: "M"), clicks: &clicks,
                at: time)
        }
        // An answer to something; keys have no private parameters.
        if let first = body.first, (0x3C...0x3F).contains(first) { return nil }
        let parameters = numbers(body)
        // A second parameter of 3 is Alt.
        if parameters.dropFirst().first == 3,
            final == UInt8(ascii: "C") || final == UInt8(ascii: "D")
        {
            return .key(final == UInt8(ascii: "C") ? .altRight : .altLeft)
        }
        let key = final == UInt8(ascii: "~") ? tildeKey(parameters.first) : letterKey(final)
        return key.map { .key($0) }
    }

    private static func letterKey(_ final: UInt8) -> Key? {
        switch final {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "Z"): .backTab
        case UInt8(ascii: "P"): .function(1)
        case UInt8(ascii: "Q"): .function(2)
        case UInt8(ascii: "S"): .function(4)
        default: nil
        }
    }

    private static func tildeKey(_ number: Int?) -> Key? {
        switch number {
        case 1, 7: .home
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        case .some(11...15): number.map { .function($0 - 10) }
        case .some(17...21): number.map { .function($0 - 11) }
        case 23, 24: number.map { .function($0 - 12) }
        default: nil
        }
    }

    /// A report in SGR form: button, column and row from 1.
    ///
    /// Lines a notch of the wheel: 3, as elsewhere.
    private static func mouse(
        _ numbers: [Int], isPress: Bool, clicks: inout ClickCounter, at time: Double
    ) -> InputEvent? {
        guard numbers.count == 3, isPress, numbers[1] > 0, numbers[2] > 0 else { return nil }
        let (x, y) = (numbers[1] - 1, numbers[2] - 1)
        // Shift, Alt and Control are 4, 8 and 16, motion is 32.
        if numbers[0] & 16 != 0, numbers[0] & 64 != 0 {
            return .zoom(steps: numbers[0] & 1 == 0 ? 1 : -1, x: x, y: y)
        }
        switch numbers[0] & ~0b11100 {
        case 0: return clicks.click(x: x, y: y, at: time)
        case 32: return clicks.drag(x: x, y: y)
        case 64: return .wheel(rows: -3, x: x, y: y)
        case 65: return .wheel(rows: 3, x: x, y: y)
        default: return nil
        }
    }

    private static func numbers(_ body: ArraySlice<UInt8>) -> [Int] {
        body.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { digits in
            Int(String(decoding: digits.prefix(6), as: UTF8.self)) ?? 0
        }
    }
}

struct ClickCounter {
    private var last: (x: Int, y: Int, time: Double)?
    /// Where the button was last seen.
    private var place = (x: 0, y: 0)

    /// In seconds; what desktops use.
    private static let longestInterval = 0.4

    /// The event for a press of the first button at `time`, in seconds.
    mutating func click(x: Int, y: Int, at time: Double) -> InputEvent {
        place = (x, y)
        if let first = last, first.x == x, first.y == y, time - first.time <= Self.longestInterval {
            // A third click begins anew.
            last = nil
            return .doubleClick(x: x, y: y)
        }
        last = (x, y, time)
        return .click(x: x, y: y)
    }

    /// The event for a move with the first button held.
    mutating func drag(x: Int, y: Int) -> InputEvent {
        defer { place = (x, y) }
        last = nil
        return .drag(columns: x - place.x, rows: y - place.y)
    }
}
