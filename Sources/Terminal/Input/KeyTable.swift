import Browser
import CNcurses

/// The keys that characters, ncurses' codes and escape sequences stand for.
enum KeyTable {
    /// `KEY_F0`, which takes an argument in C and is not imported.
    private static let functionBase: Int32 = 0o410

    /// Returns the key that types `scalar`; nil if none does.
    static func key(for scalar: Unicode.Scalar) -> Key? {
        switch scalar.value {
        case 0x08, 0x7F: .backspace
        case 0x09: .tab
        case 0x0A, 0x0D: .enter
        case 0x1B: .escape
        case 0x01...0x1A: .control(Unicode.Scalar(UInt8(scalar.value) + 0x60))
        case 0..<0x20, 0x80..<0xA0: nil
        default: .character(scalar)
        }
    }

    /// Returns the key recognized by ncurses; nil for keys that are not used.
    static func key(forCode code: Int32) -> Key? {
        (1...63).contains(code - functionBase)
            ? .function(Int(code - functionBase)) : named[code]
    }

    private static let named: [Int32: Key] = [
        KEY_UP: .up, KEY_DOWN: .down, KEY_LEFT: .left, KEY_RIGHT: .right,
        KEY_PPAGE: .pageUp, KEY_NPAGE: .pageDown, KEY_HOME: .home, KEY_END: .end,
        KEY_A1: .home, KEY_A3: .pageUp, KEY_C1: .end, KEY_C3: .pageDown,
        KEY_ENTER: .enter, KEY_BTAB: shift(.tab), KEY_BACKSPACE: .backspace, KEY_DC: .delete,
        KEY_IC: .insert, KEY_SDC: shift(.delete),
        KEY_SR: shift(.up), KEY_SF: shift(.down), KEY_SLEFT: shift(.left),
        KEY_SRIGHT: shift(.right),
        KEY_SHOME: shift(.home), KEY_SEND: shift(.end), KEY_SPREVIOUS: shift(.pageUp),
        KEY_SNEXT: shift(.pageDown),
    ]

    private static func shift(_ key: Key) -> Key { .modified(.shift, key) }

    /// Returns the key for a control sequence that ncurses does not recognize, with `parameters`; nil if there is none.
    static func key(final: Unicode.Scalar, parameters: [Int]) -> Key? {
        let code = parameters.first ?? 0
        // The second parameter is one more than the sum of the modifiers (xterm's control sequences, "PC-Style Function Keys"); beyond Control
        // are those that window systems keep to themselves.
        let modifiers = Key.Modifiers(
            rawValue: max(0, (parameters.dropFirst().first ?? 1) - 1) & 7)
        // Keys with a character, as reported where a program has left xterm's modifyOtherKeys or kitty's protocol on.
        if final == "u" { return key(of: code, modifiers) }
        if final == "~", code == 27, parameters.count == 3 {
            return key(of: parameters[2], modifiers)
        }
        let numbered =
            tildeKeys[code] ?? functionCodes.firstIndex(of: code).map { .function($0 + 1) }
        return (final == "~" ? numbered : letterKeys[final])?.with(modifiers)
    }

    /// Returns the key with that character; nil for kitty's codes in the private use area, which are keys without one.
    private static func key(of code: Int, _ modifiers: Key.Modifiers) -> Key? {
        guard let scalar = Unicode.Scalar(UInt32(clamping: code)),
            !(0xE000...0xF8FF).contains(code), let key = key(for: scalar)
        else { return nil }
        // Of other characters than letters, the one with Shift is reported.
        return key.with(modifiers) ?? key.with(modifiers.subtracting(.shift))
    }

    private static let letterKeys: [Unicode.Scalar: Key] = [
        "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "F": .end, "Z": shift(.tab),
        "P": .function(1), "Q": .function(2), "S": .function(4),
    ]

    private static let tildeKeys: [Int: Key] = [
        1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
    ]

    /// The codes of the function keys, from F1 on.
    private static let functionCodes = [11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24]
}
