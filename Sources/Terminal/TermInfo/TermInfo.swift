/// A compiled terminfo entry as values that can be changed and compiled again.
///
/// The format is that of term(5): a header of shorts, names, booleans, numbers, string offsets, a string table, and
/// the same once more for extended capabilities, which have names of their own.
struct TermInfo: Hashable, Sendable {
    /// The terminal's names, separated by bars.
    var names: [UInt8]
    /// The standard booleans, in the order of `<term.h>`; 1 is true.
    var booleans: [UInt8]
    /// The standard numbers; -1 is absent, -2 cancelled.
    var numbers: [Int32]
    /// The standard strings; nil is absent.
    var strings: [[UInt8]?]
    /// The extended booleans, by name.
    var extendedBooleans: [Named<UInt8>] = []
    /// The extended numbers, by name.
    var extendedNumbers: [Named<Int32>] = []
    /// The extended strings, by name.
    var extendedStrings: [Named<[UInt8]?>] = []

    /// An extended capability.
    struct Named<Value: Hashable & Sendable>: Hashable, Sendable {
        /// What `infocmp -x` calls it.
        var name: [UInt8]
        /// Its value.
        var value: Value
    }

    /// Why a file is no compiled entry.
    enum Malformed: Error {
        /// Neither of the two magic numbers.
        case magic
        /// It ends too early, or a count in it is negative or an offset points outside.
        case structure
    }

    /// A standard number, nil where absent.
    subscript(number: NumberCapability) -> Int? {
        get {
            guard numbers.indices.contains(number.rawValue), numbers[number.rawValue] >= 0 else {
                return nil
            }
            return Int(numbers[number.rawValue])
        }
        set {
            while numbers.count <= number.rawValue {
                numbers.append(-1)
            }
            numbers[number.rawValue] = newValue.map(Int32.init) ?? -1
        }
    }

    /// A standard boolean.
    subscript(boolean: BooleanCapability) -> Bool {
        booleans.indices.contains(boolean.rawValue) && booleans[boolean.rawValue] == 1
    }

    /// A standard string, nil where absent.
    subscript(string: StringCapability) -> String? {
        get {
            guard strings.indices.contains(string.rawValue) else { return nil }
            return strings[string.rawValue].map { String(decoding: $0, as: UTF8.self) }
        }
        set {
            while strings.count <= string.rawValue {
                strings.append(nil)
            }
            strings[string.rawValue] = newValue.map { Array($0.utf8) }
        }
    }

    /// Whether an extended capability of any type is there and true.
    func hasExtended(_ name: String) -> Bool {
        let name = Array(name.utf8)
        return extendedBooleans.contains { $0.name == name && $0.value == 1 }
            || extendedNumbers.contains { $0.name == name && $0.value > 0 }
            || extendedStrings.contains { $0.name == name && $0.value != nil }
    }
}

/// Indices into the standard booleans, in the order of `<term.h>`.
enum BooleanCapability: Int {
    /// `am`: the character after the last of a row goes to the next.
    case autoRightMargin = 1
    /// `xenl`: it goes there only when it comes.
    case eatNewline = 4
    /// `ccc`: the palette can be redefined.
    case canChange = 27
}

/// Indices into the standard numbers, in the order of `<term.h>`.
enum NumberCapability: Int {
    /// `cols`.
    case columns = 0
    /// `lines`.
    case lines = 2
    /// `colors`.
    case colors = 13
    /// `pairs`.
    case pairs = 14
}

/// Indices into the standard strings, in the order of `<term.h>`.
enum StringCapability: Int {
    /// `cr`: moves to the first column.
    case carriageReturn = 2
    /// `cup`: moves anywhere.
    case cursorAddress = 10
    /// `cuf`: moves right by several columns.
    case cursorRightBy = 112
    /// `el`: erases to the end of the row.
    case eraseToEndOfLine = 6
    /// `el1`: erases to the beginning of the row.
    case eraseToStartOfLine = 269
    /// `ed`: erases to the end of the screen.
    case eraseToEndOfScreen = 7
    /// `ech`: erases characters.
    case eraseCharacters = 37
    /// `ich1`: inserts a blank.
    case insertCharacter = 52
    /// `ich`: inserts blanks.
    case insertCharacters = 108
    /// `dch1`: deletes a character.
    case deleteCharacter = 21
    /// `dch`: deletes characters.
    case deleteCharacters = 105
    /// `smir`: begins to insert what is written.
    case enterInsertMode = 31
    /// `rmir`: ends that.
    case exitInsertMode = 42
    /// `rep`: repeats a character.
    case repeatCharacter = 121
    /// `csr`: sets the scroll region.
    case changeScrollRegion = 3
    /// `ind`: scrolls forward.
    case scrollForward = 129
    /// `ri`: scrolls backward.
    case scrollReverse = 130
    /// `indn`: scrolls forward by several rows.
    case scrollForwardBy = 109
    /// `rin`: scrolls backward by several rows.
    case scrollReverseBy = 113
    /// `il1`: inserts a row.
    case insertLine = 53
    /// `il`: inserts rows.
    case insertLines = 110
    /// `dl1`: deletes a row.
    case deleteLine = 22
    /// `dl`: deletes rows.
    case deleteLines = 106
    /// `rc`: gives cursor and attributes back.
    case restoreCursor = 126
    /// `sc`: keeps cursor and attributes.
    case saveCursor = 128
    /// `op`: default colours.
    case originalPair = 297
    /// `oc`: default palette.
    case originalColors = 298
    /// `initc`: redefines a palette entry.
    case initializeColor = 299
    /// `initp`: redefines a pair.
    case initializePair = 300
    /// `scp`: chooses a pair.
    case setColorPair = 301
    /// `setf`: foreground, old numbering.
    case setForeground = 302
    /// `setb`: background, old numbering.
    case setBackground = 303
    /// `kmous`: what a mouse report begins with.
    case keyMouse = 355
    /// `setaf`: foreground, ANSI numbering.
    case setAnsiForeground = 359
    /// `setab`: background, ANSI numbering.
    case setAnsiBackground = 360
    /// `rmcup`: leaves the alternate screen.
    case exitAlternateScreen = 40
    /// `sgr0`: no attributes.
    case exitAttributes = 39
    /// `cnorm`: a visible cursor.
    case cursorNormal = 16
    /// `rmkx`: the keypad sends digits again.
    case keypadLocal = 88
}
