/// A key on the keyboard.
public enum Key: Hashable, Sendable {
    /// A printable character, with Shift applied: `G`, `+`, space.
    case character(Unicode.Scalar)
    /// Control with a lower-case letter: `control("d")`.
    case control(Unicode.Scalar)
    /// A function key, numbered from 1.
    case function(Int)
    /// The named keys.
    case up, down, left, right, pageUp, pageDown, home, end, enter, escape, tab, backspace, insert,
        delete
    /// Another key with modifiers that its own case does not express.
    indirect case modified(Modifiers, Key)

    /// Keys held down with another.
    public struct Modifiers: OptionSet, Hashable, Sendable {
        /// The sum of the bits.
        public let rawValue: Int

        /// Creates the set with these bits, which are those of xterm's and kitty's key reports.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Shift; only with named keys, since it changes the others' characters.
        public static let shift = Modifiers(rawValue: 1)
        /// Alt.
        public static let alt = Modifiers(rawValue: 2)
        /// Control; only with named keys, and with letters in `Key.control`.
        public static let control = Modifiers(rawValue: 4)
    }

    /// Returns this key with Alt.
    public static func alt(_ key: Key) -> Key { .modified(.alt, key) }

    /// Returns this key with `modifiers`; nil if no terminal reports them together.
    public func with(_ modifiers: Modifiers) -> Key? {
        var key = self
        var modifiers = modifiers
        if case .character(let scalar) = key, !modifiers.isDisjoint(with: [.shift, .control]) {
            guard scalar.properties.isAlphabetic else { return nil }
            let isControl = modifiers.contains(.control)
            let text = "\(scalar)"
            let other = (isControl ? text.lowercased() : text.uppercased()).unicodeScalars
            guard let changed = other.first, other.count == 1, !isControl || changed.isASCII else {
                return nil
            }
            key = isControl ? .control(changed) : .character(changed)
            modifiers.subtract([.shift, .control])
        }
        return modifiers.isEmpty ? key : .modified(modifiers, key)
    }

    /// The name shown in the help: `h`, `←`, `PgDn`, `^d`, `F1`, `Alt-1`.
    public var name: String {
        switch self {
        case .character(" "): "Space"
        case .character(let scalar): "\(scalar)"
        case .control(let scalar): "^\(scalar)"
        case .function(let number): "F\(number)"
        case .modified(let modifiers, let key):
            Self.modifierNames.filter { modifiers.contains($0.modifier) }.map { $0.names[0] }
                .joined() + key.name
        default: Self.named.first { $0.key == self }?.name ?? ""
        }
    }

    /// Parses a key name from the configuration: a character, `^d` or `Ctrl-d`, `Alt-x`, `F1`, `Space`, `Shift-Up`…; nil if it is not one.
    public init?(name: String) {
        var rest = name[...]
        var modifiers = Modifiers()
        func prefix(_ names: [String]) -> String? {
            names.first { rest.count > $0.count && rest.lowercased().hasPrefix($0.lowercased()) }
        }
        while let (modifier, names) = Self.modifierNames.first(where: { prefix($0.names) != nil }) {
            modifiers.insert(modifier)
            rest = rest.dropFirst(prefix(names)?.count ?? 0)
        }
        guard let key = Self.key(named: rest), let whole = key.with(modifiers) else { return nil }
        self = whole
    }

    private static func key(named name: Substring) -> Key? {
        let scalars = Array(name.unicodeScalars)
        if scalars.count == 1, scalars[0].value > 0x20, scalars[0].value != 0x7F {
            // An arrow is the name of a key.
            return named.first { $0.name == name }?.key ?? .character(scalars[0])
        }
        let word = name.lowercased()
        if word == "space" { return .character(" ") }
        if word.hasPrefix("f"), let number = Int(word.dropFirst()), (1...63).contains(number) {
            return .function(number)
        }
        return named.first { $0.name.lowercased() == word || $0.word == word }?.key
    }

    /// What stands before a key's name for each modifier, as it is shown first.
    private static let modifierNames: [(modifier: Modifiers, names: [String])] = [
        (.control, ["Ctrl-", "C-", "^"]), (.alt, ["Alt-", "A-", "M-"]), (.shift, ["Shift-", "S-"]),
    ]

    /// The named keys: the displayed name, and an alternative for the configuration.
    private static let named: [(key: Key, name: String, word: String)] = [
        (.up, "↑", "up"), (.down, "↓", "down"), (.left, "←", "left"), (.right, "→", "right"),
        (.pageUp, "PgUp", "pageup"), (.pageDown, "PgDn", "pagedown"), (.home, "Home", "home"),
        (.end, "End", "end"), (.enter, "Enter", "return"), (.escape, "Esc", "escape"),
        (.tab, "Tab", "tab"), (.backspace, "Backspace", "bs"), (.insert, "Ins", "insert"),
        (.delete, "Del", "delete"),
    ]
}

/// An input from the user or the terminal.
public enum InputEvent: Hashable, Sendable {
    case key(Key)
    /// The wheel was turned by `rows` (positive is down).
    case wheel(rows: Int)
    /// The wheel was turned with Control held over the cell (`x`, `y`); positive steps zoom in.
    case zoom(steps: Int, x: Int, y: Int)
    /// The pointer was dragged by this many cells with the first button held.
    case drag(columns: Int, rows: Int)
    /// The first button was clicked on the cell (`x`, `y`).
    case click(x: Int, y: Int)
    /// The first button was double-clicked on the cell (`x`, `y`).
    case doubleClick(x: Int, y: Int)
    /// A text was pasted (bracketed paste).
    case paste(String)
}

/// What the view has to do after an input, besides drawing.
public enum Effect: Hashable, Sendable {
    case quit
    /// Release the terminal and stop until continued (`^Z`).
    case suspend
    /// Redraw everything (`^L`).
    case redraw
    /// Release the terminal for `runCommand`, then take it back.
    case run
    /// Ask the terminal to copy this text to the clipboard (OSC 52).
    case copy(String)
    /// Ask the terminal to copy this file to the clipboard (OSC 5522).
    case copyFile([UInt8], mediaType: String)
}
