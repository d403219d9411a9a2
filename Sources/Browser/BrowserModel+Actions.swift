import Basics
import Gallery
import Network
import Pipeline
import Raster

/// What the commands do that concern more than one model.
extension BrowserModel {
    /// Opens the place given, or the selected album or picture, which a chooser chooses instead.
    func open(_ call: CommandCall) {
        if !call.argument.isEmpty {
            open(place: call.argument)
        } else if context.options.isChooser || !viewer.isOpen {
            openSelection()
        } else {
            viewer.openAlbumOrClose()
        }
    }

    func openSelection() {
        let level = gallery.level
        if context.options.isChooser, level.selectedPicture?.kind == .picture {
            quit(printing: level.chosenPictures)
        } else {
            viewSelection()
        }
    }

    func viewSelection() {
        guard let id = gallery.level.selection, let picture = gallery.level.selectedPicture else {
            return
        }
        switch picture.kind {
        case .picture:
            viewer.open(id)
            recheckFiles()
        case .album: viewer.enter(picture)
        }
    }

    /// Moves right; in a one-column list, that means into the picture.
    func moveRight(_ call: CommandCall) {
        guard call.count == nil, gallery.isOneColumn else {
            return gallery.go(call.steps, gallery.level.move(by:))
        }
        isDeliberate ? viewSelection() : refuseHaste()
    }

    /// Opens a SOURCE on top of the current gallery, as an album is opened.
    func open(place text: String) {
        guard context.services.places != nil else {
            return display.show("nothing else can be opened here")
        }
        display.show("opening \(text)")
        findPlace(text) { [weak self] result in
            guard let self else { return }
            switch result {
            case .failure(let error): display.show("\(text): \(error)")
            case .success(let source):
                display.show("")
                viewer.close()
                gallery.open(source)
            }
        }
    }

    /// Resolves `text`, a path being relative to the folder shown.
    func findPlace(
        _ text: String, receive: @escaping @MainActor (Result<Source, SourceError>) -> Void
    ) {
        guard let places = context.services.places else { return }
        placeRequest = MainRequest(on: context.main) { [folder = gallery.folder] answer in
            places.find(text, in: folder, completion: answer)
        } receive: { [display] (result: Result<Source, SourceError>) in
            receive(result)
            display.stateChanged()
        }
    }

    /// Closes what is open, topmost first; returns false if nothing is.
    @discardableResult
    func goBack() -> Bool {
        let steps = [dialogs.closeInfo, viewer.close, gallery.closeAlbum]
        return steps.contains { $0() }
    }

    /// Ends what is going on, or else closes what is open; returns false if there is neither.
    @discardableResult
    func stopOrGoBack() -> Bool {
        let steps = [
            gallery.level.stopRange, gallery.stopLoadingAll, dialogs.closeInfo, viewer.close,
            gallery.clearFilter, gallery.closeAlbum,
        ]
        return steps.contains { $0() }
    }

    /// Goes back, or from the first gallery to the folder above it.
    func goBackOrUp() {
        if !stopOrGoBack(), !gallery.openParent() {
            display.show("there is nothing to go back to")
        }
    }

    func goForward() {
        if !gallery.reopenAlbum() { display.show("nothing to go forward to") }
    }

    func goBackOrQuit() {
        let isClosed = viewer.isOpen && isOnePicture ? dialogs.closeInfo() : goBack()
        if !isClosed { quit() }
    }

    /// Quits the program; asks first if saves are pending, or marks would be lost without being printed.
    func quit(printing pictures: [Picture] = []) {
        guard isDeliberate else { return refuseHaste() }
        let (unsaved, marked) = (saving.openCount, pictures.isEmpty ? gallery.markedCount : 0)
        guard unsaved + marked > 0 else { return leave(printing: pictures) }
        let losses = [
            unsaved > 0 ? "\(unsaved) not saved yet." : nil,
            marked > 0 ? "\(marked) marked: s saves them, Q prints their names." : nil,
        ].compactMap(\.self)
        dialogs.ask(
            DialogsModel.Question(
                title: "Quit?", message: losses.joined(separator: " "), answer: "Quit",
                accept: { [weak self] in self?.leave(printing: pictures) }))
    }

