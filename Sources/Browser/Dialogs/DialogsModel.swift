import Basics
import Gallery
import Network
import Raster

/// A question, and what its answers do.
struct Question {
    var title: String
    var message: String
    var detail = ""
    /// The title and effect of the affirmative answer.
    var answer: String
    var accept: () -> Void
    /// What is done for the marked pictures instead, if that is an answer.
    var marked: (() -> Void)?
    var dismiss: () -> Void = {}
    /// The section whose page failed, if the question is about one.
    var section: Int?

    /// The answers with the commands that give them.
    var answers: [(title: String, command: Command, act: () -> Void)] {
        [(answer, .accept, accept)] + (marked.map { [("Marked", .mark, $0)] } ?? [])
            + [("Dismiss", .dismiss, dismiss)]
    }
}

/// The overlays on the body: questions, the help, and the info panel.
@MainActor final class DialogsModel: ContextSharing {
    /// The unanswered questions, shown one at a time; failures are ordered oldest first.
    private(set) var questions: [Question] = []
    /// Whether they wait, as a line is being typed.
    var waits = false
    /// The scroll row of the help; nil while it is closed.
    private var helpRow: Int?
    /// The text searched for in the help, the index of the current match, and the scroll row before the search.
    private var helpSearch = (text: "", hit: 0, origin: 0)
    /// Whether the messages stand in place of the keys.
    private var showsMessages = false
    let context: BrowserContext

    init(_ context: BrowserContext) { self.context = context }

    var question: Question? { waits ? nil : questions.first }
    var isHelpShown: Bool { helpRow != nil }

    /// Asks about a section's failed page; nil withdraws the question, for example when the section is loading again.
    func ask(
        about failure: PageFailure?, ofSection section: Int, retry: @escaping () -> Void = {},
        dismiss: @escaping () -> Void = {}
    ) {
        questions.removeAll { $0.section == section }
        guard let failure else { return }
        questions.append(
            Question(
                title: failure.address.filePath == nil
                    ? "A page did not load" : "This could not be opened",
                message: failure.reason.oneLine(), detail: texts.text(failure.address),
                answer: "Retry", accept: retry, dismiss: dismiss, section: section))
    }

    /// Asks a question ahead of all others, in place of one with this title: another program may ask again and again.
    func ask(_ question: Question) {
        questions.removeAll { $0.title == question.title }
        questions.insert(question, at: 0)
    }

    /// Answers the visible question, if this command is an answer to it.
    func answer(_ command: Command) {
        guard let answer = question?.answers.first(where: { $0.command == command }) else { return }
        questions.removeFirst()
        answer.act()
    }

    private func dialog(_ question: Question) -> DialogScene {
        let more = questions.count > 1 ? " (and \(questions.count - 1) more)" : ""
        return DialogScene(
            title: question.title + more, message: question.message, detail: question.detail,
            answers: question.answers.map {
                let key = options.keys.keys(for: $0.command, in: .dialog).first?.name
                return DialogScene.Answer(title: $0.title, key: key ?? "q")
            })
    }

    /// Gives the answer at this cell of the screen, if any.
    func answer(atX x: Int, y: Int) {
        guard let question else { return }
        let place = DialogLayout(dialog(question), in: display.body).answers
            .firstIndex { $0.contains(x: x, y: y) }
        if let place { answer(question.answers[place].command) }
    }

    func togglePosition() {
        display.isPositionShown.toggle()
        display.isInfoShown = display.isInfoShown || display.isPositionShown
    }

    func closeInfo() -> Bool {
        defer { display.isInfoShown = false }
        return display.isInfoShown
    }

    /// Shows all keys, from the group with this heading.
    func openHelp(at heading: String = "") {
        helpRow = 0
        helpSearch = ("", 0, 0)
        showsMessages = false
        scrollHelp(to: helpLayout.lines.firstIndex(of: .heading(heading)) ?? 0)
    }

    /// Shows the messages so far, latest first.
    func openMessages() {
        openHelp()
        showsMessages = true
    }

    func closeHelp() { helpRow = nil }

    /// The rows that a page of the help moves by.
    var helpPage: Int { max(2, helpLayout.visibleRows) }

    func scrollHelp(by rows: Int) { scrollHelp(to: (helpRow ?? 0) + rows) }

