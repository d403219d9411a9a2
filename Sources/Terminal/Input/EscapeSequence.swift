import Browser

/// Interprets sequences that ncurses does not recognize (ECMA-48; xterm's control sequences for the mouse).
enum EscapeSequence {
    /// Returns whether `byte` begins a sequence after an escape character.
    static func isIntroducer(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") || isString(byte)
    }

    /// Returns whether `byte` begins a string that only a terminator ends: OSC, DCS, APC, PM, SOS.
    static func isString(_ byte: UInt8) -> Bool { "]P_^X".utf8.contains(byte) }

    /// Returns the event for a complete sequence, if any.
    static func event(
        _ sequence: [UInt8], final: UInt8, clicks: inout ClickCounter, at time: Double
    ) -> InputEvent? {
        let body = sequence.dropFirst()
        if body.first == UInt8(ascii: "<") {
            return mouse(
                numbers(body.dropFirst()), isPress: final == UInt8(ascii: "M"), clicks: &clicks,
                at: time)
        }
        // Private parameters mark a reply; keys have none.
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

    /// Interprets a mouse report in SGR form: button, column and row, counted from 1.
    ///
    /// One wheel notch scrolls 3 lines, as in other programs.
    private static func mouse(
        _ numbers: [Int], isPress: Bool, clicks: inout ClickCounter, at time: Double
    ) -> InputEvent? {
        guard numbers.count == 3, isPress, numbers[1] > 0, numbers[2] > 0 else { return nil }
        let (x, y) = (numbers[1] - 1, numbers[2] - 1)
        // Modifier bits: Shift is 4, Alt is 8, Control is 16; motion is 32.
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
    /// The last position of the pointer while the button was pressed.
    private var place = (x: 0, y: 0)

    /// The longest double click in seconds, as on desktops.
    private static let maxInterval = 0.4

    /// Returns the event for a press of the first button; `time` is in seconds.
    mutating func click(x: Int, y: Int, at time: Double) -> InputEvent {
        place = (x, y)
        if let first = last, first.x == x, first.y == y, time - first.time <= Self.maxInterval {
            // A third click starts over.
            last = nil
            return .doubleClick(x: x, y: y)
        }
        last = (x, y, time)
        return .click(x: x, y: y)
    }

    /// Returns the event for a move with the first button held.
    mutating func drag(x: Int, y: Int) -> InputEvent {
        defer { place = (x, y) }
        last = nil
        return .drag(columns: x - place.x, rows: y - place.y)
    }
}
