import Basics
import Gallery
import Raster

/// The path of an input: from an event to the row of the table of commands that carries it out.
extension BrowserModel {
    /// Handles a key press or mouse event; `takeEffects` then tells what the view has to do.
    ///
    /// `isTyped` is false for input faster than people type, which was pasted or is another program's buffered input;
    /// it may not save, quit or open anything.
    public func handle(_ event: InputEvent, isTyped: Bool = true) {
        isDeliberate = isTyped
        lastUsed = context.clock()
        beginInput(in: keyContext)
        if viewer.hasSlideshow {
            controlSlideshow(by: event)
        } else if case .key(let key) = event {
            handle(key)
        } else {
            count = CountPrefix()
            pending = nil
            awaitedLetter = nil
            handlePointer(event)
        }
    }

    /// Cancels what only happens if the reader does nothing, such as a move that waits for a page.
    func beginInput(in keyContext: KeyContext) {
        quitsWhenSaved = false
        display.stateChanged()
        show("")
        // After a Retry in the dialog, a move that waits for the failed page continues.
        if keyContext != .dialog { gallery.stay() }
        // In the viewer the tiles are not seen.
        level.isTouched = level.isTouched || !viewer.isOpen
        if viewer.isOpen { viewer.beginIfReplaced() }
    }

    /// The topmost part of the screen that takes keys.
    var keyContext: KeyContext {
        if typedLine != nil { return .prompt }
        if dialogs.question != nil { return .dialog }
        if dialogs.isHelpShown { return .help }
        return viewContext
    }

    /// The gallery or the viewer, whatever covers it.
    var viewContext: KeyContext { viewer.isOpen ? .viewer : .gallery }

    /// The prompt, if keys currently go to it.
    var typedLine: Prompt? {
        guard let line = prompt.prompt else { return nil }
        return (line.purpose == .findInHelp) == dialogs.isHelpShown ? line : nil
    }

    private func handle(_ key: Key) {
        let map = options.keys
        let layout = gallery.layout
        let keyContext = keyContext
        let begun = pending
        let keys = (begun?.keys ?? []) + [key]
        let action = map.action(of: keys, in: keyContext, layout)
        let isPrefix = !map.continuations(of: keys, in: keyContext, layout).isEmpty
        let latin = map.latin(key)
        // A key is translated once, whatever the configuration makes of the result.
        if latin != key, map.latin(latin) == latin, keyContext != .prompt, action == nil, !isPrefix
        {
            return handle(latin)
        }
        if let awaited = awaitedLetter {
            awaitedLetter = nil
            guard case .character(let letter) = key else { return }
            return _ = run("\(awaited.command.rawValue) \(letter)", from: .bound)
        }
        // Digits in a dialog are answers rather than counts.
        if begun == nil, keyContext != .dialog, keyContext != .prompt, count.take(key) { return }
        pending = nil
        if isPrefix {
            // As vim's `timeoutlen` in most people's configurations.
            let due = action == nil ? nil : context.clock() + 0.5
            pending = PendingKeys(keys: keys, due: due, isDeliberate: isDeliberate)
        } else if let begun, action == nil {
            // Esc only cancels the sequence.
            guard key != .escape else { return _ = count.finish() }
            if map.action(of: begun.keys, in: keyContext, layout) == nil {
                _ = count.finish()
                return show("\(Self.names(of: keys)) does nothing")
            }
            pending = begun
            endSequence()
            handle(key)
        } else {
            let typed = count.finish()
            // Esc cancels the pending count and does nothing else.
            if typed != nil, key == .escape, keyContext != .dialog { return }
            if let action {
                carryOut(action, count: typed)
            } else {
                handle(unbound: key, in: keyContext)
            }
        }
    }

    /// Runs what is bound to the keys typed so far, since no further key follows or the next does not fit.
    func endSequence() {
        guard let pending else { return }
        self.pending = nil
        isDeliberate = pending.isDeliberate
        let action = options.keys.action(of: pending.keys, in: keyContext, gallery.layout)
        if let action { carryOut(action, count: count.finish()) }
        display.stateChanged()
    }

    private func carryOut(_ action: KeyMap.Action, count: Int?) {
        switch action {
        case .command(let row):
            attempt {
                try carryOut(row, CommandCall(model: self, count: count), in: keyContext)
            }
        case .lines(let lines):
            script = Script(lines: lines[...], count: count)
            goOnWithScript()
        }
    }

