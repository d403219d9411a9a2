import Network

/// A line being typed, with readline's editing keys.
struct Prompt {
    enum Purpose: String {
        case find, filter, command, run, findInHelp

        /// The history that the purpose uses; find and filter share one.
        var historyName: String { self == .find || self == .filter ? "text" : rawValue }
    }

    enum Outcome {
        case typing
        /// Enter.
        case done
        /// Esc, or Backspace on an empty line.
        case cancelled
    }

    /// A picture, and its row in the body.
    typealias Origin = (id: PictureID, image: Address, offset: Int)

    let purpose: Purpose
    /// The text before and after the cursor.
    private(set) var head: String
    private(set) var tail = ""
    /// The possible completions after Tab, or a note about the line.
    private(set) var choices: [String] = []
    /// What was selected when the prompt was opened.
    let origin: Origin?
    /// The history, latest last, followed by the current line.
    private var lines: [String]
    private var place: Int

    /// Longer than any search, address or path; the rest is ignored.
    private var longest: Int { runsSomething ? 4096 : 100 }

    init(_ purpose: Purpose, text: String, history: [String], origin: Origin?) {
        self.purpose = purpose
        self.origin = origin
        head = text
        lines = history + [text]
        place = history.count
    }

    var text: String { head + tail }

    /// Whether Enter runs a command.
    var runsSomething: Bool { purpose == .command || purpose == .run }

    /// The prompt's symbol and the text before the cursor.
    var lead: String {
        switch purpose {
        case .find, .findInHelp: "/\(head)"
        case .filter: "filter: \(head)"
        case .command: ":\(head)"
        case .run: "!\(head)"
        }
    }

    /// The text after the cursor and the possible completions.
    var trail: String {
        choices.isEmpty ? tail : tail + "   " + choices.prefix(100).joined(separator: "  ")
    }

    /// Handles a key as readline does (https://tiswww.case.edu/php/chet/readline/readline.html).
    mutating func take(_ key: Key) -> Outcome {
        choices = []
        switch key {
        case .enter: return .done
        case .escape: return .cancelled
        case .backspace:
            if text.isEmpty { return .cancelled }
            head = String(head.dropLast())
        case .delete, .control("d"): tail = String(tail.dropFirst())
        case .left, .control("b"):
            move(to: head.dropLast().endIndex)
        case .right, .control("f"):
            head += tail.prefix(1)
            tail = String(tail.dropFirst())
        case .home, .control("a"): move(to: head.startIndex)
        case .end, .control("e"):
            head += tail
            tail = ""
        case .control("u"): head = ""
        case .control("k"): tail = ""
        case .control("w"):
            while head.last == " " { head.removeLast() }
            while let last = head.last, last != " " { head.removeLast() }
        case .up, .control("p"): recall(place - 1)
        case .down, .control("n"): recall(place + 1)
        case .character(let scalar):
            if text.unicodeScalars.count < longest { head.unicodeScalars.append(scalar) }
        default: break
        }
        return .typing
    }

    /// Replaces `typed` by the common prefix of all `choices`, followed by `end` if there is only one.
    mutating func complete(_ choices: [String], for typed: String, end: String) {
        guard head.hasSuffix(typed), let first = choices.first else { return }
        let common = choices.reduce(first) { common, choice in
            String(zip(common, choice).prefix { $0 == $1 }.map(\.0))
        }
        head = head.dropLast(typed.count) + common + (choices.count == 1 ? end : "")
        // The folder that paths share is already on the line.
        let folder = common.lastIndex(of: "/").map { common[...$0].count } ?? 0
        self.choices = choices.count > 1 ? choices.map { String($0.dropFirst(folder)) } : []
    }

    /// Shows `text` after the line until the next key press.
    mutating func note(_ text: String) { choices = [text] }

    /// Moves the cursor back to `index`.
    private mutating func move(to index: String.Index) {
        tail = head[index...] + tail
        head = String(head[..<index])
    }

    private mutating func recall(_ other: Int) {
        guard lines.indices.contains(other) else { return }
        lines[place] = text
        place = other
        head = lines[other]
        tail = ""
    }
}
