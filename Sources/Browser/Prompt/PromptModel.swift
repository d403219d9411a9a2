import Gallery

/// The line that is typed on the bottom line, and what comes of it: finding, filtering, commands.
@MainActor final class PromptModel {
    private(set) var prompt: Prompt?
    private var sought = ""
    /// What was typed before, the latest last: what was found or filtered by, and commands.
    private var history: [String: [String]] = [:]
    private let gallery: GalleryModel
    private let dialogs: DialogsModel
    private let display: DisplayState
    private let context: BrowserContext
    private var completing: MainRequest?

    init(gallery: GalleryModel, dialogs: DialogsModel, context: BrowserContext) {
        self.gallery = gallery
        self.dialogs = dialogs
        self.context = context
        display = context.display
    }

    func run(_ command: Command, count: Int?) -> Bool {
        switch command {
        case .find:
            prompt = Prompt(
                .find, origin: gallery.level.selection, history: history["text"] ?? [])
        case .filter:
            prompt = Prompt(
                .filter, text: gallery.order.filter, origin: gallery.level.selection,
                history: history["text"] ?? [])
        case .findNext: findNext(count ?? 1)
        case .findPrevious: findNext(-(count ?? 1))
        default: return false
        }
        return true
    }

    /// Opens a line for a command of this program or another, or for what is sought in the help.
    func open(_ purpose: Prompt.Purpose) {
        prompt = Prompt(purpose, history: history[purpose.historyName] ?? [])
    }

    /// Whether Enter would run a command.
    var runsSomething: Bool { prompt?.purpose == .command || prompt?.purpose == .run }

    /// Puts a text in at the cursor, as far as it is one line.
    func insert(_ text: String) {
        guard let open = prompt else { return }
        let line = text.prefix { !$0.isNewline }.unicodeScalars.filter {
            $0.value >= 0x20 && $0.value != 0x7F
        }
        for scalar in line { _ = prompt?.take(.character(scalar)) }
        guard let changed = prompt else { return }
        switch open.purpose {
        case .find: find(changed, .typing)
        case .filter: filter(changed, .typing)
        case .findInHelp: findInHelp(changed, .typing)
        case .command, .run: break
        }
    }

    /// Takes a key; the result is a command that is to be run.
    func type(_ key: Key) -> (purpose: Prompt.Purpose, line: String)? {
        guard let answer = prompt?.take(key), let prompt else { return nil }
        completing?.cancel()
        if answer != .typing { self.prompt = nil }
        let name = prompt.purpose.historyName
        let lines = history[name] ?? []
        if answer == .done, !prompt.text.isEmpty, prompt.text != lines.last {
            history[name] = lines.suffix(99) + [prompt.text]
        }
        switch prompt.purpose {
        case .find: find(prompt, answer)
        case .filter: filter(prompt, answer)
        case .findInHelp: findInHelp(prompt, answer)
        case .command:
            if key == .tab { complete(prompt.head) }
            if answer == .done { return (.command, prompt.text) }
        case .run: if answer == .done { return (.run, prompt.text) }
        }
        return nil
    }

    /// Completes the name of a command, or what it takes, as far as that is clear, and shows the choices.
    private func complete(_ head: String) {
        let keys = context.options.keys
        let name = String(head.prefix { $0 != " " })
        guard name != head else {
            return adopt(
                keys.names(in: .gallery).filter { $0.hasPrefix(name) }, for: name, end: " ")
        }
        let argument = String(head.dropFirst(name.count).drop { $0 == " " })
        guard case .success(let binding) = keys.command(named: name, in: .gallery) else { return }
        guard binding.command == .open, let places = context.services.places else {
            let choices = binding.argument.split(separator: "|").map(String.init)
            guard choices.count > 1 else { return }
            return adopt(choices.filter { $0.hasPrefix(argument) }, for: argument, end: "")
        }
        completing = MainRequest(on: context.main) { answer in
            places.paths(beginningWith: argument, completion: answer)
        } receive: { [weak self] paths in
            self?.adopt(paths, for: argument, end: "")
        }
    }

    private func adopt(_ choices: [String], for typed: String, end: String) {
        prompt?.complete(choices, for: typed, end: end)
        display.stateChanged()
    }

    /// Shows the first hit behind where it began with every key, and how many there are; Esc goes back there.
    private func find(_ prompt: Prompt, _ answer: Prompt.Answer) {
        let level = gallery.level
        let origin = prompt.origin.flatMap(level.number)
        origin.map { level.select(number: $0) }
        guard answer != .cancelled, !prompt.text.isEmpty else {
            // As in other programs, an empty line repeats the search.
            if answer == .done { findNext(1) }
            return
        }
        if answer == .done { return find(prompt.text) }
        let query = PictureQuery(prompt.text)
        level.sections.sections.forEach { $0.adoptSizes() }
        level.numberOfPicture(holding: query, isBackwards: false).map { level.select(number: $0) }
        level.count(holding: query).map(noteHits)
    }

    private func noteHits(_ count: Int) { note(count == 1 ? "1 hit" : "\(count) hits") }

    /// Says something behind the line, until the next key.
    func note(_ text: String) { prompt?.note(text) }

    /// The same in the help.
    private func findInHelp(_ prompt: Prompt, _ answer: Prompt.Answer) {
        switch answer {
        case .typing: noteHits(dialogs.findInHelp(prompt.text))
        case .done: dialogs.findNextInHelp(prompt.text.isEmpty ? 1 : 0)
        case .cancelled: _ = dialogs.findInHelp("")
        }
    }

    func find(_ text: String) {
        sought = text
        gallery.level.sections.sections.forEach { $0.adoptSizes() }
        findNext(1)
    }

    /// Selects the next picture that holds what is sought, after `steps` of them, before the selected one if negative.
    ///
    /// What a section has not loaded yet is loaded on and looked at before it starts over.
    private func findNext(_ steps: Int) {
        guard !sought.isEmpty else { return display.show(message: "nothing to find yet") }
        let level = gallery.level
        let query = PictureQuery(sought)
        // A larger count is a slip.
        for step in 0..<min(abs(steps), 100) {
            let start = level.selectedNumber
            if let start, steps > 0, let end = level.openEnd(from: start)?.end,
                level.first(in: start + 1..<end, holding: query) == nil
            {
                return gallery.loadOn(from: start, for: " for \(sought)") { [weak self] in
                    self?.display.show(message: "")
                    self?.findNext(steps - step)
                }
            }
            guard let number = level.numberOfPicture(holding: query, isBackwards: steps < 0)
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
            // Back to where the user was, as soon as that is shown again.
            if let number = prompt.origin.flatMap(level.number) { level.select(number: number) }
        }
        if answer == .done, level.layout.pictureCount == 0 {
            display.show(message: "nothing holds \(prompt.text)")
        }
    }
}
