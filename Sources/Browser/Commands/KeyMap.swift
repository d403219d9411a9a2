import Basics

/// The part of the interface that receives a key.
public enum KeyContext: String, CaseIterable, Sendable {
    case gallery, viewer, prompt, dialog, help
}

/// Where the user's own bindings apply, by its name in the configuration: a context, or one layout of the gallery, which goes first.
public enum BindingScope: String, CaseIterable, Sendable {
    case list, grid, rows, gallery, viewer, dialog, help

    /// The part of the interface that receives its keys.
    var context: KeyContext {
        KeyContext(rawValue: rawValue) ?? .gallery
    }

    /// Returns the scopes in which a key of `context` is looked up, in this order.
    static func all(in context: KeyContext, _ layout: Layout) -> [BindingScope] {
        allCases.filter {
            $0.context == context && Layout(rawValue: $0.rawValue).map { $0 == layout } ?? true
        }
    }
}

/// The key bindings: one table for dispatch, help and tests.
public struct KeyMap: Sendable {
    /// A command with its keys in some contexts: a row of the table of commands.
    public struct Binding: Sendable {
        /// The heading in the help.
        var group: String
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
        var handlers: CommandHandlers

        /// The contexts in which the keys are bound.
        public var contexts: [KeyContext] { KeyContext.allCases.filter { handlers[$0] != nil } }
    }

    /// A sequence of keys, and the lines bound to it.
    public typealias BoundLines = (keys: [Key], lines: [String])

    /// All bindings, in the order of the help.
    public private(set) var bindings: [Binding]
    /// The lines that the user has bound to sequences of keys, in order; no lines where a key was only unbound.
    public private(set) var lines: [BindingScope: [BoundLines]] = [:]

    /// The keys of other alphabets' keyboards, by the Latin letter or sign that is on the same key.
    private(set) var latinKeys = Self.standardLatinKeys

    /// What a sequence of keys does.
    enum Action {
        case command(Binding)
        case lines([String])
    }

    /// Returns the command bound to `key` in `context`.
    public func command(for key: Key, in context: KeyContext) -> Command? {
        binding(for: key, in: context)?.command
    }

    private func binding(for key: Key, in context: KeyContext) -> Binding? {
        bindings.last { $0.handlers[context] != nil && $0.keys.contains(key) }
    }

    /// Returns what `keys` do in `context`; nil if they do nothing.
    func action(of keys: [Key], in context: KeyContext, _ layout: Layout = .grid) -> Action? {
        for scope in BindingScope.all(in: context, layout) {
            if let own = lines[scope]?.last(where: { $0.keys == keys })?.lines {
                return own.isEmpty ? nil : .lines(own)
            }
        }
        return keys.count == 1 ? binding(for: keys[0], in: context).map(Action.command) : nil
    }

    /// Returns the key of a Latin keyboard that is at the same place as `key`; the same key if it needs no translation.
    func latin(_ key: Key) -> Key {
        switch key {
        case .character(let scalar): .character(latinKeys[scalar] ?? scalar)
        case .modified(let modifiers, let plain): .modified(modifiers, latin(plain))
        default: key
        }
    }

    /// Has keys that type the `others` characters do what those that type `latin` do, one by one.
    public mutating func translate(_ others: String, as latin: String) {
        latinKeys.merge(zip(others.unicodeScalars, latin.unicodeScalars)) { $1 }
    }

    /// Returns the bound sequences that begin with `keys` and are longer, and their lines.
    func continuations(of keys: [Key], in context: KeyContext, _ layout: Layout) -> [BoundLines] {
        BindingScope.all(in: context, layout).flatMap { lines[$0] ?? [] }
            .filter {
                $0.keys.count > keys.count && $0.keys.starts(with: keys) && !$0.lines.isEmpty
            }
    }

    /// Returns the keys that run a command in a context: its own that the user has not bound to something else, then the user's.
    func keys(for command: Command, in context: KeyContext) -> [Key] {
        var found =
            bindings.first { $0.command == command && $0.handlers[context] != nil }
            .map { keys(of: $0, in: [context]) } ?? []
        for scope in BindingScope.allCases where scope.context == context {
            for (keys, lines) in lines[scope] ?? []
            where keys.count == 1 && lines == [":\(command.rawValue)"] {
                found += keys
            }
        }
        return found
    }

