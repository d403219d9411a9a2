import Basics
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

    /// Parses a line with or without the `!` at its start.
    init(_ line: some StringProtocol) {
        let rest = line.drop { $0 == "!" || $0 == " " }
        mode = rest.first.flatMap(Mode.init) ?? .terminal
        words = Self.words(rest.dropFirst(mode == .terminal ? 0 : 1))
    }

    private static func words(_ line: some StringProtocol) -> [String] {
        var (words, word): ([String], String?) = ([], nil)
        var (quote, isEscaped): (Character?, Bool) = (nil, false)
        for character in line {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                (quote, word) = (character, word ?? "")
            } else if quote == nil, character == " " {
                word.map { words.append($0) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return words + [word].compactMap(\.self)
    }

    /// Returns the command with `values` in place of their names; names of pictures that the line does not mention are added if `addsNames`.
    ///
    /// Throws if it mentions a value that the picture lacks.
    func call(
        _ values: PictureValues, addsNames: Bool, _ texts: LocalTexts
    ) throws(BindingMistake) -> ProgramCall {
        var (arguments, mentions): ([String], Bool) = ([], false)
        for word in words.map(texts.expanded) {
            switch word {
            case "{}": arguments += values.chosen
            case "{marked}":
                if values.marked.isEmpty { throw BindingMistake(reason: "nothing is marked") }
                arguments += values.marked
            default:
                let filled = try filled(word, values)
                mentions = mentions || filled != word
                arguments.append(filled)
                continue
            }
            mentions = true
        }
        if addsNames, !mentions { arguments += values.chosen }
        return ProgramCall(
            words: arguments, variables: values.variables, isPaged: mode == .paged)
    }

    private func filled(_ word: String, _ values: PictureValues) throws(BindingMistake) -> String {
        var (filled, rest) = ("", word[...])
        while let start = rest.firstIndex(of: "{") {
            filled += rest[..<start]
            rest = rest[start...]
            guard let (name, value) = values.named.first(where: { rest.hasPrefix("{\($0.name)}") })
            else {
                filled += rest.prefix(1)
                rest = rest.dropFirst()
                continue
            }
            guard let value else { throw BindingMistake(reason: "this picture has no \(name)") }
            filled += value
            rest = rest.dropFirst(name.count + 2)
        }
        return filled + rest
    }
}

/// What is told to other programs about the selected picture and the marked ones.
struct PictureValues {
    /// Each value by its name; nil if the picture lacks it.
    let named: [(name: String, value: String?)]
    /// The paths of the marked pictures, or their addresses.
    let marked: [String]
    /// Those of the marked pictures, or else of the selected one.
    let chosen: [String]

    /// Describes `picture`, whose number in its section, from 1, is `index`, and whose file is at `path` if that is not nil.
    init(
        _ picture: Picture?, path: String? = nil, index: Int? = nil, marked: [Picture] = []
    ) {
        let place = picture?.place
        // A title comes from a page, and must not become an option of the program.
        let title = picture.map { String($0.title.drop { $0 == "-" || $0 == " " }) }
        named = [
            ("path", path ?? place?.filePath), ("url", place?.text),
            ("title", title?.isEmpty == true ? nil : title), ("index", index.map(String.init)),
            ("page", picture?.page.text),
        ]
        self.marked = marked.map(\.name)
        chosen = marked.isEmpty ? [picture].compactMap { $0?.name } : self.marked
    }

    /// The values as environment variables; the marked names are on a line each, and left out if they exceed what the kernel takes.
    fileprivate var variables: [String: String] {
        let lines = marked.joined(separator: "\n")
        // Half of MAX_ARG_STRLEN, 32 pages.
        let values = named + [("marked", marked.isEmpty || lines.utf8.count > 65_536 ? nil : lines)]
        return Dictionary(
            values.compactMap { name, value in value.map { ("HALFTONE_" + name.uppercased(), $0) }
            },
            uniquingKeysWith: { $1 })
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

    /// Creates a call.
    public init(words: [String], variables: [String: String] = [:], isPaged: Bool = false) {
        self.words = words
        self.variables = variables
        self.isPaged = isPaged
    }
}

/// Runs other programs, without a shell.
public protocol CommandRunning: Sendable {
    /// Runs a program in the terminal, then waits for Enter unless a pager did; blocks.
    func run(_ call: ProgramCall, input: Int32, output: Int32)
    /// Starts a program without a terminal; completes once it has ended, on any thread, with nil or one line about its failure.
    func start(
        _ call: ProgramCall, completion: @escaping @Sendable (_ failure: String?) -> Void
    ) -> Subscription
}
