import Basics
import Collector
import Gallery
import Network
import Thumbnails

/// Opening, going back, quitting, and what the commands do that concern the selected picture and more than one model.
extension BrowserModel {
    /// Opens the place given, or the selected album or picture, which a chooser chooses instead, and a program may show.
    func open(_ call: CommandCall) throws {
        if !call.argument.isEmpty {
            open(place: call.argument)
        } else if !context.options.isChooser, let command = programOfSelection {
            try runProgram(command, asks: false)
        } else if viewer.isOpen, !context.options.isChooser,
            gallery.level.selectedPicture?.kind != .album
        {
            viewer.close()
        } else {
            try openSelection()
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

    func openSelection() throws {
        let level = gallery.level
        if context.options.isChooser, level.selectedPicture?.kind == .picture {
            let marked = gallery.marked
            try quit(printing: marked.isEmpty ? level.chosenPictures : marked)
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
    func moveRight(_ call: CommandCall) throws {
        guard call.count == nil, gallery.layout == .list, gallery.level.metrics.perRow == 1 else {
            return gallery.go(call.steps, gallery.level.move(by:))
        }
        try checkHaste()
        viewSelection()
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

    /// Has `body` done to the marked pictures, or the selected one if none is marked; asks which are meant if not all of those are seen.
    func choose(_ body: @escaping ([SaveOrder]) -> Void) {
        let level = gallery.level
        let (all, own) = (level.chosen, [level.selection].compactMap(\.self))
        let act = { (chosen: [PictureID]) in body(chosen.compactMap(level.order)) }
        var seen = all.filter { level.number(of: $0) != nil }
        if seen.isEmpty || viewer.isOpen && !own.allSatisfy(all.contains) { seen = own }
        if seen == all { return act(all) }
        let (which, answer) =
            seen.allSatisfy(all.contains) ? ("all shown", "Those shown") : ("this one", "This one")
        dialogs.ask(
            DialogsModel.Question(
                title: "\(all.count) marked, and not \(which)",
                message: level.selectedPicture?.caption ?? "", answer: answer,
                accept: { act(seen) }, marked: { act(all) }))
    }

    /// Resolves `text`, a path being relative to the folder shown.
    func findPlace(
        _ text: String, receive: @escaping @MainActor (Result<Source, SourceError>) -> Void
    ) {
        guard let sources = context.services.sources else { return }
        request = context.request { [folder = gallery.folder, origin] answer in
            sources.find(text, in: folder, isTyped: origin == .typed, completion: answer)
        } receive: { [weak self] result in
            receive(result)
            self?.endRequest((try? result.get()) == nil ? self?.display.message : nil)
        }
    }

    /// Closes what is open, topmost first, if `stops` after what is going on; returns false if there is nothing.
    @discardableResult
    func goBack(stops: Bool = true) -> Bool {
        stops && (gallery.level.stopRange() || gallery.stopLoadingAll() || saving.stop())
            || dialogs.closeInfo() || viewer.close() || stops && gallery.clearFilter()
            || gallery.closeAlbum() || stops && gallery.level.currentSection?.pager?.stop() == true
    }

    func goBackOrQuit() throws {
        let isClosed = viewer.isOpenSinceStart ? dialogs.closeInfo() : goBack(stops: false)
        if !isClosed { try quit() }
    }

    /// Quits the program; asks first if saves are pending, or marks would be lost without being printed.
    func quit(printing pictures: [Picture] = []) throws {
        try checkHaste()
        let (unsaved, marked) = (saving.openCount, pictures.isEmpty ? gallery.markedCount : 0)
        let losses = [
            unsaved > 0 ? "\(unsaved) not saved yet." : nil,
            marked > 0 ? "\(marked) marked: s saves them, Q prints their names." : nil,
            fileProgress.isEmpty ? nil : "\(fileProgress): the rest is done first.",
        ].compactMap(\.self)
        if losses.isEmpty { return leave(printing: pictures) }
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
    func saveAndQuit() throws {
        if !gallery.level.marks.isEmpty { saving.save(gallery.level.chosenOrders, to: "") }
        guard saving.openCount > 0 else { return try quit() }
        display.show("saving \(saving.openCount), then quitting: any key stays here")
        quitsWhenSaved = true
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
        let text = address.filePath ?? address.text
        // A shell that it is pasted into would run what follows a line feed.
        guard text.utf8.count <= Self.maxCopied, !text.utf8.contains(where: { $0 < 0x20 }) else {
            return display.show("the address is too long to copy, or has control characters")
        }
        let shown = context.texts.text(address)
        guard let clipboard = context.services.clipboard else {
            display.show("copied \(shown)")
            effects.append(.copy(text))
            return
        }
        let told = context.onMain { [display] (failure: String?) in
            display.show(failure.map { "could not copy: \($0)" } ?? "copied \(shown)")
        }
        clipboard.copy(text, completion: told)
    }

    func openElsewhere() throws {
        try checkRights()
        guard let address = gallery.level.selectedPicture?.place else { return }
        display.show(context.services.opening?.open(address) ?? "there is no browser to open it in")
    }
}
