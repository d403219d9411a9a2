import Browser
import CNcurses

/// Which key a character or a code of ncurses is.
enum KeyTable {
    /// KEY_F0, whose macro takes an argument and is not imported.
    private static let functionBase: Int32 = 0o410

    /// The key that types `scalar`; nil for characters no key types.
    static func event(for scalar: Unicode.Scalar) -> InputEvent? {
        switch scalar.value {
        case 0x08, 0x7F: .key(.backspace)
        case 0x09: .key(.tab)
        case 0x0A, 0x0D: .key(.enter)
        case 0x1B: .key(.escape)
        case 0x01...0x1A:
            .key(.control(Unicode.Scalar(UInt8(scalar.value) + UInt8(ascii: "a") - 1)))
        case 0..<0x20, 0x80..<0xA0: nil
        default: .key(.character(scalar))
        }
    }

    /// The key that ncurses recognised; nil for those nobody asks for.
    static func event(forCode code: Int32) -> InputEvent? {
        if code > functionBase, code <= functionBase + 63 {
            return .key(.function(Int(code - functionBase)))
        }
        return named[code].map { .key($0) }
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
}
