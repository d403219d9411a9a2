import Basics
import Dispatch
import Gallery
import Network
import Pipeline
import Raster
import Thumbnails

/// What the commands do that concern more than one model.
extension BrowserModel {
    /// Opens the place given, or the selected album or picture, which a chooser chooses instead, and a program may show.
    func open(_ call: CommandCall) {
        if !call.argument.isEmpty {
            open(place: call.argument)
        } else if !context.options.isChooser, let command = programOfSelection {
            run(command, isTyped: false)
        } else if context.options.isChooser || !viewer.isOpen {
            openSelection()
        } else {
            viewer.openAlbumOrClose()
        }
    }

    /// The program for the selected picture's type; nil if the viewer shows it.
    private var programOfSelection: ExternalCommand? {
        guard let id = gallery.level.selection, let picture = gallery.level.selectedPicture,
            picture.kind == .picture,
            let type = picture.largest.videoType
                ?? gallery.tiles.thumbnail(of: id)?.facts.mediaType
        else { return nil }
        let program = context.options.programs.first {
            $0.pattern == type
                || $0.pattern.hasSuffix("/*") && type.hasPrefix($0.pattern.dropLast())
        }
        return program.flatMap { $0.words.isEmpty ? nil : ExternalCommand(words: $0.words) }
    }

