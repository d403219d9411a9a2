import Gallery

/// The prompt on the bottom line and what it drives: search, filter and commands.
@MainActor final class PromptModel {
    private(set) var prompt: Prompt?
    private var sought = ""
    /// Earlier entries by kind, latest last.
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

    /// Opens the prompt for a command of this program or another, or for a search in the help.
    func open(_ purpose: Prompt.Purpose) {
        prompt = Prompt(purpose, history: history[purpose.historyName] ?? [])
    }

    /// Whether Enter would run a command.
    var runsSomething: Bool { prompt?.purpose == .command || prompt?.purpose == .run }

    /// Inserts the first line of `text` at the cursor.
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

    /// Handles a key; returns a command to be run, if any.
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

    /// Completes a command's name or argument as far as it is unambiguous, and shows the choices.
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

    /// Shows the first match after the starting point and the number of matches on each key press; Esc returns to that point.
    private func find(_ prompt: Prompt, _ answer: Prompt.Answer) {
        let level = gallery.level
        let origin = prompt.origin.flatMap(level.number)
        origin.map { level.select(number: $0) }
        guard answer != .cancelled, !prompt.text.isEmpty else {
            // As in other programs, an empty search repeats the last one.
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

    /// Shows `text` after the line until the next key press.
    func note(_ text: String) { prompt?.note(text) }

    /// Searches the help, as `find` searches the gallery.
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

    /// Selects the `steps`th next match, or previous match if negative.
    ///
    /// Unloaded pages of the section are loaded and searched before the search wraps around.
    private func findNext(_ steps: Int) {
        guard !sought.isEmpty else { return display.show(message: "nothing to search for yet") }
        let level = gallery.level
        let query = PictureQuery(sought)
        // Larger counts are typing errors.
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
            display.show(message: "continued from the \(end)")
            // With a single match, going on would search the whole gallery again.
            if number == start { return }
        }
    }

    /// Filters on each key press; Esc removes the filter.
    private func filter(_ prompt: Prompt, _ answer: Prompt.Answer) {
        var order = gallery.order
        order.filter = answer == .cancelled ? "" : prompt.text
        let level = gallery.level
        if order != gallery.order {
            gallery.arrange(order)
            // Returns to the original selection as soon as it is shown again.
            if let number = prompt.origin.flatMap(level.number) { level.select(number: number) }
        }
        if answer == .done, level.layout.pictureCount == 0 {
            display.show(message: "nothing matches \(prompt.text)")
        }
    }
}