    func leave(printing pictures: [Picture] = []) {
        chosen = pictures.map(Self.name)
        effect = .quit
    }

    /// Saves the marked pictures, and quits once all are saved unless a key is pressed before.
    func saveAndQuit() {
        let marked = gallery.level.marked
        if !marked.isEmpty { saving.save(marked, to: "") }
        guard saving.openCount > 0 else { return quit() }
        display.show("saving \(saving.openCount), then quitting: any key stays here")
        quitsWhenSaved = true
    }

    /// The name that other programs use for a picture: its path if it is a local file, else its address.
    private static func name(_ picture: Picture) -> String {
        picture.place.filePath ?? picture.place.text
    }

    func goToMarked(step: Int) {
        if gallery.level.goToMarked(step: step) {
            if viewer.isOpen { viewer.beginPicture() }
        } else {
            display.show("nothing is marked")
        }
    }

    func showNextBlocks() {
        display.style.blocks = context.options.availableBlocks.next(after: style.blocks)
        display.show("blocks: \(style.blocks.rawValue)")
    }

    func showNextColors() {
        display.style.depth = display.depths.next(after: style.depth)
        // Without colours the list has one line per picture.
        gallery.relayout()
        display.show("colours: \(style.depth.rawValue)")
    }

    /// Retries what has failed on the screen, pictures and pages of the visible sections, or else pages of sections out of sight.
    func retryFailed() {
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
            display.show("nothing here has failed")
        }
    }

    func copyAddress() {
        guard let address = gallery.level.selectedPicture?.place else { return }
        guard address.text.utf8.count <= Self.maxCopied else {
            return display.show("the address is too long to copy")
        }
        let text = address.filePath ?? address.text
        let shown = context.texts.text(address)
        guard let clipboard = context.services.clipboard else {
            display.show("copied \(shown)")
            effect = .copy(text)
            return
        }
        copyRequest = MainRequest(on: context.main) { answer in
            clipboard.copy(text, completion: answer)
        } receive: { [weak self] (failure: String?) in
            self?.display.show(
                failure.map { "could not copy: \($0)" } ?? "copied \(shown)")
        }
    }

    func openElsewhere() {
        guard let address = gallery.level.selectedPicture?.place else { return }
        display.show(context.services.opening?.open(address) ?? "there is no browser to open it in")
    }

    /// Asks whether to run a command on the marked pictures (or the selected one), and runs it once confirmed.
    ///
    /// No shell is involved: names are passed as arguments, in place of `{}` or at the end, whatever characters they contain.
    func askToRun(_ line: String) {
        let typed = Self.words(line).map(context.texts.expanded)
        let names = gallery.level.chosenPictures.map(Self.name)
        guard context.services.running != nil, !typed.isEmpty, !names.isEmpty else {
            return display.show(
                typed.isEmpty ? "nothing to run" : "nothing to run it on")
        }
        let words =
            typed.contains("{}") ? typed.flatMap { $0 == "{}" ? names : [$0] } : typed + names
        dialogs.ask(
            DialogsModel.Question(
                title: names.count == 1 ? "Run this?" : "Run this on \(names.count) pictures?",
                message: words.joined(separator: " ").oneLine(limit: 300), answer: "Run",
                accept: { [weak self] in
                    self?.commandWords = words
                    self?.effect = .run
                }))
    }

    /// Runs the confirmed command in the terminal, which must have been released; blocks until the command exits.
    public func runCommand(input: Int32, output: Int32) {
        context.services.running?.run(commandWords, input: input, output: output)
        display.stateChanged()
    }

    /// Splits a line into words at spaces, with shell quoting and backslashes; no other character is special.
    static func words(_ line: String) -> [String] {
        var (words, word): ([String], String?) = ([], nil)
        var (quote, isEscaped): (Character?, Bool) = (nil, false)
        for character in line {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                (quote, word) = (character, word ?? "")
            } else if quote == nil, character == " " {
                word.map { words.append($0) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return words + [word].compactMap(\.self)
    }
}

extension Array where Element: Equatable {
    /// Returns the element after `current`, wrapping around; the first one, or `current` if the array is empty, when it is not contained.
    func next(after current: Element) -> Element {
        guard let place = firstIndex(of: current) else { return first ?? current }
        return self[(place + 1) % count]
    }
}
