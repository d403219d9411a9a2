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
        KEY_ENTER: .enter, KEY_BTAB: .backTab, KEY_BACKSPACE: .backspace, KEY_DC: .delete,
        // With Shift.
        KEY_SR: .up, KEY_SF: .down, KEY_SLEFT: .left, KEY_SRIGHT: .right,
        KEY_SHOME: .home, KEY_SEND: .end, KEY_SPREVIOUS: .pageUp, KEY_SNEXT: .pageDown,
    ]

    /// Returns the key for a control sequence that ncurses does not recognize, with `parameters`; nil if there is none.
    static func key(final: Unicode.Scalar, parameters: [Int]) -> Key? {
        if final == "~" { return tildeKeys[parameters.first ?? 0] }
        // A second parameter of 3 is Alt.
        if parameters.dropFirst().first == 3, let key = altKeys[final] { return key }
        return letterKeys[final]
    }

    private static let altKeys: [Unicode.Scalar: Key] = ["C": .altRight, "D": .altLeft]

    private static let letterKeys: [Unicode.Scalar: Key] = [
        "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "F": .end, "Z": .backTab,
        "P": .function(1), "Q": .function(2), "S": .function(4),
    ]

    private static let tildeKeys: [Int: Key] = [
        1: .home, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
        11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5),
        17: .function(6), 18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10),
        23: .function(11), 24: .function(12),
    ]
}
