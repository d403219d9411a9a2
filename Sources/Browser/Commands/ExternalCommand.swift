import Basics
import Collector
import Gallery
import Network
public import Pipeline

/// Another program's command line, as it is written after `!`.
///
/// No shell is involved: words are split at spaces, with a shell's quotation marks and backslashes, and `{name}` stands for a value, which
/// stays one argument whatever characters it contains.
struct ExternalCommand {
    /// Where its output goes.
    enum Mode: Character {
        /// To the terminal, which waits for Enter at the end.
        case terminal = "!"
        /// Nowhere; only a failure is told.
        case silent = "&"
        /// Through the user's pager.
        case paged = "|"
    }

    let mode: Mode
    /// The program and its arguments, before values are filled in.
    let words: [String]

    /// Returns the command with `values` in place of their names; names of pictures that the line does not mention are added if `addsNames`.
    ///
    /// `marked` are the names of the marked pictures, `chosen` these or else that of the selected one. Throws if the line mentions a value
    /// that the picture lacks.
    func call(
        _ values: PictureValues, marked: [String], chosen: [String], addsNames: Bool,
        _ texts: LocalTexts
    ) throws(BindingMistake) -> ProgramCall {
        var arguments: [String] = []
        var mentions = false
        for word in words.map(texts.expanded) {
            switch word {
            case "{}": arguments += chosen
            case "{marked}":
                if marked.isEmpty { throw BindingMistake("nothing is marked") }
                arguments += marked
            default:
                let filled = try values.filled(word) { name throws(BindingMistake) in
                    throw BindingMistake("this picture has no \(name)")
                }
                mentions = mentions || filled != word
                arguments.append(filled)
                continue
            }
            mentions = true
        }
        if addsNames, !mentions { arguments += chosen }
        let list = marked.joined(separator: "\n")
        // Half of what the kernel takes in one variable (MAX_ARG_STRLEN).
        let isShort = !list.isEmpty && list.utf8.count <= 65_536
        let named = values.named + [("marked", isShort ? list : nil)]
        let variables = named.compactMap { name, value in
            value.map { ("HALFTONE_\(name.uppercased())", $0) }
        }
        return ProgramCall(
            words: arguments, variables: Dictionary(variables) { $1 }, isPaged: mode == .paged)
    }
}

extension ExternalCommand {
    /// Parses a line with or without the `!` at its start.
    init(_ line: some StringProtocol) {
        let rest = line.drop { "! ".contains($0) }
        mode = rest.first.flatMap(Mode.init) ?? .terminal
        words = Self.words(rest.dropFirst(mode == .terminal ? 0 : 1))
    }

    /// Parses a line that begins with `!`, also after a colon; nil for any other.
    init?(line: some StringProtocol) {
        let rest = line.drop { ": ".contains($0) }
        guard rest.first == "!" else { return nil }
        self.init(rest)
    }

    private static func words(_ line: some StringProtocol) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        for character in line {
            if isEscaped {
                word = "\(word ?? "")\(character)"
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if character == quote {
                quote = nil
            } else if quote == nil, "'\"".contains(character) {
                quote = character
                word = word ?? ""
            } else if quote == nil, character == " " {
                word.map { words.append($0) }
                word = nil
            } else {
                word = "\(word ?? "")\(character)"
            }
        }
        return words + nonNil(word)
    }
}

/// What is told about a picture, by names in braces: those of `--json`, and a few more.
struct PictureValues {
    /// Each value by its name; nil if the picture lacks it.
    let named: [(name: String, value: String?)]

    /// Describes the picture of an order, which is one of `count` in its section; its file is at `path` if that is not nil.
    init(_ order: SaveOrder?, path: String? = nil, of count: Int = 1) {
        guard let order else {
            named = []
            return
        }
        // A text comes from a page, and must not become an option of a program.
        let record = order.record(path: path).values.map {
            ($0.name, $0.value.map { String($0.drop { "- ".contains($0) }) })
        }
        named = record + [("url", order.picture.place.text), ("count", "\(count)")]
    }

    /// Returns `text` with values in place of words in braces; `missing` tells what to write for one that the picture lacks.
    func filled<Failure: Error>(
        _ text: String, missing: (_ name: String) throws(Failure) -> String
    ) throws(Failure) -> String {
        try text.filled { name, form throws(Failure) in
            guard form.isEmpty, !name.isEmpty, name.allSatisfy(\.isLetter) else { return nil }
            if let value = named.first(where: { $0.name == name })?.value { return value }
            return try missing(name)
        }
    }
}

extension Picture {
    /// The name that other programs use: the path of a local file, else the address.
    var name: String { place.filePath ?? place.text }
}

/// A program to be run: its words, beginning with its name or path, and variables added to the environment.
public struct ProgramCall: Hashable, Sendable {
    /// The program and its arguments.
    public var words: [String]
    /// Additional environment variables.
    public var variables: [String: String]
    /// Whether its output goes through the user's pager.
    public var isPaged: Bool
}

/// Runs other programs, without a shell.
public protocol CommandRunning: Sendable {
    /// Runs a program in the terminal, then waits for Enter unless a pager did; completes after that, on any thread.
    func run(
        _ call: ProgramCall, input: Int32, output: Int32, completion: @escaping Receiver<Void>)
    /// Starts a program without a terminal; completes once it has ended, on any thread, with nil or one line about its failure.
    func start(_ call: ProgramCall, completion: @escaping Receiver<String?>)
}
