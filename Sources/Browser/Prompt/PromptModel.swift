import Gallery
import Network
import State

/// The prompt on the bottom line and what it drives: search, filter and commands.
@MainActor final class PromptModel {
    private(set) var prompt: Prompt? { didSet { dialogs.waits = prompt != nil } }
    private var lastSearch = ""
    /// Earlier entries by kind, latest last.
    private var history: [String: [String]] = [:]
    private let gallery: GalleryModel
    private let dialogs: DialogsModel
    private let display: DisplayState
    private let context: BrowserContext
    /// Where a line applies.
    var keyContext: () -> KeyContext = { .gallery }
    private var completing: MainRequest?

    /// The histories that are kept from one run to the next, and how much of them is loaded.
    private static let kept = ["text", "command"]
    private static let maxLines = 100

    /// Loads the lines of earlier runs.
    func start() {
        for name in Self.kept {
            let remembered = context.onMain { [weak self] (lines: [String]) in
                self?.history[name] = lines + (self?.history[name] ?? [])
            }
            context.services.state?.history(
                of: name, limit: Self.maxLines, completion: remembered)
        }
    }

    init(gallery: GalleryModel, dialogs: DialogsModel, context: BrowserContext) {
        self.gallery = gallery
        self.dialogs = dialogs
        self.context = context
        display = context.display
    }

    /// Opens the prompt for a search, or searches for `text` at once.
    func find(_ text: String) {
        text.isEmpty ? open(.find) : search(text)
    }

    /// Opens the prompt for the filter, or filters by `text` at once.
    func filter(_ text: String) {
        text.isEmpty ? open(.filter, text: gallery.order.filter) : gallery.filter(by: text)
    }

    func open(_ purpose: Prompt.Purpose, text: String = "") {
        let level = gallery.level
        // What a filter has hidden before is not gone back to from this line.
        level.selectedNumber.map { level.select(number: $0) }
        prompt = Prompt(
            purpose, text: text, history: history[purpose.historyName] ?? [],
            origin: level.selection.flatMap { id in
                level.picture(id).map { (id, $0.image, level.offset) }
            })
    }

    /// Inserts the first line of `text` at the cursor.
    func insert(_ text: String) {
        let line = text.prefix { !$0.isNewline }.unicodeScalars.filter {
            $0.value >= 0x20 && $0.value != 0x7F
        }
        for scalar in line { _ = prompt?.take(.character(scalar)) }
        prompt.map { follow($0, .typing) }
    }

    /// Handles a key; returns the line if it is finished and a command to be run.
    func type(_ key: Key) -> Prompt? {
        guard let outcome = prompt?.take(key), let prompt else { return nil }
        completing?.cancel()
        if outcome != .typing { self.prompt = nil }
        let name = prompt.purpose.historyName
        let lines = history[name] ?? []
        if outcome == .done, !prompt.text.isEmpty, prompt.text != lines.last {
            history[name] = lines.suffix(Self.maxLines - 1) + [prompt.text]
            // What is run may contain anything, passwords too.
            if Self.kept.contains(name), !prompt.text.contains("!"),
                prompt.text.contains("://") || !prompt.text.contains("@"),
                FileServers.shown(prompt.text) == prompt.text
            {
                context.services.state?.append(prompt.text, toHistoryOf: name)
            }
        }
        follow(prompt, outcome)
        if key == .tab, prompt.purpose == .command { complete(prompt.head) }
        return outcome == .done && prompt.runsSomething ? prompt : nil
    }

    private func follow(_ prompt: Prompt, _ outcome: Prompt.Outcome) {
        switch prompt.purpose {
        case .find: searchIncrementally(prompt, outcome)
        case .filter: filterIncrementally(prompt, outcome)
        case .findInHelp: findInHelp(prompt, outcome)
        case .command, .run: break
        }
    }

    /// Completes a command's name or argument as far as it is unambiguous, and shows the choices.
    private func complete(_ head: String) {
        let name = String(head.prefix { $0 != " " })
        let command = context.options.keys.command(named: name, in: keyContext())
        if name == head {
            prompt?.complete(command.candidates, for: name, end: " ")
            return
        }
        let argument = String(head.dropFirst(name.count).drop { $0 == " " })
        guard let binding = command.row else { return }
        guard ["FOLDER", "ADDRESS|PATH"].contains(binding.argument),
            let places = context.services.sources
        else {
            let choices = binding.argument.split(separator: "|").map(String.init)
            if choices.count > 1 {
                prompt?.complete(choices.filter { $0.hasPrefix(argument) }, for: argument, end: "")
            }
            return
        }
        completing = context.request { [folder = gallery.folder] answer in
            places.paths(beginningWith: argument, in: folder, completion: answer)
        } receive: { [weak self] paths in
            self?.prompt?.complete(paths, for: argument, end: "")
        }
    }

