import Basics
import Network
import Raster

/// What covers the body: the question about a failed page, the list of keys, the facts of a picture.
@MainActor final class DialogsModel {
    struct Question {
        var title: String
        var message: String
        var detail = ""
        /// What the answer is called that does something, and what it does.
        var answer: String
        var accept: () -> Effect
        var dismiss: () -> Void = {}
        /// The section whose page failed.
        var section: Int?
    }

    /// Those not answered yet; one at a time, of failures the oldest first.
    private var questions: [Question] = []
    /// The rows scrolled in the help; nil while it is closed.
    private var helpRow: Int?
    private let keys: KeyMap
    private let display: DisplayState
    private let texts: LocalTexts

    init(_ context: BrowserContext) {
        keys = context.options.keys
        display = context.display
        texts = context.texts
    }

    var question: Question? { questions.first }
    var isHelpShown: Bool { helpRow != nil }

    /// Asks about a section's failed page; nil takes the question back, as when the section is loading again.
    func ask(
        about failure: PageFailure?, ofSection section: Int, retry: @escaping () -> Void = {},
        dismiss: @escaping () -> Void = {}
    ) {
        questions.removeAll { $0.section == section }
        guard let failure else { return }
        questions.append(
            Question(
                title: "A page did not load", message: failure.reason.oneLine(),
                detail: texts.text(failure.address), answer: "Retry",
                accept: {
                    retry()
                    return .none
                }, dismiss: dismiss, section: section))
    }

    /// Asks before everything else.
    func ask(_ question: Question) { questions.insert(question, at: 0) }

    /// Answers the question that is shown.
    func answer(_ command: Command) -> Effect {
        guard command == .accept || command == .dismiss, !questions.isEmpty else { return .none }
        let question = questions.removeFirst()
        if command == .accept { return question.accept() }
        question.dismiss()
        return .none
    }

    private func dialog(_ question: Question) -> DialogScene {
        let more = questions.count > 1 ? " (and \(questions.count - 1) more)" : ""
        return DialogScene(
            title: question.title + more, message: question.message, detail: question.detail,
            answers: [answer(question.answer, .accept), answer("Dismiss", .dismiss)])
    }

    /// The answer that stands in that cell of the screen; nil if none does.
    func answer(atX x: Int, y: Int) -> Command? {
        guard let question else { return nil }
        let layout = DialogLayout(dialog(question), in: display.body)
        let place = layout.answers.firstIndex { $0.contains(x: x, y: y) }
        return place.map { [Command.accept, .dismiss][$0] }
    }

    private func answer(_ title: String, _ command: Command) -> DialogScene.Answer {
        let key = keys.keys(for: command, in: .dialog).first?.name
        return DialogScene.Answer(title: title, key: key ?? "q")
    }

    func toggleInfo() { display.isInfoShown.toggle() }

    func closeInfo() -> Bool {
        defer { display.isInfoShown = false }
        return display.isInfoShown
    }

    func openHelp() { helpRow = 0 }

    func closeHelp() { helpRow = nil }

    func runInHelp(_ command: Command, count: Int?) {
        let steps = count ?? 1
        let page = max(1, helpLayout.visibleRows)
        switch command {
        case .down: scrollHelp(by: steps)
        case .up: scrollHelp(by: -steps)
        case .pageDown: scrollHelp(by: page * steps)
        case .pageUp: scrollHelp(by: -page * steps)
        case .halfPageDown: scrollHelp(by: max(1, page / 2) * steps)
        case .halfPageUp: scrollHelp(by: -max(1, page / 2) * steps)
        case .first: helpRow = 0
        case .last: helpRow = helpLayout.maxScrollRow
        case .back, .help: closeHelp()
        default: break
        }
    }

    /// Scrolls the list of keys; its last line stays on the screen.
    func scrollHelp(by rows: Int) {
        guard let row = helpRow else { return }
        helpRow = min(max(0, row + rows), helpLayout.maxScrollRow)
    }

    private var helpLayout: HelpLayout { HelpLayout(helpGroups, in: display.body.size) }

    /// All keys, from the key map: one group after the other, each command with the keys that give it.
    private var helpGroups: [HelpScene.Group] {
        var groups: [HelpScene.Group] = []
        for binding in keys.bindings {
            let row = HelpScene.Row(
                keys: binding.keys.isEmpty
                    ? ":\(binding.command.rawValue)"
                    : binding.keys.map(\.name).joined(separator: " "),
                text: binding.summary)
            if groups.last?.title == binding.group {
                groups[groups.count - 1].rows.append(row)
            } else {
                groups.append(HelpScene.Group(title: binding.group, rows: [row]))
            }
        }
        for note in KeyMap.notes {
            let row = HelpScene.Row(keys: note.keys, text: note.text)
            if groups.last?.title == note.group {
                groups[groups.count - 1].rows.append(row)
            } else {
                groups.append(HelpScene.Group(title: note.group, rows: [row]))
            }
        }
        return groups
    }

    /// What covers the body: a question before the keys before the facts.
    func scene(info: () -> InfoScene?) -> Scene.Overlay? {
        if let question { return .dialog(dialog(question)) }
        if let helpRow { return .help(HelpScene(groups: helpGroups, scrollRow: helpRow)) }
        return display.isInfoShown ? info().map(Scene.Overlay.info) : nil
    }
}