    /// Returns the keys of a row that run it in one of `contexts`, rather than the user's lines.
    func keys(of row: Binding, in contexts: [KeyContext]) -> [Key] {
        func runs(_ key: Key, in context: KeyContext) -> Bool {
            guard case .command(let found)? = action(of: [key], in: context) else { return false }
            return found.command == row.command
        }
        return row.keys.filter { key in contexts.contains { runs(key, in: $0) } }
    }

    /// Finds the command of `context` by a name or an unambiguous prefix; `candidates` are those that it may be short for, sorted.
    func command(
        named name: String, in context: KeyContext
    ) -> (row: Binding?, candidates: [String]) {
        let all = bindings.filter { $0.handlers[context] != nil }
        let similar = all.filter { $0.command.rawValue.hasPrefix(name) }
        let names = Set(similar.map(\.command.rawValue)).sorted()
        // A name that is whole elsewhere is not short for another here.
        let isWhole = bindings.contains { $0.names.contains(name) }
        let only = names.count == 1 && !isWhole ? similar.first : nil
        return (all.first { $0.names.contains(name) } ?? only, names)
    }

    /// Returns the map with new keys for some commands, given by name as in the configuration, and the mistakes in `changes`.
    ///
    /// A key is taken from its previous command. `q` stays with `quit` and `?` with `help` in any case; digits
    /// remain counts.
    public func rebinding(_ changes: [String: [String]]) -> (
        map: KeyMap, mistakes: [(command: String, reason: String)]
    ) {
        var map = self
        var mistakes: [(command: String, reason: String)] = []
        var given: [(Command, Key)] = []
        for (name, keyNames) in changes.sorted(by: { $0.key < $1.key }) {
            guard let command = Command(rawValue: name) else {
                mistakes.append((name, "no such command"))
                continue
            }
            var keys: [Key] = []
            for keyName in keyNames {
                do throws(BindingMistake) {
                    let key = try Self.keys(named: [keyName])[0]
                    if let owner = Self.reserved[key], owner != command {
                        throw BindingMistake("\(keyName) stays with \(owner.rawValue)")
                    }
                    keys.append(key)
                    given.append((command, key))
                } catch {
                    mistakes.append((name, error.reason))
                }
            }
            map.bind(command, to: keys)
        }
        for (command, key) in given
        where !map.bindings.contains(where: { $0.command == command && $0.keys.contains(key) }) {
            mistakes.append((command.rawValue, "\(key.name) is another command's, too"))
        }
        return (map, mistakes)
    }

    /// Returns the keys of a sequence.
    private static func keys(named names: [String]) throws(BindingMistake) -> [Key] {
        var keys: [Key] = []
        for name in names {
            guard let key = Key(name: name) else {
                throw BindingMistake("no such key: \(name.oneLine())")
            }
            if keys.isEmpty, case .character("1"..."9") = key {
                throw BindingMistake("digits are counts")
            }
            keys.append(key)
        }
        return keys
    }

    private static let reserved: [Key: Command] = [.character("q"): .quit, .character("?"): .help]

