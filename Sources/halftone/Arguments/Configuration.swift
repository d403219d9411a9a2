import FoundationEssentials

/// The configuration file: an object whose keys are the long options, and `keys` for the key map.
struct Configuration {
    /// What the file says, option by option, in no particular order.
    private(set) var settings: [String: JSONValue] = [:]
    /// New keys for commands: command name → keys.
    private(set) var keys: [String: [String]] = [:]
    /// A line for each mistake; everything else counts.
    private(set) var mistakes: [UsageError] = []

    private let path: String
    private let lines: [Substring]

    /// Reads the file at `path`; a missing one is an empty configuration unless it `isRequired`.
    init(path: String, isRequired: Bool) {
        self.path = path
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            lines = []
            if isRequired {
                mistakes = [UsageError(subject: path, reason: "cannot be read")]
            }
            return
        }
        lines = String(decoding: data, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        do {
            settings = try JSONDecoder().decode([String: JSONValue].self, from: data)
        } catch {
            mistakes = [UsageError(subject: path, reason: Self.reason(of: error))]
        }
        readKeys()
    }

    /// Applies every setting to `options`; what is wrong is left out and noted.
    mutating func apply(to options: inout Options, parser: ArgumentParser) {
        for (name, value) in settings.sorted(by: { $0.key < $1.key }) {
            guard let spec = parser.spec(named: name), spec.group != .program || name == "trace"
            else {
                let nearest = parser.nearestName(to: name).map { "; did you mean \($0)?" } ?? ""
                note(name, "is no option" + nearest)
                continue
            }
            apply(spec, value, to: &options, parser: parser)
        }
    }

    private mutating func apply(
        _ spec: OptionSpec, _ value: JSONValue, to options: inout Options, parser: ArgumentParser
    ) {
        let texts: [String]
        switch value {
        case .flag(let isOn):
            guard spec.placeholder == nil else { return note(spec.name, "needs a value") }
            texts = isOn ? [""] : []
        case .text, .number:
            guard spec.placeholder != nil else { return note(spec.name, "is true or false") }
            texts = [value.word]
        case .list(let values):
            texts = values.map(\.word)
        case .object, .null:
            return note(spec.name, "is neither text, number, true nor false")
        }
        for text in texts {
            do {
                try parser.apply(spec, text, as: spec.name, to: &options)
            } catch {
                note(spec.name, error.reason)
            }
        }
    }

    private mutating func readKeys() {
        guard let value = settings.removeValue(forKey: "keys") else { return }
        guard case .object(let commands) = value else {
            return note("keys", "is no object of command: [keys]")
        }
        for (command, value) in commands {
            guard case .list(let values) = value else {
                note(command, "is no list of keys")
                continue
            }
            keys[command] = values.map(\.word)
        }
    }

    private mutating func note(_ key: String, _ reason: String) {
        let line = lines.firstIndex { $0.contains("\"\(key)\"") }.map { ":\($0 + 1)" } ?? ""
        mistakes.append(UsageError(subject: "\(path)\(line): \(key)", reason: reason))
    }

    private static func reason(of error: any Error) -> String {
        guard case DecodingError.dataCorrupted(let context) = error else {
            return "is no JSON object"
        }
        let underlying = context.underlyingError.map { " (\($0))" } ?? ""
        return ("is no JSON" + underlying).split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}

/// A value of a JSON document.
enum JSONValue: Decodable, Hashable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([JSONValue].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// The value as it would stand on a command line.
    var word: String {
        switch self {
        case .text(let text): text
        case .number(let number): Int(exactly: number).map(String.init) ?? String(number)
        case .flag(let flag): String(flag)
        case .null, .list, .object: ""
        }
    }
}