    private func handle(unbound key: Key, in keyContext: KeyContext) {
        let isAltCharacter = if case .modified(.alt, .character) = key { true } else { false }
        if case .modified(_, let plain) = key, !isAltCharacter {
            handle(plain)
        } else if keyContext == .prompt {
            type(key)
        } else if keyContext == viewContext {
            let other: KeyContext = viewer.isOpen ? .gallery : .viewer
            let hint = options.keys.command(for: key, in: other).map {
                " in the \(keyContext): \($0.rawValue) works in the \(other)"
            }
            show("\(key.name) does nothing\(hint ?? ": ? shows the keys")")
        }
    }

    /// What the keys after an unfinished sequence would do; nil if there is none.
    var pendingScene: InfoScene? {
        if let awaitedLetter {
            return InfoScene(title: "Bookmarks", facts: awaitedLetter.bookmarks)
        }
        guard let pending else { return nil }
        let map = options.keys
        let layout = gallery.layout
        var facts = map.continuations(of: pending.keys, in: keyContext, layout).map {
            InfoScene.Fact(
                label: Self.names(of: $0.keys.dropFirst(pending.keys.count)),
                value: $0.lines.joined(separator: " "))
        }
        if let action = map.action(of: pending.keys, in: keyContext, layout) {
            let text =
                switch action {
                case .command(let row): row.summary
                case .lines(let lines): lines.joined(separator: " ")
                }
            facts.append(InfoScene.Fact(label: "alone", value: text))
        }
        return InfoScene(title: "\(Self.names(of: pending.keys)) …", facts: facts)
    }

    private static func names(of keys: some Sequence<Key>) -> String {
        keys.map(\.name).joined(separator: " ")
    }

    /// Types into the prompt; a pasted line is not run.
    private func type(_ key: Key) {
        if key == .enter, !isDeliberate, typedLine?.runsSomething == true {
            return prompt.note("too fast to have been typed: press Enter again")
        }
        guard let typed = prompt.type(key, in: viewContext) else { return }
        run((typed.purpose == .run ? "!" : "") + typed.text, from: .typed)
    }

    private func controlSlideshow(by event: InputEvent) {
        var command: Command?
        if case .key(let key) = event,
            case .command(let row)? = options.keys.action(
                of: [options.keys.latin(key)], in: .viewer)
        {
            command = row.command
        }
        switch command {
        case .nextPicture: viewer.continueSlideshow(by: 1)
        case .previousPicture: viewer.continueSlideshow(by: -1)
        default: viewer.stopSlideshow(isPause: command == .slideshow)
        }
    }

    private func handlePointer(_ event: InputEvent) {
        let place = keyContext == .prompt ? viewContext : keyContext
        switch event {
        case .key: break
        case .paste(let text): paste(text)
        case .click(let x, let y): click(x: x, y: y, in: place)
        case .doubleClick(let x, let y):
            if place == .viewer {
                goBack(stops: false)
            } else if place == .gallery, gallery.click(x: x, y: y) {
                attempt(openSelection)
            }
        case .wheel(let rows):
            if place == .gallery { level.scroll(by: rows, at: context.clock()) }
            if place == .viewer { viewer.scroll(rows.signum(), by: 1 / 8) }
            if place == .help { dialogs.scrollHelp(by: rows) }
        case .zoom(let steps, let x, let y):
            if place == .viewer { viewer.zoom(by: steps, x: x, y: y) }
        case .drag(let columns, let rows):
            if place == .viewer { viewer.drag(columns: columns, rows: rows) }
        }
    }

    private func click(x: Int, y: Int, in place: KeyContext) {
        let isOnHint =
            !display.hidesBars && y == display.size.rows - 1
            && x > display.size.columns - hint.columns - 2
        switch place {
        case .dialog: dialogs.answer(atX: x, y: y)
        case .help, .prompt: if isOnHint { dialogs.closeHelp() }
        case _ where isOnHint: dialogs.openHelp()
        case .gallery: gallery.click(x: x, y: y)
        case .viewer: viewer.click(x: x, y: y)
        }
    }

    /// Longer than any real address; terminals silently drop much longer texts.
    static let maxCopied = 8192

    /// Inserts pasted text into the open prompt; without one, offers to open a pasted address or path and does nothing else.
    private func paste(_ text: String) {
        guard typedLine == nil else { return prompt.insert(text) }
        let name = String(text.drop(while: \.isWhitespace).prefix { !$0.isNewline })
        guard dialogs.question == nil, !name.isEmpty, name.utf8.count <= Self.maxCopied else {
            return
        }
        findPlace(name) { [weak self] result in
            guard let self, dialogs.question == nil, (try? result.get()) != nil else { return }
            dialogs.ask(
                Question(
                    title: "Open what was pasted?", message: name.oneLine(), answer: "Open",
                    accept: { [weak self] in self?.open(place: name) }))
        }
    }
}
