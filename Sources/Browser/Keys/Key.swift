/// A key, as the terminal's library names it.
public enum Key: Hashable, Sendable {
    /// A printable character, Shift included: `G`, `+`, space.
    case character(Unicode.Scalar)
    /// Control with a letter, in lower case: `control("d")`.
    case control(Unicode.Scalar)
    /// A function key, from 1.
    case function(Int)
    /// The keys with a name.
    case up, down, left, right, pageUp, pageDown, home, end, enter, escape, tab, backTab, backspace,
        delete, altLeft, altRight
}

/// What the user, or the terminal, did.
public enum InputEvent: Hashable, Sendable {
    case key(Key)
    /// The wheel was turned by `rows` (down positive) over the cell (`x`, `y`).
    case wheel(rows: Int, x: Int, y: Int)
    /// The wheel was turned with Control held: in by so many steps, or out, over the cell (`x`, `y`).
    case zoom(steps: Int, x: Int, y: Int)
    /// The pointer was moved by so many cells with the first button held.
    case drag(columns: Int, rows: Int)
    /// The first button was clicked on the cell (`x`, `y`).
    case click(x: Int, y: Int)
    /// The first button was clicked twice on the cell (`x`, `y`).
    case doubleClick(x: Int, y: Int)
    /// A text was pasted, as the terminal tells it.
    case paste(String)
}

/// What the view has to do beside drawing, after an input.
public enum Effect: Hashable, Sendable {
    case none
    case quit
    /// Give the terminal back and stop until continued (`^Z`).
    case suspend
    /// Draw everything anew (`^L`).
    case redraw
    /// Give the terminal to the command that `runCommand` runs, and take it again.
    case run
    /// Ask the terminal to keep this text in the clipboard (OSC 52).
    case copy(String)
}

extension Key {
    /// As it is shown in the help: `h`, `←`, `PgDn`, `^d`, `F1`.
    public var name: String {
        switch self {
        case .character(" "): "Space"
        case .character(let scalar): String(Character(scalar))
        case .control(let scalar): "^" + String(Character(scalar))
        case .function(let number): "F\(number)"
        default: Self.named.first { $0.key == self }?.name ?? ""
        }
    }

    /// Reads a key as the configuration writes it: a character, `^d` or `Ctrl-d`, `F1`, `Space`, `PgDn`, `Up`…; nil if it is not one.
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

    /// The keys with names: how they are shown, and the word the configuration may use instead.
    private static let named: [(key: Key, name: String, word: String)] = [
        (.up, "↑", "up"), (.down, "↓", "down"), (.left, "←", "left"), (.right, "→", "right"),
        (.pageUp, "PgUp", "pageup"), (.pageDown, "PgDn", "pagedown"), (.home, "Home", "home"),
        (.end, "End", "end"), (.enter, "Enter", "return"), (.escape, "Esc", "escape"),
        (.tab, "Tab", "tab"), (.backTab, "S-Tab", "backtab"), (.backspace, "Backspace", "bs"),
        (.delete, "Del", "delete"), (.altLeft, "Alt-←", "alt-left"),
        (.altRight, "Alt-→", "alt-right"),
    ]
}
