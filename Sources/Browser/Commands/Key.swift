/// A key on the keyboard.
public enum Key: Hashable, Sendable {
    /// A printable character, with Shift applied: `G`, `+`, space.
    case character(Unicode.Scalar)
    /// Control with a lower-case letter: `control("d")`.
    case control(Unicode.Scalar)
    /// A function key, numbered from 1.
    case function(Int)
    /// The named keys.
    case up, down, left, right, pageUp, pageDown, home, end, enter, escape, tab, backTab, backspace,
        delete, altLeft, altRight
}

/// An input from the user or the terminal.
public enum InputEvent: Hashable, Sendable {
    case key(Key)
    /// The wheel was turned by `rows` (positive is down) over the cell (`x`, `y`).
    case wheel(rows: Int, x: Int, y: Int)
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
    case none
    case quit
    /// Release the terminal and stop until continued (`^Z`).
    case suspend
    /// Redraw everything (`^L`).
    case redraw
    /// Release the terminal for `runCommand`, then take it back.
    case run
    /// Ask the terminal to copy this text to the clipboard (OSC 52).
    case copy(String)
}

extension Key {
    /// The name shown in the help: `h`, `←`, `PgDn`, `^d`, `F1`.
    public var name: String {
        switch self {
        case .character(" "): "Space"
        case .character(let scalar): String(Character(scalar))
        case .control(let scalar): "^" + String(Character(scalar))
        case .function(let number): "F\(number)"
        default: Self.named.first { $0.key == self }?.name ?? ""
        }
    }

    /// Parses a key name from the configuration: a character, `^d` or `Ctrl-d`, `F1`, `Space`, `PgDn`, `Up`…; nil if it is not one.
    public init?(name: String) {
        let scalars = Array(name.unicodeScalars)
        if let key = Self.key(named: name.lowercased()) {
            self = key
        } else if scalars.count == 1, scalars[0].value > 0x20, scalars[0].value != 0x7F {
            self = .character(scalars[0])
        } else {
            return nil
        }
    }

    private static func key(named name: String) -> Key? {
        if name == "space" { return .character(" ") }
        if let key = named.first(where: { $0.name.lowercased() == name || $0.word == name })?.key {
            return key
        }
        if name.hasPrefix("f"), let number = Int(name.dropFirst()), (1...63).contains(number) {
            return .function(number)
        }
        for prefix in ["^", "ctrl-", "c-"] where name.hasPrefix(prefix) {
            let rest = Array(name.dropFirst(prefix.count).unicodeScalars)
            if rest.count == 1, ("a"..."z").contains(rest[0]) { return .control(rest[0]) }
        }
        return nil
    }

    /// The named keys: the displayed name, and an alternative for the configuration.
    private static let named: [(key: Key, name: String, word: String)] = [
        (.up, "↑", "up"), (.down, "↓", "down"), (.left, "←", "left"), (.right, "→", "right"),
        (.pageUp, "PgUp", "pageup"), (.pageDown, "PgDn", "pagedown"), (.home, "Home", "home"),
        (.end, "End", "end"), (.enter, "Enter", "return"), (.escape, "Esc", "escape"),
        (.tab, "Tab", "tab"), (.backTab, "S-Tab", "backtab"), (.backspace, "Backspace", "bs"),
        (.delete, "Del", "delete"), (.altLeft, "Alt-←", "alt-left"),
        (.altRight, "Alt-→", "alt-right"),
    ]
}
