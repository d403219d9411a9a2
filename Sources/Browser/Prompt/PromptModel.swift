import Gallery
import Network
import State

/// The prompt on the bottom line and what it drives: search, filter and commands.
@MainActor final class PromptModel: ContextSharing {
    private(set) var prompt: Prompt? { didSet { dialogs.waits = prompt != nil } }
    private var lastSearch = ""
    /// Earlier entries by kind, latest last.
    private var history: [String: [String]] = [:]
    private let gallery: GalleryModel
    private var level: GalleryLevel { gallery.level }
    private let dialogs: DialogsModel
    let context: BrowserContext

    private var completing: MainRequest?

    /// The histories that are kept from one run to the next, and how much of them is loaded.
    private static let kept = ["text", "command"]
    private static let maxLines = 100

    /// Loads the lines of earlier runs.
    func start() {
        for name in Self.kept {
            services.state?.history(
                of: name, limit: Self.maxLines,
                completion: onMain { [weak self] lines in
                    self?.history[name] = lines + (self?.history[name] ?? [])
                })
        }
    }

    init(gallery: GalleryModel, dialogs: DialogsModel, context: BrowserContext) {
        self.gallery = gallery
        self.dialogs = dialogs
        self.context = context
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
        // What a filter has hidden before is not gone back to from this line.
        level.selectedNumber.map(level.select(number:))
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

    /// Handles a key; returns the line if it is finished and a command to be run, in `keyContext`.
    func type(_ key: Key, in keyContext: KeyContext) -> Prompt? {
        guard let outcome = prompt?.take(key), let prompt else { return nil }
        completing?.cancel()
        if outcome != .typing { self.prompt = nil }
        let name = prompt.purpose.historyName
        let text = prompt.text
        let lines = history[name] ?? []
        if outcome == .done, !text.isEmpty, text != lines.last {
            history[name] = lines.suffix(Self.maxLines - 1) + [text]
            // What is run may contain anything, passwords too.
            if Self.kept.contains(name), !text.contains("!"),
                text.contains("://") || !text.contains("@"),
                FileServers.shown(text) == text
            {
                services.state?.append(text, toHistoryOf: name)
            }
        }
        follow(prompt, outcome)
        if key == .tab, prompt.purpose == .command { complete(prompt.head, in: keyContext) }
        return outcome == .done && prompt.runsSomething ? prompt : nil
    }

    /// Searches or filters on each key press; Esc removes the filter, and goes back to where the search began.
    private func follow(_ prompt: Prompt, _ outcome: Prompt.Outcome) {
        switch prompt.purpose {
        case .find: searchIncrementally(prompt, outcome)
        case .filter:
            if outcome == .typing, noteMistake(in: prompt.text) { return }
            let filter = outcome == .cancelled ? "" : prompt.text
            if filter != gallery.order.filter { gallery.filter(by: filter) }
            if outcome == .done, level.pictureCount == 0 {
                show(PictureQuery(filter).mistake ?? "nothing matches \(filter)")
            }
        case .findInHelp:
            switch outcome {
            case .typing: noteHits(dialogs.findInHelp(prompt.text))
            case .done: dialogs.findNextInHelp(prompt.text.isEmpty ? 1 : 0)
            case .cancelled: _ = dialogs.findInHelp("")
            }
        case .command, .run: break
        }
    }

    /// Completes a command's name or argument as far as it is unambiguous, and shows the choices.
    private func complete(_ head: String, in keyContext: KeyContext) {
        let name = String(head.prefix { $0 != " " })
        let (row, candidates) = options.keys.command(named: name, in: keyContext)
        if name == head {
            prompt?.complete(candidates, for: name, end: " ")
            return
        }
        let argument = String(head.dropFirst(name.count).drop { $0 == " " })
        guard let row else { return }
        guard ["FOLDER", "ADDRESS|PATH"].contains(row.argument), let places = services.sources
        else {
            let choices = row.argument.split(separator: "|").map(String.init)
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
        // Where the prompt was opened, in the same row of the screen.
        if let (id, image, offset) = prompt.origin,
            let number = level.find(image, near: id).flatMap(level.number)
        {
            level.select(number: number, offset: offset)
        }
        guard outcome != .cancelled, !prompt.text.isEmpty else {
            // As in other programs, an empty search repeats the last one.
            if outcome == .done { findNext(1) }
            return
        }
        if outcome == .done { return search(prompt.text) }
        if noteMistake(in: prompt.text) { return }
        let query = PictureQuery(prompt.text)
        level.sections.forEach { $0.adoptSizes() }
        level.numberOfPicture(holding: query, isBackwards: false).map(level.select(number:))
        level.count(holding: query).map(noteHits)
    }

    private func noteMistake(in text: String) -> Bool {
        guard let mistake = PictureQuery(text).mistake else { return false }
        note(mistake)
        return true
    }

    private func noteHits(_ count: Int) { note(count == 1 ? "1 hit" : "\(count) hits") }

    /// Shows `text` after the line until the next key press.
    func note(_ text: String) { prompt?.note(text) }

    private func search(_ text: String) {
        lastSearch = text
        level.sections.forEach { $0.adoptSizes() }
        findNext(1)
    }

    /// Selects the `steps`th next match, or previous match if negative.
    ///
    /// Unloaded pages of the section are loaded and searched before the search wraps around.
    func findNext(_ steps: Int) {
        guard !lastSearch.isEmpty else { return show("nothing to search for yet") }
        let query = PictureQuery(lastSearch)
        if let mistake = query.mistake { return show(mistake) }
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
            else { return show("not found: \(lastSearch)") }
            level.select(number: number)
            guard let start, steps > 0 ? number <= start : number >= start else { continue }
            show("continued from the \(steps > 0 ? "start" : "end")")
            // With a single match, going on would search the whole gallery again.
            if number == start { return }
        }
    }
}
