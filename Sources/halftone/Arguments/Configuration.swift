import Basics
import Browser
import Gallery
import Network
import Terminal

/// The configuration file: an object whose keys are the long options, plus `keys` and `bind` for the keys of the keyboard, hooks, and
/// `open` for programs.
///
/// JSON with comments and trailing commas allowed. Invalid settings are reported, and all others apply.
struct Configuration {
    /// What is wrong in the file: `file:line: key: reason`, without what is unknown.
    var mistakes: [String] = []
    /// The defaults, as far as it does not change them.
    var options = Options()

    private var settings: [LooseValue.Member] = []
    private let path: String
    private let home: String
    private var bytes: [UInt8] = []
    /// Larger files are rejected.
    private static let maxBytes = 1 << 20

    /// Reads the file at `path`; a missing one is an empty configuration unless `isRequired`.
    ///
    /// In values `~` is the folder `home`, as it is for a shell.
    init(path: String, isRequired: Bool, home: String = "") {
        self.path = path
        self.home = home
        guard let file = smallFile(path, limit: Self.maxBytes) else {
            if isRequired { mistakes = ["\(path): cannot be read"] }
            return
        }
        bytes = file
        do throws(LooseSyntaxError) {
            if case .object(let members) = try LooseParser.document(bytes) {
                settings = members
                // Programs here need not be there.
                options.settings = members.filter {
                    ["bind", "keys", "langmap", "theme"].contains($0.key)
                        && !$0.value.json.contains("!")
                }
                apply()
            } else {
                mistakes = ["\(path): is not a JSON object"]
            }
        } catch {
            mistakes = ["\(path):\(error.line): is not JSON"]
        }
    }

    /// Applies every setting; invalid ones are skipped and recorded.
    private mutating func apply() {
        readKeys()
        readBindings()
        readTranslations()
        readHooks()
        options.browser.programs = readPrograms("open") + options.browser.programs
        options.programs = readPrograms("programs")
        readTheme(object("theme"))
        if let member = take("browser-program") {
            if let words = member.value.lines {
                options.browserProgram = words.map { $0.expanded(home: home) }
            } else {
                note(member, "must be a program or a list of words")
            }
        }
        let sites = object("sites")
        for setting in settings { apply(setting) }
        for site in sites {
            let name = site.key.replacing("http://", with: "")
            guard let address = Address("http://\(name)"), "http://\(name)" == address.origin,
                site.key == name || name == address.host,
                case .object(let members) = site.value
            else {
                note(site, "is not a host with an object of options")
                continue
            }
            for setting in members { apply(setting, of: site.key) }
        }
    }

    /// Applies a setting, or notes why it cannot be; one of a `site` is only tried, as it applies to what the command line leaves of the
    /// others.
    private mutating func apply(_ setting: LooseValue.Member, of site: String? = nil) {
        // What an option switches off is also off by its own name: "hints": false.
        let own = OptionSpec.ofSites.first { site != nil && $0.name == setting.key }
        guard
            let spec = own ?? OptionSpec.named(setting.key) ?? OptionSpec.named("no-\(setting.key)")
        else {
            let nearest = OptionSpec.nearestName(to: setting.key).map { "; did you mean \($0)?" }
            return note(setting, "is not an option\(nearest ?? "")")
        }
        if site == nil, !spec.isSetting {
            return note(setting, "stands on the command line only")
        }
        // A log-in in a browser is that of the SOURCE.
        if site != nil, own == nil, spec.group != .network || spec.name == "cookies-from-browser" {
            return note(setting, "does not differ by host")
        }
        if site == nil, spec.group != .program,
            !["FILE", "DIR", "'K: V'"].contains(spec.placeholder)
        {
            options.settings.append(setting)
        }
        for text in texts(of: setting, for: spec).map({ $0.expanded(home: home) }) {
            do {
                // On the command line an unusable recipe ends the program; here it is one mistake of several.
                if spec.name == "recipe" { _ = try Recipe(file: text) }
                var changed = options
                try spec.apply(&changed, text, as: spec.name)
                if let site {
                    options.sites[site, default: []].append((spec, text))
                } else {
                    options = changed
                }
            } catch {
                note(setting, (error as? UsageError)?.reason ?? "\(error)")
            }
        }
    }

    /// Returns the values in command line form: one, several, or none for a switch that is off or an invalid value, which is recorded.
    private mutating func texts(of setting: LooseValue.Member, for spec: OptionSpec) -> [String] {
        let isSwitch = spec.placeholder == nil
        switch setting.value {
        case .flag(let isOn) where isSwitch:
            return isOn == (setting.key == spec.name) ? [""] : []
        case .text where !isSwitch, .number where !isSwitch: return [setting.value.word]
        case .array(let values): return values.map(\.word)
        case .flag: note(setting, "needs a value")
        case .text, .number: note(setting, "must be true or false")
        case .object, .null, .other: note(setting, "must be text, a number, true or false")
        }
        return []
    }

    private mutating func take(_ name: String) -> LooseValue.Member? {
        settings.firstIndex { $0.key == name }.map { settings.remove(at: $0) }
    }

    private mutating func object(_ name: String) -> [LooseValue.Member] {
        guard let member = take(name) else { return [] }
        if case .object(let members) = member.value { return members }
        note(member, "must be an object, as --print-config shows it")
        return []
    }

    private mutating func readKeys() {
        let commands = object("keys")
        var changes: [String: [String]] = [:]
        for command in commands {
            if case .array(let values) = command.value {
                changes[command.key] = values.map(\.word)
            } else {
                note(command, "must be a list of keys")
            }
        }
        guard !changes.isEmpty else { return }
        let (keys, mistakes) = KeyMap.standard.rebinding(changes)
        options.browser.keys = keys
        for mistake in mistakes {
            commands.first { $0.key == mistake.command }.map { note($0, mistake.reason) }
        }
    }

