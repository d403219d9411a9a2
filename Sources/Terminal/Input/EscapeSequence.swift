import Browser

/// What the sequences mean that ncurses does not recognise (ECMA-48; xterm's control sequences for the mouse).
enum EscapeSequence {
    /// Whether `byte`, after an escape character, begins a sequence.
    static func isIntroducer(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") || isString(byte)
    }

    /// Whether it begins a text that only a terminator ends: OSC, DCS, APC, PM, SOS.
    static func isString(_ byte: UInt8) -> Bool {
        "]P_^X".utf8.contains(byte)
    }

    /// Whether `byte` ends a sequence that `introducer` began.
    static func isFinal(_ byte: UInt8, after introducer: UInt8) -> Bool {
        (0x40...0x7E).contains(byte)
    }

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
        let key = final == UInt8(ascii: "~") ? tildeKey(numbers(body).first) : letterKey(final)
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

    /// The keys of the VT220 and their numbers.
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
        switch numbers[0] & ~0b11100 {
        case 0: return clicks.click(x: x, y: y, at: time)
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