    func openSelection() {
        let level = gallery.level
        if context.options.isChooser, level.selectedPicture?.kind == .picture {
            let marked = gallery.marked
            quit(printing: marked.isEmpty ? level.chosenPictures : marked)
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
    func open(place text: String, at destination: Destination? = nil) {
        guard context.services.sources != nil else {
            return display.show("nothing else can be opened here")
        }
        let shown = FileServers.shown(text)
        display.show("opening \(shown)")
        findPlace(text) { [weak self] result in
            guard let self else { return }
            switch result {
            case .failure(let error): display.show("\(shown): \(error)")
            case .success(let source):
                display.show("")
                viewer.close()
                gallery.open([source], at: destination)
                if source.start != nil, let id = gallery.level.selection { viewer.open(id) }
            }
        }
    }

    /// Adds the pictures of a folder, without an argument of the one shown, to those that are known by their look.
    func index(_ text: String) {
        if context.services.state == nil { return display.show("nothing is kept (--no-state)") }
        findPlace(text.isEmpty ? "." : text) { [display, main = context.main, context] result in
            guard let address = try? result.get().address else {
                return display.show("\(text): is no folder")
            }
            display.show("indexing \(context.texts.text(address))")
            context.services.index?.index(address) { count in
                main.post { display.show("\(count) pictures indexed") }
            }
        }
    }

    /// Shows everything on the gallery's pages that could be a picture, or only its pictures again.
    func showAll() {
        let level = gallery.level
        guard let teaching = context.services.teaching, let section = level.currentSection,
            section.folder == nil
        else { return display.show("a folder is shown whole anyway") }
        level.unwanted = []
        // Where the page was looked for, and where it was found.
        let pages = [section.address] + section.pictures.prefix(1).map(\.page)
        let isShown = teaching.toggle(pages)
        gallery.reload(fromCache: true)
        display.show(isShown ? Self.howToTeach : "the gallery only")
    }

    private static let howToTeach = "mark two that are wanted, go to one that is not, :learn"

    /// Makes a recipe that finds the marked pictures and not the selected one, and asks whether to keep it.
    func learn() {
        let level = gallery.level
        guard let learn = context.services.learn, let teaching = context.services.teaching,
            let picture = level.selectedPicture, level.marks.count > 1,
            !level.marks.contains(picture.image)
        else { return display.show(Self.howToTeach) }
        let unwanted = level.unwanted.union([picture.image])
        let examples = RecipeExamples(
            page: picture.page, wanted: level.marks, unwanted: unwanted.subtracting(level.marks))
        learnRequest = context.request { answer in
            learn(examples, answer)
        } receive: { [weak self] (result: Result<RecipeLesson, PageError>) in
            guard let self else { return }
            switch result {
            case .failure(let error): display.show("nothing learnt: \(error)")
            case .success(let lesson):
                level.unwanted = unwanted
                ask(about: lesson, in: teaching, host: picture.page.host)
            }
        }
    }

    /// Shows what a recipe finds, and asks whether to keep it; if not, all is as before.
    private func ask(about lesson: RecipeLesson, in teaching: RecipeTeaching, host: String) {
        let here = gallery.level.here
        teaching.adopt(lesson)
        gallery.reload(fromCache: true)
        dialogs.ask(
            DialogsModel.Question(
                title: "Keep this recipe?",
                message: "\(lesson.count) of \(lesson.total) pictures on this page",
                detail: lesson.item, answer: "Keep",
                accept: { [weak self] in
                    guard let self else { return }
                    learnRequest = context.request { answer in
                        DispatchQueue.global().asyncGuarded {
                            answer(teaching.save(lesson, host: host))
                        }
                        return .ended
                    } receive: { [display] (line: String) in
                        display.show(line)
                    }
                },
                dismiss: { [weak self] in
                    teaching.discardLatest()
                    self?.gallery.reload(fromCache: true, at: here)
                }))
    }

    /// Resolves `text`, a path being relative to the folder shown.
    func findPlace(
        _ text: String, receive: @escaping @MainActor (Result<Source, SourceError>) -> Void
    ) {
        guard let places = context.services.sources else { return }
        placeRequest = context.request { [folder = gallery.folder, isRunningTyped] answer in
            places.find(text, in: folder, isTyped: isRunningTyped, completion: answer)
        } receive: { (result: Result<Source, SourceError>) in
            receive(result)
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
            gallery.level.stopRange, gallery.stopLoadingAll, saving.stop, dialogs.closeInfo,
            viewer.close,
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
        let isClosed = quitsFromViewer ? dialogs.closeInfo() : goBack()
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
        chosen = pictures.map(\.name)
        effects.append(.quit)
    }

    /// Saves the marked pictures, and quits once all are saved unless a key is pressed before.
    func saveAndQuit() {
        if !gallery.level.marks.isEmpty { saving.save(gallery.level.chosenOrders, to: "") }
        guard saving.openCount > 0 else { return quit() }
        display.show("saving \(saving.openCount), then quitting: any key stays here")
        quitsWhenSaved = true
    }

    func goToMarked(step: Int) {
        if !gallery.level.goToMarked(step: step) { display.show("nothing is marked") }
    }

    func toggleBars() {
        display.hidesBars.toggle()
        gallery.relayout()
    }

    /// Returns the choice that a command names, or the one after `current` if it names none; nil, with a message, if there is no such.
    private func choice<Value: RawRepresentable<String> & Equatable>(
        _ call: CommandCall, among choices: [Value], after current: Value
    ) -> Value? {
        if call.argument.isEmpty { return choices.next(after: current) }
        let found = choices.first { $0.rawValue == call.argument }
        if found == nil {
            display.show("not one of \(choices.map(\.rawValue).joined(separator: ", "))")
        }
        return found
    }

    func changeLayout(_ call: CommandCall) {
        let other = gallery.layout == .list ? gallery.tiledLayout : .list
        let named = choice(call, among: Layout.allCases, after: other)
        if let layout = call.argument.isEmpty ? other : named { gallery.adopt(layout) }
    }

    func changeBlocks(_ call: CommandCall) {
        let choices = context.options.availableBlocks
        guard let blocks = choice(call, among: choices, after: style.blocks) else { return }
        display.style.blocks = blocks
        display.show("blocks: \(blocks.rawValue)")
    }

    func changeColors(_ call: CommandCall) {
        guard let depth = choice(call, among: display.depths, after: style.depth) else { return }
        display.style.depth = depth
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
        let pictures = pictureRequests.reduce(viewer.details?.retry(seen) ?? 0) {
            $0 + $1.retry(seen)
        }
        let hasPages = gallery.retryPages(of: level.visibleBlocks.map(level.section(ofBlock:)))
        if pictures == 0, !hasPages, !gallery.retryPages(of: level.sections) {
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
            effects.append(.copy(text))
            return
        }
        copyRequest = context.request { answer in
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
}

extension Array where Element: Equatable {
    /// Returns the element after `current`, wrapping around; the first one, or `current` if the array is empty, when it is not contained.
    func next(after current: Element) -> Element {
        guard let place = firstIndex(of: current) else { return first ?? current }
        return self[(place + 1) % count]
    }
}