    /// Gives `command` the keys in all of its contexts, but a key that it already has only in some stays limited to those.
    private mutating func bind(_ command: Command, to keys: [Key]) {
        let known = bindings.filter { $0.command == command }.flatMap(\.keys)
        for own in bindings.indices where bindings[own].command == command {
            let before = bindings[own].keys
            let contexts = bindings[own].contexts
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

    /// Binds `sequence`, the names of keys separated by spaces, to `new` lines, which begin with `:` or `!`; no lines unbind it.
    ///
    /// The last key that quits or shows the help can be neither unbound nor bound to something else.
    public mutating func bind(
        _ sequence: String, in scope: BindingScope, to new: [String]
    ) throws(BindingMistake) {
        let keys = try Self.keys(named: sequence.split(separator: " ").map(String.init))
        if keys.isEmpty { throw BindingMistake("no key") }
        for line in new {
            if let reason = mistake(in: line, of: scope.context) {
                throw BindingMistake(reason)
            }
        }
        let before = lines[scope]
        lines[scope] = (before ?? []).filter { $0.keys != keys } + [(keys, new)]
        for command in [Command.quit, .help] where isUnreachable(command, in: scope) {
            lines[scope] = before
            throw BindingMistake("the last key of \(command.rawValue)")
        }
    }

    private func isUnreachable(_ command: Command, in scope: BindingScope) -> Bool {
        guard scope.context == .gallery || scope.context == .viewer else { return false }
        let layout = Layout(rawValue: scope.rawValue) ?? .grid
        let keys = bindings.filter { $0.command == command }.flatMap(\.keys).map { [$0] }
        let bound = BindingScope.all(in: scope.context, layout).flatMap { lines[$0] ?? [] }.map(
            \.keys)
        return !(keys + bound).contains { keys in
            switch action(of: keys, in: scope.context, layout) {
            case .command(let row): row.command == command
            case .lines(let lines): lines.contains(":\(command.rawValue)")
            case nil: false
            }
        }
    }

    /// Returns what is wrong with a line that a key is to run in `context`; nil if nothing is.
    public func mistake(in line: String, of context: KeyContext) -> String? {
        if let command = ExternalCommand(line: line) {
            return command.words.isEmpty ? "nothing to run" : nil
        }
        guard line.hasPrefix(":") else { return "\(line.oneLine()): begins with neither : nor !" }
        do throws(BindingMistake) {
            _ = try call(line.dropFirst(), in: context)
            return nil
        } catch {
            return error.reason
        }
    }

    /// Finds the command that a line typed after `:` names, by its name or an unambiguous prefix, and what follows that; a number
    /// alone selects that picture, and one after a command that takes nothing else is its count.
    func call(
        _ line: some StringProtocol, in context: KeyContext
    ) throws(BindingMistake) -> (row: Binding, count: Int?, argument: String, isForced: Bool) {
        let typed = line.drop { $0 == " " }
        let word = String(typed.prefix { $0 != " " })
        let line = "\(Self.synonyms[word] ?? word)\(typed.dropFirst(word.count))"
        let name = String(line.prefix { $0 != " " })
        var argument = String(line.dropFirst(name.count).drop { $0 == " " })
        var count = Int(name).flatMap { $0 > 0 ? $0 : nil }
        let (row, candidates) = command(
            named: count == nil ? name : Command.first.rawValue, in: context)
        guard let row else {
            let names = candidates.joined(separator: ", ")
            let other = bindings.first { $0.names.contains(name) }?.contexts.first
            if let other { throw BindingMistake("\(name): only in the \(other)") }
            throw BindingMistake(
                names.isEmpty ? "no such command: \(name)" : "\(name): \(names)?")
        }
        if row.argument.isEmpty, !argument.isEmpty {
            guard count == nil, let number = Int(argument),
                (1...CountPrefix.limit).contains(number)
            else { throw BindingMistake("\(row.command.rawValue) takes nothing") }
            count = number
            argument = ""
        }
        return (row, count, argument, word.last == "!")
    }

    /// What is typed for commands of other programs, and for those that make a folder without asking.
    private static let synonyms = [
        "exit": "quit", "delete": "trash", "rm": "trash", "mv": "move",
        "ls": "toggle-layout list", "move!": "move", "copy!": "copy",
    ]

    /// The standard keyboards of Russian and Ukrainian, Greek, Hebrew and Arabic, as in xkeyboard-config.
    private static let standardLatinKeys: [Unicode.Scalar: Unicode.Scalar] = {
        let keyboards: KeyValuePairs = [
            "йцукенгшщзхъфывапролджэячсмитьбюёіїєґ": "qwertyuiop[]asdfghjkl;'zxcvbnm,.`s]'\\",
            "ЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮЁІЇЄҐ":
                "QWERTYUIOP{}ASDFGHJKL:\"ZXCVBNM<>~S}\"|",
            "ςερτυθιοπασδφγηξκλζχψωβνμ": "wertyuiopasdfghjklzxcvbnm",
            "ΕΡΤΥΘΙΟΠΑΣΔΦΓΗΞΚΛΖΧΨΩΒΝΜ": "ERTYUIOPASDFGHJKLZXCVBNM",
            "קראטוןםפשדגכעיחלךףזסבהנמצתץ": "ertyuiopasdfghjkl;zxcvbnm,.",
            "ضصثقفغعهخحجدشسيبلاتنمكطئءؤرىةوزظذ": "qwertyuiop[]asdfghjkl;'zxcvnm,./`",
        ]
        return Dictionary(keyboards.flatMap { zip($0.unicodeScalars, $1.unicodeScalars) }) { $1 }
    }()

    /// The default bindings, as the manual lists them.
    public static let standard: KeyMap = {
        let all = Command.allCases.flatMap(\.bindings)
        return KeyMap(
            bindings: CommandGroup.allCases.flatMap { group in
                all.filter { $0.group == group.rawValue }
            })
    }()

    /// The heading of the conditions that searching and filtering understand.
    public static let conditions = "Search and filter"

    /// Keys, mouse actions and conditions not bound to a command, for the help and manual.
    public static let notes: [(group: String, keys: String, text: String)] = [
        ("Counts and mouse", "12j", "a number before a key repeats it, or names a picture"),
        ("Counts and mouse", "wheel", "scroll; in the viewer next or previous, or pan"),
        ("Counts and mouse", "Ctrl-wheel", "zoom at the pointer"),
        ("Counts and mouse", "click", "select; go to a section, answer, open the help"),
        ("Counts and mouse", "double click", "open; in the viewer go back"),
        ("Counts and mouse", "drag", "pan the zoomed picture"),
        (conditions, "Word", "in titles, names, captions; capitals are meant if typed"),
        (conditions, "a/b", "in the address or path"),
        (conditions, "w>=800 h<600", "width and height in pixels: > >= = <= <"),
        (conditions, "date>2024-05", "newer than that day, month or year; taken> by the camera"),
        (conditions, "size>2M", "the file in bytes, where a folder or listing tells it"),
        (conditions, "is:new", "new in a followed gallery; is:video a video"),
        (conditions, "iso>=800", "what the camera wrote; also camera:x100, lens:35, and rating>3"),
        (conditions, ".png", "of this file type"),
        (conditions, "host:example", "from this server"),
        (conditions, "have:no", "not yet here, as far as seen; also have:yes and have:smaller"),
        ("While typing", "← → ^a ^e", "move the cursor"),
        ("While typing", "^w ^u ^k", "delete a word, to the start, to the end"),
        ("While typing", "↑ ↓", "earlier lines"),
        (
            "While typing", "{} {title}",
            "after ! the pictures' names, which else come last; or a value"
        ),
        ("While typing", "Enter, Esc", "accept, cancel"),
    ]
}

/// Why a key cannot be bound, or a line cannot be run, in one line.
public struct BindingMistake: Error, CustomStringConvertible {
    /// The reason in plain words.
    public let reason: String
    /// The reason.
    public var description: String { reason }

    init(_ reason: String) { self.reason = reason }
}

/// The headings of the help, in order.
enum CommandGroup: String, CaseIterable {
    case moving = "Moving"
    case gallery = "Gallery"
    case viewer = "Viewer"
    case pictures = "Pictures"
    case questions = "Questions"
    case program = "Program"

    /// The first of its commands, in the order of `Command`, and where most of them apply.
    var start: (command: Command, contexts: [KeyContext]) {
        switch self {
        case .moving: (.left, [.gallery])
        case .gallery: (.open, [.gallery, .viewer])
        case .viewer: (.nextPicture, [.viewer])
        case .pictures: (.mark, [.gallery, .viewer])
        case .questions: (.accept, [.dialog])
        case .program: (.commandLine, [.gallery, .viewer])
        }
    }
}

/// The count typed before a command (`12j`).
struct CountPrefix {
    private(set) var value: Int?

    /// More than any gallery holds; further digits are ignored.
    static let limit = 999_999

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
        defer { value = nil }
        return value
    }
}