    private mutating func readBindings() {
        for section in object("bind") {
            guard let scope = BindingScope(rawValue: section.key) else {
                let names = BindingScope.allCases.map(\.rawValue).joined(separator: ", ")
                note(section, "is not one of \(names)")
                continue
            }
            for member in section.value.members {
                guard let lines = member.value.lines else {
                    note(member, "must be a line or a list of lines")
                    continue
                }
                do throws(BindingMistake) {
                    try options.browser.keys.bind(member.key, in: scope, to: lines)
                } catch {
                    note(member, error.reason)
                }
            }
        }
    }

    private mutating func readTranslations() {
        for member in object("langmap") {
            let latin = member.value.word
            guard !latin.isEmpty, member.key.unicodeScalars.count == latin.unicodeScalars.count
            else {
                note(member, "must name as many keys as there are letters")
                continue
            }
            options.browser.keys.translate(member.key, as: latin)
        }
    }

    /// Reads the colours of roles, for terminals with a dark or light `ground`, or both.
    private mutating func readTheme(_ members: [LooseValue.Member], on ground: String? = nil) {
        for member in members {
            if ground == nil, ["dark", "light"].contains(member.key) {
                readTheme(member.value.members, on: member.key)
            } else if !options.theme.set(member.key, to: member.value.word, on: ground) {
                let roles = ThemeColors.roles.joined(separator: ", ")
                note(
                    member,
                    "is not one of \(roles), or its colour is neither red, bright-red, … default nor #RRGGBB"
                )
            }
        }
    }

    private mutating func readHooks() {
        for hook in Hook.allCases {
            guard let member = take(hook.rawValue) else { continue }
            let lines = member.value.lines
            let mistake = lines?.lazy.compactMap {
                KeyMap.standard.mistake(in: $0, of: hook == .open ? .viewer : .gallery)
            }.first
            if let reason = lines == nil ? "must be a line or a list of lines" : mistake {
                note(member, reason)
            } else {
                options.browser.hooks[hook] = lines
            }
        }
    }

    private mutating func readPrograms(_ name: String) -> ProgramRules {
        object(name).compactMap { member in
            if let words = member.value.lines, !words.isEmpty { return (member.key, words) }
            note(member, "must be a list of words")
            return nil
        }
    }

    /// Records a mistake at the line that sets it.
    private mutating func note(_ setting: LooseValue.Member, _ reason: String) {
        let line = bytes[..<setting.at].count { $0 == "\n" } + 1
        mistakes.append("\(path):\(line): \(setting.key): \(reason)")
    }

    /// A fully commented-out configuration with every option and its default, if any, and the keys of every command.
    static var commented: String {
        var lines = ["// JSON with comments and trailing commas", "{"]
        for group in OptionSpec.Group.allCases where group != .program {
            lines.append("  // \(group.rawValue)")
            for spec in OptionSpec.all where spec.group == group {
                lines.append("  // \"\(spec.name)\": \(spec.settingText),  // \(spec.help)")
            }
        }
        lines.append(
            """
              // Keys by command: the ones written here replace those that it has
              "keys": {
            """)
        for command in Command.allCases {
            let bindings = KeyMap.standard.bindings.filter { $0.command == command }
            var keys: [String] = []
            for key in bindings.flatMap(\.keys).map({ JSONString.quoted($0.name) })
            where !keys.contains(key) { keys.append(key) }
            let summary = bindings.first?.summary ?? ""
            lines.append(
                "    // \"\(command.rawValue)\": [\(keys.joined(separator: ", "))],  // \(summary)")
        }
        lines.append(
            """
              },
              // Lines by keys, in list, grid, rows, gallery, viewer, dialog or help
              // "bind": { "viewer": { "d": [":trash"], "g h": ":home" } },
              // Lines that are run when a picture is shown in the viewer, has been saved, and at the end
            """)
        lines += Hook.allCases.map { "  // \"\($0.rawValue)\": \"!&PROGRAM {path}\"," }
        lines.append(
            """
              // Programs that Enter hands pictures to, by media type
              // "open": { "video/*": ["mpv", "{path}"] },
              // Programs that open addresses that are typed, and print HTML, or JSON as gallery-dl and yt-dlp do
              // "programs": { "https://example.org/*": ["gallery-dl", "-j", "-o", "output.jsonl=true", "{url}"] },
              // The browser that draws pages, with its arguments
              // "browser-program": ["chromium"],
              // Options of the network for a host and those below it
              // "sites": { "example.org": { "pause": "1-3", "user": "me", "password-command": ["pass", "example.org"] } },
            }

            """)
        return lines.joined(separator: "\n")
    }
}

extension OptionSpec {
    /// The value in the configuration: the default, or else what the help calls the value.
    fileprivate var settingText: String {
        guard let placeholder else { return "true" }
        if case .number = values, let defaultValue { return defaultValue }
        return JSONString.quoted(defaultValue ?? placeholder.filter { $0 != "'" })
    }
}

extension LooseValue {
    /// The lines of a list, or of one text, which may be empty for none; nil for anything else.
    fileprivate var lines: [String]? {
        if case .text(let line) = self { return line.isEmpty ? [] : [line] }
        guard case .array(let elements) = self else { return nil }
        let lines = elements.compactMap(\.text)
        return lines.count == elements.count ? lines : nil
    }

    /// The value in command line form.
    fileprivate var word: String {
        switch self {
        case .text(let text): text
        case .number, .flag: json
        case .null, .array, .object, .other: ""
        }
    }
}