    /// Shows the first match after the starting point and the number of matches on each key press; Esc returns to that point.
    private func searchIncrementally(_ prompt: Prompt, _ outcome: Prompt.Outcome) {
        returnToOrigin(of: prompt)
        guard outcome != .cancelled, !prompt.text.isEmpty else {
            // As in other programs, an empty search repeats the last one.
            if outcome == .done { findNext(1) }
            return
        }
        if outcome == .done { return search(prompt.text) }
        if noteMistake(in: prompt.text) { return }
        let (level, query) = (gallery.level, PictureQuery(prompt.text))
        level.sections.forEach { $0.adoptSizes() }
        level.numberOfPicture(holding: query, isBackwards: false).map { level.select(number: $0) }
        level.count(holding: query).map(noteHits)
    }

    /// Selects what was selected when the prompt was opened, in the same row of the screen, if it is shown.
    private func returnToOrigin(of prompt: Prompt) {
        let level = gallery.level
        guard let (id, image, offset) = prompt.origin,
            let number = level.find(image, near: id).flatMap({ level.number(of: $0) })
        else { return }
        level.select(number: number, offset: offset)
    }

    private func noteMistake(in text: String) -> Bool {
        guard let mistake = PictureQuery(text).mistake else { return false }
        note(mistake)
        return true
    }

    private func noteHits(_ count: Int) { note(count == 1 ? "1 hit" : "\(count) hits") }

    /// Shows `text` after the line until the next key press.
    func note(_ text: String) { prompt?.note(text) }

    /// Searches the help, as `find` searches the gallery.
    private func findInHelp(_ prompt: Prompt, _ outcome: Prompt.Outcome) {
        switch outcome {
        case .typing: noteHits(dialogs.findInHelp(prompt.text))
        case .done: dialogs.findNextInHelp(prompt.text.isEmpty ? 1 : 0)
        case .cancelled: _ = dialogs.findInHelp("")
        }
    }

    private func search(_ text: String) {
        lastSearch = text
        gallery.level.sections.forEach { $0.adoptSizes() }
        findNext(1)
    }

    /// Selects the `steps`th next match, or previous match if negative.
    ///
    /// Unloaded pages of the section are loaded and searched before the search wraps around.
    func findNext(_ steps: Int) {
        guard !lastSearch.isEmpty else { return display.show("nothing to search for yet") }
        let (level, query) = (gallery.level, PictureQuery(lastSearch))
        if let mistake = query.mistake { return display.show(mistake) }
        // Larger counts are typing errors.
        for step in 0..<min(abs(steps), 100) {
            let start = level.selectedNumber
            if let start, steps > 0, let end = level.openEnd(from: start)?.end,
                level.first(in: start + 1..<end, holding: query) == nil
            {
                return gallery.loadOn(from: start, for: " for \(lastSearch)") { [weak self] in
                    self?.findNext(steps - step)
                }
            }
            guard let number = level.numberOfPicture(holding: query, isBackwards: steps < 0)
            else { return display.show("not found: \(lastSearch)") }
            level.select(number: number)
            guard let start, steps > 0 ? number <= start : number >= start else { continue }
            let end = steps > 0 ? "start" : "end"
            display.show("continued from the \(end)")
            // With a single match, going on would search the whole gallery again.
            if number == start { return }
        }
    }

    /// Filters on each key press; Esc removes the filter.
    private func filterIncrementally(_ prompt: Prompt, _ outcome: Prompt.Outcome) {
        if outcome == .typing, noteMistake(in: prompt.text) { return }
        let filter = outcome == .cancelled ? "" : prompt.text
        if filter != gallery.order.filter { gallery.filter(by: filter) }
        if outcome == .done, gallery.level.layout.pictureCount == 0 {
            let mistake = PictureQuery(prompt.text).mistake
            display.show(mistake ?? "nothing matches \(prompt.text)")
        }
    }
}
