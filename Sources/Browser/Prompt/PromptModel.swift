import Gallery

/// The line that is typed on the bottom line, and what comes of it: finding and filtering.
@MainActor final class PromptModel {
    private(set) var prompt: Prompt?
    private var sought = ""
    /// What was found or filtered by, the latest last.
    private var history: [String] = []
    private let gallery: GalleryModel
    private let display: DisplayState

    init(gallery: GalleryModel, display: DisplayState) {
        self.gallery = gallery
        self.display = display
    }

    func run(_ command: Command, count: Int?) -> Bool {
        switch command {
        case .find: prompt = Prompt(.find, history: history)
        case .filter:
            prompt = Prompt(
                .filter, text: gallery.order.filter, origin: gallery.level.selection,
                history: history)
        case .findNext: findNext(count ?? 1)
        case .findPrevious: findNext(-(count ?? 1))
        default: return false
        }
        return true
    }

    func type(_ key: Key) {
        guard let answer = prompt?.take(key), let prompt else { return }
        if answer != .typing { self.prompt = nil }
        if answer == .done, !prompt.text.isEmpty, prompt.text != history.last {
            history = history.suffix(99) + [prompt.text]
        }
        switch prompt.purpose {
        case .find: find(prompt.text, answer)
        case .filter: filter(prompt, answer)
        }
    }

    private func find(_ text: String, _ answer: Prompt.Answer) {
        guard answer == .done else { return }
        // As in other programs, an empty line repeats the search.
        if !text.isEmpty { sought = text }
        findNext(1)
    }

    /// Selects the next picture that holds what is sought, after `steps` of them, before the selected one if negative.
    private func findNext(_ steps: Int) {
        guard !sought.isEmpty else { return display.show(message: "nothing to find yet") }
        let level = gallery.level
        let text = FoldedText(sought)
        // A larger count is a slip.
        for _ in 0..<min(abs(steps), 100) {
            let start = level.selectedNumber
            guard let number = level.numberOfPicture(holding: text, isBackwards: steps < 0)
            else { return display.show(message: "not found: \(sought)") }
            level.select(number: number)
            guard let start, steps > 0 ? number <= start : number >= start else { continue }
            let end = steps > 0 ? "start" : "end"
            display.show(message: "found from the \(end) again")
            // The only one there is would be read for over the whole gallery again.
            if number == start { return }
        }
    }

    /// Shows what holds the text, with every key; Esc shows all again.
    private func filter(_ prompt: Prompt, _ answer: Prompt.Answer) {
        var order = gallery.order
        order.filter = answer == .cancelled ? "" : prompt.text
        let level = gallery.level
        if order != gallery.order {
            gallery.arrange(order)
            // Back to where the reader was, as soon as that is shown again.
            if let number = prompt.origin.flatMap(level.number) { level.select(number: number) }
        }
        if answer == .done, level.layout.pictureCount == 0 {
            display.show(message: "nothing holds \(prompt.text)")
        }
    }
}

struct Prompt {
    enum Purpose {
        case find
        case filter
    }

    enum Answer {
        case typing
        /// Enter.
        case done
        /// Esc, or Backspace on an empty line.
        case cancelled
    }

    let purpose: Purpose
    /// What stands before the cursor, and what from it on.
    private(set) var head: String
    private(set) var tail = ""
    /// The picture that was selected when it was opened.
    let origin: PictureID?
    /// What was typed before, the latest last, and at its end the line as it is now.
    private var lines: [String]
    private var place: Int

    /// Longer than any search; the rest is ignored.
    private static let longest = 100

    init(_ purpose: Purpose, text: String = "", origin: PictureID? = nil, history: [String]) {
        self.purpose = purpose
        self.origin = origin
        head = text
        lines = history + [text]
        place = history.count
    }

    var text: String { head + tail }

    /// The line up to the cursor.
    var lead: String { (purpose == .find ? "/" : "filter: ") + head }

    /// Takes a key as readline does (https://tiswww.case.edu/php/chet/readline/readline.html).
    mutating func take(_ key: Key) -> Answer {
        switch key {
        case .enter: return .done
        case .escape: return .cancelled
        case .backspace:
            if text.isEmpty { return .cancelled }
            head = String(head.dropLast())
        case .delete, .control("d"): tail = String(tail.dropFirst())
        case .left, .control("b"):
            move(to: head.index(head.endIndex, offsetBy: head.isEmpty ? 0 : -1))
        case .right, .control("f"):
            head += tail.prefix(1)
            tail = String(tail.dropFirst())
        case .home, .control("a"): move(to: head.startIndex)
        case .end, .control("e"): (head, tail) = (text, "")
        case .control("u"): head = ""
        case .control("k"): tail = ""
        case .control("w"):
            while head.last == " " { head.removeLast() }
            while let last = head.last, last != " " { head.removeLast() }
        case .up, .control("p"): recall(place - 1)
        case .down, .control("n"): recall(place + 1)
        case .character(let scalar):
            if text.unicodeScalars.count < Self.longest { head.unicodeScalars.append(scalar) }
        default: break
        }
        return .typing
    }

    /// Moves the cursor to a place before it.
    private mutating func move(to index: String.Index) {
        tail = head[index...] + tail
        head = String(head[..<index])
    }

    private mutating func recall(_ other: Int) {
        guard lines.indices.contains(other) else { return }
        lines[place] = text
        place = other
        (head, tail) = (lines[other], "")
    }
}
