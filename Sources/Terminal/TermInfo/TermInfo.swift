import Basics

/// A decoded terminfo entry that can be changed and compiled again.
///
/// The format is described in term(5): a header of shorts, names, booleans, numbers, string offsets and a string table,
/// followed by the same for extended capabilities, which have names of their own.
struct TermInfo: Hashable, Sendable {
    /// The terminal's names, separated by `|`.
    var names: [UInt8]
    /// The standard booleans, in the order of `<term.h>`; 1 is true.
    var booleans: [UInt8]
    var numbers: [Int32]
    /// The standard strings; nil if absent.
    var strings: [[UInt8]?]
    var extendedBooleans: [Named<UInt8>] = []
    var extendedNumbers: [Named<Int32>] = []
    var extendedStrings: [Named<[UInt8]?>] = []

    struct Named<Value: Hashable & Sendable>: Hashable, Sendable {
        var name: [UInt8]
        var value: Value
    }

    /// The first name.
    var name: String { String(utf8: names.prefix { $0 != "|" }) }

    subscript(number: NumberCapability) -> Int? {
        get {
            guard numbers.indices.contains(number.rawValue), numbers[number.rawValue] >= 0 else {
                return nil
            }
            return Int(numbers[number.rawValue])
        }
        set {
            while numbers.count <= number.rawValue { numbers.append(-1) }
            numbers[number.rawValue] = newValue.map(Int32.init) ?? -1
        }
    }

    subscript(boolean: BooleanCapability) -> Bool {
        booleans.indices.contains(boolean.rawValue) && booleans[boolean.rawValue] == 1
    }

    subscript(string: StringCapability) -> String? {
        get {
            guard strings.indices.contains(string.rawValue) else { return nil }
            return strings[string.rawValue].map { String(utf8: $0) }
        }
        set {
            while strings.count <= string.rawValue { strings.append(nil) }
            strings[string.rawValue] = newValue?.bytes
        }
    }

    /// Returns whether an extended capability of any type is present and true.
    func hasExtended(_ name: String) -> Bool {
        let name = name.bytes
        return extendedBooleans.contains { $0.name == name && $0.value == 1 }
            || extendedNumbers.contains { $0.name == name && $0.value > 0 }
            || extendedStrings.contains { $0.name == name && $0.value != nil }
    }
}

/// Indices into the standard booleans, in the order of `<term.h>`.
enum BooleanCapability: Int {
    case autoRightMargin = 1  // am: the character after the last of a row goes to the next
    case eatNewline = 4  // xenl: it goes there only when it comes
    case moveInAnyMode = 14  // msgr: the cursor may move while attributes are on
    case canChange = 27  // ccc: the palette can be redefined
}

/// Indices into the standard numbers, in the order of `<term.h>`.
enum NumberCapability: Int {
    case columns = 0
    case lines = 2
    case colors = 13
    case pairs = 14
}

/// Indices into the standard strings, in the order of `<term.h>`.
enum StringCapability: Int {
    case carriageReturn = 2  // cr: moves to the first column
    case clearScreen = 5  // clear: erases the screen, cursor to the left top
    case cursorAddress = 10  // cup: moves anywhere
    case cursorRightBy = 112  // cuf: moves right by several columns
    case eraseToEndOfLine = 6  // el: erases to the end of the row
    case eraseToStartOfLine = 269  // el1: erases to the beginning of the row
    case eraseToEndOfScreen = 7  // ed: erases to the end of the screen
    case eraseCharacters = 37  // ech: erases characters
    case insertCharacter = 52  // ich1: inserts a blank
    case insertCharacters = 108  // ich: inserts blanks
    case deleteCharacter = 21  // dch1: deletes a character
    case deleteCharacters = 105  // dch: deletes characters
    case enterInsertMode = 31  // smir: begins to insert what is written
    case exitInsertMode = 42  // rmir: ends that
    case repeatCharacter = 121  // rep: repeats a character
    case changeScrollRegion = 3  // csr: sets the scroll region
    case scrollForward = 129  // ind: scrolls forward
    case scrollReverse = 130  // ri: scrolls backward
    case scrollForwardBy = 109  // indn: scrolls forward by several rows
    case scrollReverseBy = 113  // rin: scrolls backward by several rows
    case insertLine = 53  // il1: inserts a row
    case insertLines = 110  // il: inserts rows
    case deleteLine = 22  // dl1: deletes a row
    case deleteLines = 106  // dl: deletes rows
    case restoreCursor = 126  // rc: gives cursor and attributes back
    case saveCursor = 128  // sc: keeps cursor and attributes
    case originalPair = 297  // op: default colours
    case originalColors = 298  // oc: default palette
    case initializeColor = 299  // initc: redefines a palette entry
    case initializePair = 300  // initp: redefines a pair
    case setColorPair = 301  // scp: chooses a pair
    case setForeground = 302  // setf: foreground, old numbering
    case setBackground = 303  // setb: background, old numbering
    case keyMouse = 355  // kmous: what a mouse report begins with
    case setAnsiForeground = 359  // setaf: foreground, ANSI numbering
    case setAnsiBackground = 360  // setab: background, ANSI numbering
    case enterBold = 27  // bold
    case enterDim = 30  // dim
    case enterReverse = 34  // rev
    case enterUnderline = 36  // smul
    case exitUnderline = 44  // rmul
    case keyDown = 61  // kcud1
    case keyHome = 76  // khome
    case keyLeft = 79  // kcub1
    case keyRight = 83  // kcuf1
    case keyUp = 87  // kcuu1
    case keyEnd = 164  // kend
    case enterAlternateScreen = 28  // smcup: enters the alternate screen
    case exitAlternateScreen = 40  // rmcup: leaves the alternate screen
    case exitAttributes = 39  // sgr0: no attributes
    case cursorInvisible = 13  // civis: no cursor
    case cursorNormal = 16  // cnorm: a visible cursor
    case keypadTransmit = 89  // smkx: the keypad sends codes of its own
    case keypadLocal = 88  // rmkx: the keypad sends digits again
}
