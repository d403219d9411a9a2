import Basics
import Gallery
import Raster

/// The path of an input: from an event to the row of the table of commands that carries it out.
extension BrowserModel {
    /// Handles a key press or mouse event.
    ///
    /// `isTyped` is false for input faster than people type, which was pasted or is another program's buffered input;
    /// it may not save, quit or open anything.
    public func handle(_ event: InputEvent, isTyped: Bool = true) -> Effect {
        effect = .none
        isDeliberate = isTyped
        quitsWhenSaved = false
        display.stateChanged()
        display.show("")
        // After a Retry in the dialog, a move that waits for the failed page continues.
        if keyContext != .dialog { gallery.pendingMove = nil }
        gallery.level.isTouched = true
        if viewer.hasSlideshow {
            controlSlideshow(by: event)
        } else if case .key(let key) = event {
            handle(key)
        } else {
            count = CountPrefix()
            handlePointer(event)
        }
        return effect
    }

    /// The topmost part of the screen that takes keys.
    private var keyContext: KeyContext {
        if dialogs.question != nil { return .dialog }
        if typedLine != nil { return .prompt }
        if dialogs.isHelpShown { return .help }
        return viewer.isOpen ? .viewer : .gallery
    }

    /// Where a typed command line applies.
    private var viewContext: KeyContext { viewer.isOpen ? .viewer : .gallery }

    /// The prompt, if keys currently go to it.
    var typedLine: Prompt? {
        guard let line = prompt.prompt, dialogs.question == nil else { return nil }
        return (line.purpose == .findInHelp) == dialogs.isHelpShown ? line : nil
    }

    private func handle(_ key: Key) {
        let keyContext = keyContext
        // Digits in a dialog are answers rather than counts.
        if keyContext != .dialog, keyContext != .prompt, count.take(key) { return }
        let typed = count.finish()
        // Esc cancels the pending count and does nothing else.
        if typed != nil, key == .escape, keyContext != .dialog { return }
        let keys = context.options.keys
        if let row = keys.binding(for: key, in: keyContext) {
            run(row, CommandCall(model: self, count: typed), in: keyContext)
        } else if keyContext == .prompt {
            type(key)
        } else if keyContext == .viewer {
            let command = keys.command(for: key, in: .gallery)
            let hint = command.map { " in the viewer: \($0.rawValue) works in the gallery" }
            display.show("\(key.name) does nothing\(hint ?? ": ? shows the keys")")
        }
    }

    private func run(_ row: KeyMap.Binding, _ call: CommandCall, in keyContext: KeyContext) {
        guard isDeliberate || !row.isRisky else { return refuseHaste() }
        row.handlers[keyContext]?(call)
    }

    func refuseHaste() {
        display.show("too fast to have been typed: press the key again")
    }

    /// Types into the prompt; a pasted line is not run.
    private func type(_ key: Key) {
        if key == .enter, !isDeliberate, typedLine?.runsSomething == true {
            return prompt.note("too fast to have been typed: press Enter again")
        }
        let before = gallery.level.selection
        let typed = prompt.type(key)
        // A search in the viewer shows what it finds as any other picture.
        if viewer.isOpen, gallery.level.selection != before { viewer.beginPicture() }
        guard let typed else { return }
        typed.purpose == .run ? askToRun(typed.text) : run(line: typed.text)
    }

    /// Runs a command line: a command's name or an unambiguous prefix and its argument, a number, which selects that picture, or `!`
    /// and another program's command.
    private func run(line: String) {
        let line = line.drop { $0 == " " }
        guard line.first != "!" else { return askToRun(String(line.dropFirst())) }
        let name = String(line.prefix { $0 != " " })
        guard !name.isEmpty else { return }
        let number = Int(name).flatMap { $0 > 0 ? $0 : nil }
        let argument = String(line.dropFirst(name.count).drop { $0 == " " })
        let row = context.options.keys.command(
            named: number == nil ? name : Command.first.rawValue, in: viewContext)
        switch row {
        case .failure(let unclear):
            display.show(
                unclear.names.isEmpty
                    ? "no such command: \(name)"
                    : "\(name): \(unclear.names.joined(separator: ", "))?")
        case .success(let row) where row.argument.isEmpty && !argument.isEmpty:
            display.show("\(row.command.rawValue) takes nothing")
        case .success(let row):
            let call = CommandCall(model: self, count: number, argument: argument)
            run(row, call, in: viewContext)
        }
    }

    private func controlSlideshow(by event: InputEvent) {
        var command: Command?
        if case .key(let key) = event {
            command = context.options.keys.command(for: key, in: .viewer)
        }
        switch command {
        case .nextPicture?: viewer.continueSlideshow(by: 1)
        case .previousPicture?: viewer.continueSlideshow(by: -1)
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
                goBack()
            } else if place == .gallery, gallery.click(x: x, y: y) {
                openSelection()
            }
        case .wheel(let rows, _, _):
            if place == .gallery { gallery.level.scroll(by: rows) }
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
            y == display.size.rows - 1 && x > display.size.columns - hint.columns - 2
        switch place {
        case .dialog: dialogs.answer(atX: x, y: y)
        case .gallery, .viewer:
            if isOnHint {
                dialogs.openHelp()
            } else if place == .viewer {
                viewer.click(x: x, y: y)
            } else {
                gallery.click(x: x, y: y)
            }
        case .help: if isOnHint { dialogs.closeHelp() }
        case .prompt: break
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
                DialogsModel.Question(
                    title: "Open what was pasted?", message: name.oneLine(), answer: "Open",
                    accept: { [weak self] in self?.open(place: name) }))
        }
    }
}
