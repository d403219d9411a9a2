import CNcurses
import Glibc

/// How many cells the C library, and so ncurses, gives a character.
///
/// Depends on the locale.
enum GlyphWidth {
    /// 0 for what only modifies another character, -1 for what cannot be shown; control characters among them.
    static func of(_ scalar: UInt32) -> Int {
        if scalar < 0x7F {
            return scalar >= 0x20 ? 1 : -1
        }
        // Bidirectional controls turn the text around them, and the replacement of half a pair is none.
        if (0x202A...0x202E).contains(scalar) || (0x2066...0x2069).contains(scalar) {
            return -1
        }
        return Int(wcwidth(wchar_t(bitPattern: scalar)))
    }

    /// Whether the locale's characters are UTF-8, after `adoptLocale`.
    static var isUnicode: Bool {
        of(0x2500) == 1
    }

    /// Takes the character set of the environment, or UTF-8 if that is none: half blocks exist nowhere else.
    ///
    /// Nothing but the character set: numbers stay as in C.
    static func adoptLocale() {
        for name in ["", "C.UTF-8", "C.utf8", "en_US.UTF-8"] {
            if setlocale(LC_CTYPE, name) != nil, isUnicode {
                return
            }
        }
        setlocale(LC_CTYPE, "")
    }
}
