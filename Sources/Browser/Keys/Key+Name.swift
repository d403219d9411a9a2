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

    /// Reads a key as the configuration writes it: a character, `^d` or `Ctrl-d`, `F1`, `Space`, `PgDn`, `Up`…; nil
    /// if it is none.
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
        (.delete, "Del", "delete"),
    ]
}
