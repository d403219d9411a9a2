import Basics
import Browser

/// Decodes what ncurses reads: recognized keys, characters, and escape sequences that it passes on in pieces.
///
/// Decodes mouse reports, several of which ncurses would merge, and forms of keys missing from the terminal's description.
/// Terminal replies are collected in `replies`; unknown sequences are dropped.
struct InputDecoder {
    var replies: [TerminalReply] = []
    var tokenizer = InputTokenizer()
    /// The pasted text so far (bracketed paste, mode 2004).
    private(set) var pasted: [Unicode.Scalar]?
    private var clicks = ClickCounter()

    /// Longer than anything typed; the rest is dropped.
    static let maxPaste = 16_384
    private static let pasteEnd = Array("\u{1B}[201~".unicodeScalars)

    var isWaiting: Bool { tokenizer.partial != nil || isInPaste }

    var isInPaste: Bool { pasted != nil }

    /// Handles a character that arrived at `time`, in seconds of a steady clock.
    mutating func character(_ scalar: Unicode.Scalar, at time: Double) -> [InputEvent] {
        isInPaste
            ? extendPaste(with: scalar, at: time)
            : events(for: tokenizer.feed(scalar, at: time), at: time)
    }

    mutating func keyCode(_ code: Int32) -> [InputEvent] {
        // Keys without characters cannot be pasted.
        if isInPaste { return [] }
        return giveUp() + nonNil(KeyTable.key(forCode: code)).map(InputEvent.key)
    }

    /// Ends an overdue sequence: a lone escape character is the key, others are dropped; returns what was typed after its beginning.
    mutating func giveUp() -> [InputEvent] {
        pasted = nil
        return events(for: tokenizer.giveUp(), at: 0)
    }

    private mutating func events(for tokens: [InputToken], at time: Double) -> [InputEvent] {
        tokens.compactMap { token in
            switch token {
            case .character(let scalar): KeyTable.key(for: scalar).map(InputEvent.key)
            case .alt(let scalar): KeyTable.key(for: scalar).map { .key(.alt($0)) }
            case .sequence(let sequence): event(for: sequence, at: time)
            }
        }
    }

    private mutating func event(for sequence: EscapeSequence, at time: Double) -> InputEvent? {
        if let reply = TerminalReply(sequence) {
            replies.append(reply)
            return nil
        }
        let body = sequence.body
        guard "[O".unicodeScalars.contains(sequence.introducer) else { return nil }
        if body == "200", sequence.final == "~" {
            pasted = []
            tokenizer.waitingSince = time
            return nil
        }
        if body.unicodeScalars.first == "M" {
            let numbers = (body.unicodeScalars.dropFirst() + [sequence.final])
                .map { Int($0.value) - 32 }
            return clicks.event(numbers, isPress: numbers[0] & 0b1000011 != 3, at: time)
        }
        let isMouse = body.hasPrefix("<")
        // Sub-parameters after colons are of kitty's keys: other characters of the same key, and what became of it.
        let parameters = body.dropFirst(isMouse ? 1 : 0)
            .split(separator: ";", omittingEmptySubsequences: false)
            .map { $0.split(separator: ":").map { Int($0.prefix(6)) ?? 0 } }
        let numbers = parameters.map { $0.first ?? 0 }
        if isMouse { return clicks.event(numbers, isPress: sequence.final == "M", at: time) }
        let isRelease = parameters.dropFirst().first?.dropFirst().first == 3
        // Private parameters mark a reply; keys have none.
        if let first = body.first, "=>?".contains(first) || isRelease { return nil }
        return KeyTable.key(final: sequence.final, parameters: numbers).map(InputEvent.key)
    }

    /// Extends a paste, which only its end marker ends, so that none of it is taken for keys.
    private mutating func extendPaste(with scalar: Unicode.Scalar, at time: Double) -> [InputEvent]
    {
        tokenizer.waitingSince = time
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
}

/// Interprets mouse reports, and tells double clicks and drags from clicks.
private struct ClickCounter {
    private var last: (x: Int, y: Int, time: Double)?
    /// The last position of the pointer while the button was pressed.
    private var place = (x: 0, y: 0)

    /// The longest double click in seconds, as on desktops.
    private static let maxInterval = 0.4

    /// Returns the event for a report in SGR form: button, column and row, counted from 1; `time` is in seconds.
    ///
    /// One wheel notch scrolls 3 lines, as in other programs.
    mutating func event(_ numbers: [Int], isPress: Bool, at time: Double) -> InputEvent? {
        guard numbers.count == 3, isPress, numbers[1] > 0, numbers[2] > 0 else { return nil }
        let button = numbers[0]
        let x = numbers[1] - 1
        let y = numbers[2] - 1
        // Modifier bits: Shift is 4, Alt is 8, Control is 16; motion is 32.
        if button & 16 != 0, button & 64 != 0 {
            return .zoom(steps: button & 1 == 0 ? 1 : -1, x: x, y: y)
        }
        switch button & ~0b11100 {
        case 0: return click(x: x, y: y, at: time)
        case 32:
            defer { place = (x, y) }
            last = nil
            return .drag(columns: x - place.x, rows: y - place.y)
        case 64: return .wheel(rows: -3)
        case 65: return .wheel(rows: 3)
        default: return nil
        }
    }

    private mutating func click(x: Int, y: Int, at time: Double) -> InputEvent {
        place = (x, y)
        if let first = last, first.x == x, first.y == y, time - first.time <= Self.maxInterval {
            // A third click starts over.
            last = nil
            return .doubleClick(x: x, y: y)
        }
        last = (x, y, time)
        return .click(x: x, y: y)
    }
}
