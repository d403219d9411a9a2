import Basics
import Gallery
import Network
import Raster

extension BrowserModel {
    /// Handles a key press or mouse event.
    ///
    /// `isTyped` is false for input faster than people type, which was pasted or is another program's buffered input;
    /// it may not save, quit or open anything.
    public func handle(_ event: InputEvent, isTyped: Bool = true) -> Effect {
        isDeliberate = isTyped
        display.stateChanged()
        display.show(message: "")
        // After a Retry in the dialog, a move that waits for the failed page continues.
        if keyContext != .dialog { gallery.awaited = nil }
        gallery.level.isTouched = true
        if viewer.hasSlideshow {
            viewer.stopSlideshow(isPause: isKey(event, for: .slideshow))
            return .none
        }
        switch event {
        case .key(let key): return handle(key)
        case .wheel(let rows, _, _): wheel(by: rows)
        case .click(let x, let y): return click(x: x, y: y)
        case .doubleClick(let x, let y): return doubleClick(x: x, y: y)
        case .zoom(let steps, let x, let y):
            if keyContext == .viewer { viewer.zoom(by: steps, x: x, y: y) }
        case .drag(let columns, let rows):
            if keyContext == .viewer { viewer.drag(columns: columns, rows: rows) }
        case .paste(let text): paste(text)
        }
        return .none
    }

    private func click(x: Int, y: Int) -> Effect {
        let isOnHint =
            y == display.size.rows - 1 && x > display.size.columns - hint.columns - 2
        switch keyContext {
        case .dialog: return dialogs.answer(atX: x, y: y).map(dialogs.answer) ?? .none
        case .gallery where isOnHint, .viewer where isOnHint: dialogs.openHelp()
        case .viewer: viewer.click(x: x, y: y)
        case .gallery: gallery.click(x: x, y: y)
        case .help: break
        }
        return .none
    }

    private func isKey(_ event: InputEvent, for command: Command) -> Bool {
        guard case .key(let key) = event else { return false }
        return context.options.keys.command(for: key, in: .viewer) == command
    }

    /// The topmost part of the screen that takes keys.
    private var keyContext: KeyContext {
        if dialogs.question != nil { return .dialog }
        if dialogs.isHelpShown { return .help }
        return viewer.isOpen ? .viewer : .gallery
    }

    /// The prompt, if keys currently go to it.
    var typedLine: Prompt? {
        guard let line = prompt.prompt, keyContext != .dialog else { return nil }
        return (line.purpose == .findInHelp) == (keyContext == .help) ? line : nil
    }

    private func handle(_ key: Key) -> Effect {
        let keyContext = keyContext
        if typedLine != nil {
            // The terminal may need these two at any time.
            switch context.options.keys.command(for: key, in: .gallery) {
            case .redraw: return .redraw
            case .suspend: return .suspend
            default: return type(key)
            }
        }
        // Digits in a dialog are answers rather than counts.
        if keyContext != .dialog, count.take(key) { return .none }
        let typed = count.finish()
        // Esc cancels the pending count and does nothing else.
        if typed != nil, key == .escape, keyContext != .dialog { return .none }
        let keys = context.options.keys
        guard let command = keys.command(for: key, in: keyContext) else {
            if keyContext == .viewer {
                let isKnown = keys.command(for: key, in: .gallery) != nil
                let place = isKnown ? " in the viewer" : ""
                display.show(message: "\(key.name) does nothing\(place): ? shows the keys")
            }
            return .none
        }
        return run(command, count: typed, in: keyContext)
    }

    /// Types into the prompt; a pasted line is not run.
    private func type(_ key: Key) -> Effect {
        if key == .enter, !isDeliberate, prompt.runsSomething {
            prompt.note("too fast to have been typed: press Enter again")
            return .none
        }
        guard let (purpose, line) = prompt.type(key) else { return .none }
        if purpose == .run { return askToRun(line) }
        return run(line: line, in: viewer.isOpen ? .viewer : .gallery)
    }

    /// The commands that pasted keys must not run; quitting does its own check.
    private static let risky: Set<Command> = [
        .save, .open, .openElsewhere, .accept, .printAndQuit,
    ]

