import Basics

/// Where a key is pressed.
public enum KeyContext: CaseIterable, Sendable {
    case gallery, viewer, dialog, help
}

/// Which key does what: one table for dispatch, help and tests.
public struct KeyMap: Sendable {
    /// A command with its keys, in the contexts where they mean it.
    public struct Binding: Sendable {
        /// The heading in the help.
        public var group = ""
        /// What is done.
        public var command: Command
        /// The same in words, for the help.
        public var summary: String
        /// The keys that do it, most common first; none if it is only a command.
        public var keys: [Key]
        /// What it takes as a command after `:`, choices with `|` between them; empty if nothing.
        public var argument = ""
        /// Where they do it.
        public var contexts: [KeyContext]
    }

    /// All bindings, in the order of the help.
    public private(set) var bindings: [Binding]

    /// What `key` does in `context`.
    public func command(for key: Key, in context: KeyContext) -> Command? {
        bindings.last { $0.contexts.contains(context) && $0.keys.contains(key) }?.command
    }

    /// The keys of a command in a context.
    public func keys(for command: Command, in context: KeyContext) -> [Key] {
        bindings.first { $0.command == command && $0.contexts.contains(context) }?.keys ?? []
    }

    /// The command of `context` that `name` or the beginning of its name stands for; the names that it may stand for if not just one.
    func command(named name: String, in context: KeyContext) -> Result<Binding, UnclearCommand> {
        let all = bindings.filter { $0.contexts.contains(context) }
        if let exact = all.first(where: { $0.command.rawValue == name }) { return .success(exact) }
        let similar = all.filter { $0.command.rawValue.hasPrefix(name) }
        let names = Set(similar.map(\.command.rawValue)).sorted()
        if names.count == 1, let only = similar.first { return .success(only) }
        return .failure(UnclearCommand(names: names))
    }

    /// The names of the commands that can be typed in `context`, in order.
    func names(in context: KeyContext) -> [String] {
        Set(bindings.filter { $0.contexts.contains(context) }.map(\.command.rawValue)).sorted()
    }

    struct UnclearCommand: Error { var names: [String] }

    /// The map with other keys for some commands, by name as in the configuration, and one line for each mistake in
    /// `changes`.
    ///
    /// A key moves from the command that had it. `q` stays with `quit` and `?` with `help`, whatever is asked; digits
    /// stay counts.
    public func rebinding(_ changes: [String: [String]]) -> (map: KeyMap, mistakes: [String]) {
        var map = self
        var mistakes: [String] = []
        for (name, keyNames) in changes.sorted(by: { $0.key < $1.key }) {
            guard let command = Command(rawValue: name) else {
                mistakes.append("\(name.oneLine()): no such command")
                continue
            }
            let keys = keyNames.compactMap { keyName in
                Self.key(keyName, for: command, mistakes: &mistakes)
            }
            map.bind(command, to: keys)
        }
        return (map, mistakes)
    }

    private static func key(
        _ name: String, for command: Command, mistakes: inout [String]
    ) -> Key? {
        guard let key = Key(name: name) else {
            mistakes.append("\(command.rawValue): no such key: \(name.oneLine())")
            return nil
        }
        if let owner = reserved[key], owner != command {
            mistakes.append("\(command.rawValue): \(name) stays with \(owner.rawValue)")
            return nil
        }
        if case .character("1"..."9") = key {
            mistakes.append("\(command.rawValue): digits are counts")
            return nil
        }
        return key
    }

    private static let reserved: [Key: Command] = [.character("q"): .quit, .character("?"): .help]

    private mutating func bind(_ command: Command, to keys: [Key]) {
        let contexts = Set(bindings.filter { $0.command == command }.flatMap(\.contexts))
        for place in bindings.indices {
            if bindings[place].command == command {
                let kept = bindings[place].keys.filter { Self.reserved[$0] == command }
                bindings[place].keys = keys + kept.filter { !keys.contains($0) }
            } else if !contexts.isDisjoint(with: bindings[place].contexts) {
                bindings[place].keys.removeAll(where: keys.contains)
            }
        }
    }
}

/// The digits typed before a command (`12j`).
struct CountPrefix {
    private(set) var value: Int?

    /// More than any gallery holds; further digits are ignored.
    private static let limit = 999_999

    /// Takes a digit; false if the key is not one, or a zero with nothing before it.
    mutating func take(_ key: Key) -> Bool {
        guard case .character(let scalar) = key, ("0"..."9").contains(scalar),
            value != nil || scalar != "0"
        else { return false }
        let next = (value ?? 0) * 10 + Int(scalar.value - 0x30)
        value = next <= Self.limit ? next : value
        return true
    }

    /// Ends the number: what was typed, to be used once.
    mutating func finish() -> Int? {
        defer { value = nil }
        return value
    }
}