    /// Scrolls the help; its last line stays on the screen.
    func scrollHelp(to row: Int) {
        guard isHelpShown else { return }
        helpRow = min(max(0, row), helpLayout.maxScrollRow)
    }

    func beginFindingInHelp() { helpSearch.origin = helpRow ?? 0 }

    /// Scrolls to the first match from the start of the search, or back there if `text` is empty; returns the number of matches.
    func findInHelp(_ text: String) -> Int {
        helpSearch.text = text
        helpRow = helpSearch.origin
        let rows = helpLayout.foundRows
        goToHit(rows.firstIndex { $0 >= helpSearch.origin } ?? 0, of: rows)
        return rows.count
    }

    /// Scrolls to the `steps`th next match, or previous match if negative, wrapping around.
    func findNextInHelp(_ steps: Int) {
        let rows = helpLayout.foundRows
        guard !rows.isEmpty else {
            return show(
                helpSearch.text.isEmpty
                    ? "nothing to search for yet" : "not found: \(helpSearch.text)")
        }
        let hit = helpSearch.hit + steps
        goToHit((hit % rows.count + rows.count) % rows.count, of: rows)
        show(
            rows.indices.contains(hit)
                ? "\(hit + 1) of \(rows.count)"
                : "continued from the \(steps > 0 ? "start" : "end")")
    }

    private func goToHit(_ hit: Int, of rows: [Int]) {
        helpSearch.hit = hit
        guard rows.indices.contains(hit), let top = helpRow else { return }
        let layout = helpLayout
        if (top..<top + layout.visibleRows).contains(rows[hit]) { return }
        helpRow = min(rows[hit], layout.maxScrollRow)
    }

    private func isFoundInHelp(_ row: HelpScene.Row) -> Bool {
        let text = helpSearch.text
        guard !text.isEmpty else { return false }
        // As in the gallery, capitals make the search case-sensitive.
        return text.contains(where: \.isUppercase)
            ? "\(row.keys) \(row.text)".contains(text)
            : FoldedText("\(row.keys) \(row.text)").contains(FoldedText(text))
    }

    private var helpLayout: HelpLayout { HelpLayout(helpGroups, in: display.body.size) }

    /// The groups of the help, from the key map: each command with its keys; or the messages so far.
    private var helpGroups: [HelpScene.Group] {
        let keys = options.keys
        let own = BindingScope.allCases.flatMap { scope in
            (keys.lines[scope] ?? []).filter { !$0.lines.isEmpty }.map { keys, lines in
                (
                    group: "Yours", keys: keys.map(\.name).joined(separator: " "),
                    text: "\(scope.rawValue): \(lines.joined(separator: " "))".oneLine()
                )
            }
        }
        let bound = keys.bindings.map { row in
            let shown = keys.keys(of: row, in: row.contexts)
            let names = shown.isEmpty ? row.names.suffix(2).map { ":\($0)" } : shown.map(\.name)
            let chooses = options.isChooser && row.command == .open
            return (
                group: row.group, keys: names.joined(separator: " "),
                text: chooses ? "choose the picture and leave; open the album" : row.summary
            )
        }
        let messages = display.messages.reversed().enumerated().map { number, text in
            (group: "Latest first", keys: "\(number + 1)", text: text)
        }
        var found = 0
        let lines = showsMessages ? messages : own + bound + KeyMap.notes
        return lines.reduce(into: []) { groups, line in
            if groups.last?.title != line.group {
                groups.append(HelpScene.Group(title: line.group, rows: []))
            }
            var row = HelpScene.Row(keys: line.keys, text: line.text)
            if isFoundInHelp(row) {
                row.find = found == helpSearch.hit ? .hit : .found
                found += 1
            }
            groups[groups.count - 1].rows.append(row)
        }
    }

    /// Returns the topmost overlay: a question, the help or the info panel, in this order.
    func scene(info: () -> InfoScene?) -> Scene.Overlay? {
        if let question { return .dialog(dialog(question)) }
        if let helpRow {
            return .help(
                HelpScene(
                    title: showsMessages ? "Messages" : "Keys · / searches, q closes",
                    groups: helpGroups,
                    scrollRow: helpRow))
        }
        return display.isInfoShown ? info().map(Scene.Overlay.info) : nil
    }
}