    private func tellTooFast() {
        display.show(message: "too fast to have been typed: press the key again")
    }

    func run(_ command: Command, count: Int?, in keyContext: KeyContext) -> Effect {
        // In a one-column list, moving right means opening the picture.
        let isInto =
            command == .right && count == nil && keyContext == .gallery && gallery.isOneColumn
        let command = isInto ? .open : command
        guard isDeliberate || !Self.risky.contains(command) else {
            tellTooFast()
            return .none
        }
        switch command {
        case .redraw: return .redraw
        case .suspend: return .suspend
        case .quit: return quit(in: keyContext)
        case .printAndQuit: return quit(printing: gallery.level.marked)
        case .copyAddress: return copyAddress()
        case .slideshow where keyContext == .gallery || keyContext == .viewer:
            viewer.startSlideshow(seconds: count)
            return .none
        default: break
        }
        switch keyContext {
        case .dialog: return dialogs.answer(command)
        case .help where command == .find:
            dialogs.beginFindingInHelp()
            prompt.open(.findInHelp)
        case .help: dialogs.runInHelp(command, count: count)
        case .viewer where command == .open && context.options.isChooser: return open()
        case .viewer: if !viewer.run(command, count: count) { runAnywhere(command) }
        case .gallery:
            if command == .open { return open() }
            if !gallery.run(command, count: count), !prompt.run(command, count: count) {
                runAnywhere(command)
            }
        }
        return .none
    }

    /// Handles `q`: closes the topmost view, or quits the program if nothing is open.
    private func quit(in keyContext: KeyContext) -> Effect {
        switch keyContext {
        case .dialog: return dialogs.answer(.dismiss)
        case .help: dialogs.closeHelp()
        case .viewer where isOnePicture: if !dialogs.closeInfo() { return quit() }
        case .viewer, .gallery: if !goBack() { return quit() }
        }
        return .none
    }

    /// Quits the program; asks first if saves are still pending.
    private func quit(printing pictures: [Picture] = []) -> Effect {
        guard isDeliberate else {
            tellTooFast()
            return .none
        }
        let leave = { [weak self] () -> Effect in
            self?.chosen = pictures.map(Self.name)
            return .quit
        }
        guard saving.openCount > 0 else { return leave() }
        dialogs.ask(
            DialogsModel.Question(
                title: "Quit?", message: "\(saving.openCount) not saved yet.", answer: "Quit",
                accept: leave))
        return .none
    }

    /// The name that other programs use for a picture: its path if it is a local file, else its address.
    static func name(_ picture: Picture) -> String {
        picture.place.filePath ?? picture.place.text
    }

    /// Closes the info panel, the viewer or the album; returns false if none of them is open.
    @discardableResult
    private func goBack() -> Bool { dialogs.closeInfo() || viewer.close() || gallery.closeAlbum() }

    /// Handles Esc: stops a pending activity first, then closes the topmost view.
    private func stopOrGoBack() {
        _ =
            gallery.level.stopRange() || gallery.stopLoadingAll() || dialogs.closeInfo()
            || viewer.close()
            || gallery.clearFilter() || gallery.closeAlbum()
    }

    /// Runs a command that the gallery and the viewer share.
    private func runAnywhere(_ command: Command) {
        switch command {
        case .retry: retryFailed()
        case .reload: gallery.reload()
        case .info: dialogs.toggleInfo()
        case .position:
            display.isPositionShown.toggle()
            display.isInfoShown = display.isInfoShown || display.isPositionShown
        case .help: dialogs.openHelp()
        case .back: stopOrGoBack()
        case .forward:
            if !gallery.reopenAlbum() { display.show(message: "nothing to go forward to") }
        case .commandLine: prompt.open(.command)
        case .run: prompt.open(.run)
        case .nextMarked, .previousMarked:
            if !gallery.level.goToMarked(step: command == .nextMarked ? 1 : -1) {
                display.show(message: "nothing is marked")
            }
        case .sort: display.show(message: "sorted by \(gallery.order.key.rawValue)")
        case .openElsewhere: openElsewhere()
        case .mark: gallery.level.toggleMark()
        case .clearMarks: display.show(message: gallery.level.clearMarks())
        case .invertMarks: display.show(message: gallery.level.invertMarks())
        case .save: saving.save(gallery.level.chosenPictures)
        default: look(command)
        }
    }

