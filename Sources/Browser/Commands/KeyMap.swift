import Basics

/// The part of the interface that receives a key.
public enum KeyContext: CaseIterable, Sendable {
    case gallery, viewer, prompt, dialog, help
}

/// The key bindings: one table for dispatch, help and tests.
public struct KeyMap: Sendable {
    /// A command with its keys in some contexts: a row of the table of commands.
    public struct Binding: Sendable {
        /// The heading in the help.
        public var group: String
        /// The command.
        public var command: Command
        /// The names that can be typed after `:`; the first is the command's own.
        public var names: [String]
        /// The description in the help.
        public var summary: String
        /// The keys, most common first; empty if the command can only be typed.
        public var keys: [Key]
        /// The argument when typed after `:`, with choices separated by `|`; empty if it takes none.
        public var argument: String
        /// Whether pasted keys must not run it.
        var isRisky: Bool
        /// What it does in each context in which its keys are bound.
        var handlers: [KeyContext: CommandHandler]

        /// The contexts in which the keys are bound.
        public var contexts: [KeyContext] { KeyContext.allCases.filter { handlers[$0] != nil } }
    }

    /// All bindings, in the order of the help.
    public private(set) var bindings: [Binding]

    /// Returns the command bound to `key` in `context`.
    public func command(for key: Key, in context: KeyContext) -> Command? {
        binding(for: key, in: context)?.command
    }

    func binding(for key: Key, in context: KeyContext) -> Binding? {
        bindings.last { $0.handlers[context] != nil && $0.keys.contains(key) }
    }

    /// Returns the keys of a command in a context.
    public func keys(for command: Command, in context: KeyContext) -> [Key] {
        bindings.first { $0.command == command && $0.handlers[context] != nil }?.keys ?? []
    }

    /// Finds the command of `context` by a name or an unambiguous prefix; the error lists all candidates.
    func command(named name: String, in context: KeyContext) -> Result<Binding, UnclearCommand> {
        let all = bindings.filter { $0.handlers[context] != nil }
        if let exact = all.first(where: { $0.names.contains(name) }) { return .success(exact) }
        let similar = all.filter { $0.command.rawValue.hasPrefix(name) }
        let names = Set(similar.map(\.command.rawValue)).sorted()
        if names.count == 1, let only = similar.first { return .success(only) }
        return .failure(UnclearCommand(names: names))
    }

    /// Returns the sorted names of the commands that can be typed in `context`.
    func names(in context: KeyContext) -> [String] {
        Set(bindings.filter { $0.handlers[context] != nil }.map(\.command.rawValue)).sorted()
    }

    struct UnclearCommand: Error { var names: [String] }

    /// Returns the map with new keys for some commands, given by name as in the configuration, and the mistakes in `changes`.
    ///
    /// A key is taken from its previous command. `q` stays with `quit` and `?` with `help` in any case; digits
    /// remain counts.
    public func rebinding(_ changes: [String: [String]]) -> (
        map: KeyMap, mistakes: [(command: String, reason: String)]
    ) {
        var map = self
        var mistakes: [(command: String, reason: String)] = []
        for (name, keyNames) in changes.sorted(by: { $0.key < $1.key }) {
            guard let command = Command(rawValue: name) else {
                mistakes.append((name, "no such command"))
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
        _ name: String, for command: Command, mistakes: inout [(command: String, reason: String)]
    ) -> Key? {
        guard let key = Key(name: name) else {
            mistakes.append((command.rawValue, "no such key: \(name.oneLine())"))
            return nil
        }
        if let owner = reserved[key], owner != command {
            mistakes.append((command.rawValue, "\(name) stays with \(owner.rawValue)"))
            return nil
        }
        if case .character("1"..."9") = key {
            mistakes.append((command.rawValue, "digits are counts"))
            return nil
        }
        return key
    }

    private static let reserved: [Key: Command] = [.character("q"): .quit, .character("?"): .help]

    /// Gives `command` the keys in all of its contexts, but a key that it already has only in some stays limited to those.
    private mutating func bind(_ command: Command, to keys: [Key]) {
        let known = Set(bindings.filter { $0.command == command }.flatMap(\.keys))
        for own in bindings.indices where bindings[own].command == command {
            let (before, contexts) = (bindings[own].keys, bindings[own].contexts)
            let kept = before.filter { Self.reserved[$0] == command && !keys.contains($0) }
            let new = keys.filter { before.contains($0) || !known.contains($0) }
            bindings[own].keys = new + kept
            for other in bindings.indices
            where bindings[other].command != command
                && contexts.contains(where: bindings[other].contexts.contains)
            {
                bindings[other].keys.removeAll(where: new.contains)
            }
        }
    }
}

extension KeyMap {
    /// The default bindings, as documented in the README.
    public static let standard = KeyMap(
        bindings: CommandGroup.allCases.flatMap { group in
            Command.allCases.flatMap(\.bindings).filter { $0.group == group.rawValue }
        })

    /// Keys, mouse actions and conditions not bound to a command, for the help and manual.
    public static let notes: [(group: String, keys: String, text: String)] = [
        ("Counts and mouse", "12j", "a number before a key repeats it, or names a picture"),
        ("Counts and mouse", "wheel", "scroll; in the viewer next or previous, or pan"),
        ("Counts and mouse", "Ctrl-wheel", "zoom at the pointer"),
        ("Counts and mouse", "click", "select; go to a section, answer, open the help"),
        ("Counts and mouse", "double click", "open; in the viewer go back"),
        ("Counts and mouse", "drag", "pan the zoomed picture"),
        ("Search and filter", "Word", "in titles, names, captions; capitals are meant if typed"),
        ("Search and filter", "a/b", "in the address"),
        ("Search and filter", "w>=800 h<600", "width and height in pixels: > >= = <= <"),
        ("Search and filter", "date>2024-05", "newer than that day, month or year; also < = …"),
        ("Search and filter", ".png", "of this file type"),
        ("Search and filter", "host:example", "from this server"),
        ("While typing", "← → ^a ^e", "move the cursor"),
        ("While typing", "^w ^u ^k", "delete a word, to the start, to the end"),
        ("While typing", "↑ ↓", "earlier lines"),
        ("While typing", "{}", "after ! the pictures' names, which else come last"),
        ("While typing", "Enter, Esc", "accept, cancel"),
    ]
}

/// The headings of the help, in order.
enum CommandGroup: String, CaseIterable {
    case moving = "Moving"
    case gallery = "Gallery"
    case viewer = "Viewer"
    case pictures = "Pictures"
    case questions = "Questions"
    case program = "Program"
}

/// The count typed before a command (`12j`).
struct CountPrefix {
    private(set) var value: Int?

    /// More than any gallery holds; further digits are ignored.
    private static let limit = 999_999

    /// Takes a digit; returns false if the key is not one, or is a leading zero.
    mutating func take(_ key: Key) -> Bool {
        guard case .character(let scalar) = key, ("0"..."9").contains(scalar),
            value != nil || scalar != "0"
        else { return false }
        let next = (value ?? 0) * 10 + Int(scalar.value - 0x30)
        value = next <= Self.limit ? next : value
        return true
    }

    /// Resets the count and returns what was typed.
    mutating func finish() -> Int? {
        let typed = value
        value = nil
        return typed
    }
}
