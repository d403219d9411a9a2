import Basics

/// The configuration file: an object whose keys are the long options, and `keys` for the key map.
///
/// JSON, in which comments and trailing commas are forgiven. A mistake in it is noted, and everything else counts.
struct Configuration {
    /// New keys for commands: command name → keys.
    private(set) var keys: [String: [String]] = [:]
    /// A line for each mistake.
    private(set) var mistakes: [UsageError] = []

    private var settings: [LooseValue.Member] = []
    private let path: String
    private let lines: [Substring]
    /// A file of more bytes is no configuration.
    private static let maxBytes = 1 << 20

    /// Reads the file at `path`; a missing one is an empty configuration unless it `isRequired`.
    init(path: String, isRequired: Bool) {
        self.path = path
        guard let bytes = smallFile(path, limit: Self.maxBytes) else {
            lines = []
            if isRequired {
                mistakes = [UsageError(subject: path, reason: "cannot be read")]
            }
            return
        }
        lines = String(decoding: bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        do throws(LooseSyntaxError) {
            let value = try LooseParser.document(bytes)
            if case .object(let members) = value {
                settings = members
            } else {
                mistakes = [UsageError(subject: path, reason: "is no JSON object")]
            }
        } catch {
            mistakes = [UsageError(subject: "\(path):\(error.line)", reason: "is no JSON")]
        }
        readKeys()
    }

    /// Applies every setting to `options`; what is wrong is left out and noted.
    mutating func apply(to options: inout Options, parser: ArgumentParser) {
        for setting in settings {
            let name = setting.key
            guard let spec = parser.spec(named: name), spec.group != .program || name == "trace"
            else {
                let nearest = parser.nearestName(to: name).map { "; did you mean \($0)?" } ?? ""
                note(name, "is no option" + nearest)
                continue
            }
            let texts: [String]
            do throws(UsageError) {
                texts = try self.texts(of: setting.value, for: spec)
            } catch {
                note(name, error.reason)
                continue
            }
            for text in texts {
                do throws(UsageError) {
                    try parser.apply(spec, text, as: name, to: &options)
                } catch {
                    note(name, error.reason)
                }
            }
        }
    }

    /// The values as they would stand on a command line: one, several, or none for a switch that is off.
    private func texts(of value: LooseValue, for spec: OptionSpec) throws(UsageError) -> [String] {
        switch value {
        case .flag(let isOn):
            guard spec.placeholder == nil else {
                throw UsageError(subject: spec.name, reason: "needs a value")
            }
            return isOn ? [""] : []
        case .text, .number:
            guard spec.placeholder != nil else {
                throw UsageError(subject: spec.name, reason: "is true or false")
            }
            return [value.word]
        case .array(let values):
            return values.map(\.word)
        case .object, .null, .other:
            throw UsageError(
                subject: spec.name, reason: "is neither text, number, true nor false")
        }
    }

    private mutating func readKeys() {
        guard let place = settings.firstIndex(where: { $0.key == "keys" }) else { return }
        guard case .object(let commands) = settings.remove(at: place).value else {
            return note("keys", "is no object of command: [keys]")
        }
        for command in commands {
            if case .array(let values) = command.value {
                keys[command.key] = values.map(\.word)
            } else {
                note(command.key, "is no list of keys")
            }
        }
    }

    private mutating func note(_ key: String, _ reason: String) {
        let line = lines.firstIndex { $0.contains("\"\(key)\"") }.map { ":\($0 + 1)" } ?? ""
        mistakes.append(UsageError(subject: "\(path)\(line): \(key)", reason: reason))
    }
}

extension LooseValue {
    /// The value as it would stand on a command line.
    fileprivate var word: String {
        switch self {
        case .text(let text): text
        case .number(let number): Int(exactly: number).map(String.init) ?? String(number)
        case .flag(let flag): String(flag)
        case .null, .array, .object, .other: ""
        }
    }
}