    /// Runs a command that changes how things are shown.
    private func look(_ command: Command) {
        switch command {
        case .nextBlocks:
            display.style.blocks = context.options.availableBlocks.next(after: style.blocks)
            display.show(message: "blocks: \(style.blocks.rawValue)")
        case .nextColors:
            display.style.depth = display.depths.next(after: style.depth)
            // Without colours the list has one line per picture.
            gallery.relayout()
            display.show(message: "colours: \(style.depth.rawValue)")
        case .nextGraphics:
            display.style.pixels = display.pixelForms.next(after: style.pixels)
            display.show(message: "graphics: \(display.graphicsText)")
        case .toggleTint:
            display.style.isTinted.toggle()
            display.show(message: style.isTinted ? "tint on" : "tint off")
        default: break
        }
    }

    private func open() -> Effect {
        let level = gallery.level
        guard let id = level.selection, let picture = level.sections.picture(id) else {
            return .none
        }
        switch picture.kind {
        case .picture where context.options.isChooser: return quit(printing: level.chosenPictures)
        case .picture: viewer.open(id)
        case .album: gallery.openAlbum(picture)
        }
        return .none
    }

    /// Retries what has failed on the screen, pictures and pages of the visible sections, or else pages of sections out of sight.
    private func retryFailed() {
        let level = gallery.level
        let seen =
            viewer.isOpen
            ? [level.selection].compactMap(\.self)
            : level.visiblePictures.map(level.id(ofPicture:))
        let pictures =
            gallery.tiles.retry(seen) + gallery.pane.retry(seen) + viewer.full.retry(seen)
            + (viewer.details?.retry(seen) ?? 0)
        if pictures + gallery.retryPages(of: level.visibleBlocks) == 0,
            gallery.retryPages(of: level.layout.blocks.indices) == 0
        {
            display.show(message: "nothing here has failed")
        }
    }

    /// Longer than any real address; terminals silently drop much longer texts.
    static let maxCopied = 8192

    private func copyAddress() -> Effect {
        guard let address = gallery.level.selectedPicture?.place else { return .none }
        guard address.text.utf8.count <= Self.maxCopied else {
            display.show(message: "the address is too long to copy")
            return .none
        }
        let text = address.filePath ?? address.text
        let shown = context.texts.text(address)
        guard let clipboard = context.services.clipboard else {
            display.show(message: "copied \(shown)")
            return .copy(text)
        }
        copyRequest = MainRequest(on: context.main) { answer in
            clipboard.copy(text, completion: answer)
        } receive: { [weak self] (failure: String?) in
            self?.display.show(
                message: failure.map { "could not copy: \($0)" } ?? "copied \(shown)")
        }
        return .none
    }

    private func openElsewhere() {
        guard let address = gallery.level.selectedPicture?.place else { return }
        display.show(
            message: context.services.opening?.open(address) ?? "there is no browser to open it in")
    }

    /// Scrolls the topmost view by `rows` of cells; in the viewer, shows the next or previous picture, or pans.
    private func wheel(by rows: Int) {
        guard rows != 0 else { return }
        switch keyContext {
        case .gallery: gallery.level.scroll(by: rows)
        case .viewer: _ = viewer.run(rows > 0 ? .down : .up, count: 1)
        case .help: dialogs.scrollHelp(by: rows)
        case .dialog: break
        }
    }

    /// Opens the picture under the pointer; in the viewer, goes back.
    private func doubleClick(x: Int, y: Int) -> Effect {
        switch keyContext {
        case .viewer: goBack()
        case .gallery: if gallery.click(x: x, y: y) { return open() }
        case .help, .dialog: break
        }
        return .none
    }
}

extension Array where Element: Equatable {
    /// Returns the element after `current`, wrapping around; the first one, or `current` if the array is empty, when it is not contained.
    func next(after current: Element) -> Element {
        guard let place = firstIndex(of: current) else { return first ?? current }
        return self[(place + 1) % count]
    }
}
