import Basics
import Collector
import Gallery
import Network
import State
import Thumbnails

/// Opening, going back, quitting, bookmarks, followed galleries, and what the commands do that concern the selected picture and more than
/// one model.
extension BrowserModel {
    /// Opens the place given, or the selected album or picture, which a chooser chooses instead, and a program may show.
    func open(_ call: CommandCall) throws {
        if !call.argument.isEmpty {
            open(place: call.argument)
        } else if !options.isChooser, let command = programOfSelection {
            try runProgram(command, asks: false)
        } else if viewer.isOpen, !options.isChooser,
            level.selectedPicture?.kind != .album
        {
            viewer.close()
        } else {
            try openSelection()
        }
    }

    /// The program for the selected picture's type; nil if the viewer shows it.
    private var programOfSelection: ExternalCommand? {
        guard let id = level.selection, let picture = level.selectedPicture,
            picture.kind == .picture,
            let type = picture.largest.videoType
                ?? gallery.tiles.thumbnail(of: id)?.facts.mediaType
        else { return nil }
        return options.programs.first {
            $0.pattern == type
                || $0.pattern.hasSuffix("/*") && type.hasPrefix($0.pattern.dropLast())
        }.flatMap { $0.words.isEmpty ? nil : ExternalCommand(mode: .silent, words: $0.words) }
    }

    func openSelection() throws {
        if options.isChooser, level.selectedPicture?.kind == .picture {
            let marked = gallery.marked
            try quit(printing: marked.isEmpty ? level.chosenPictures : marked)
        } else {
            viewSelection()
        }
    }

    func viewSelection() {
        guard let picture = level.selectedPicture else { return }
        switch picture.kind {
        case .picture:
            viewer.open()
            recheckFiles()
        case .album: viewer.enter(picture)
        }
    }

    /// Moves right; in a one-column list, that means into the picture.
    func moveRight(_ call: CommandCall) throws {
        guard call.count == nil, gallery.layout == .list, level.metrics.perRow == 1 else {
            return gallery.go(call.steps, level.move(by:))
        }
        try checkHaste()
        viewSelection()
    }

    /// Opens a SOURCE on top of the current gallery, as an album is opened.
    func open(place text: String, at destination: Destination? = nil) {
        guard services.sources != nil else {
            return show("nothing else can be opened here")
        }
        let shown = FileServers.shown(text)
        show("opening \(shown)")
        findPlace(text) { [weak self] result in
            guard let self else { return }
            switch result {
            case .failure(let error): show("\(shown): \(error)")
            case .success(let source):
                show("")
                viewer.close()
                gallery.open([source], at: destination)
                if source.start != nil { viewer.open() }
            }
        }
    }

    /// Shows a picture in the gallery of those that other programs have had shown, in the viewer if that is open.
    func showPicture(_ text: String) {
        guard let shown = services.shown else { return show("nothing can be shown here") }
        findPlace(text, as: \.showRequest) { [weak self] result in
            guard let self else { return }
            switch result {
            case .failure(let error): show("\(FileServers.shown(text)): \(error)")
            case .success(let source):
                // The folder around it is not meant.
                let start = source.start.map { Source(argument: $0.title, address: $0.image) }
                shown.add(start ?? source)
                gallery.goToFirst(of: ShownPictures.source)
                if viewer.isOpen { level.opensFirst = true }
            }
        }
    }

    /// Has `body` done to the marked pictures, or the selected one if none is marked; asks which are meant if not all of those are seen.
    func choose(_ body: @escaping ([SaveOrder]) -> Void) {
        let level = level
        let all = level.chosen
        let own = level.selectedIDs
        let act = { (chosen: [PictureID]) in body(chosen.compactMap(level.order)) }
        var seen = all.filter { level.number(of: $0) != nil }
        if seen.isEmpty || viewer.isOpen && !own.allSatisfy(all.contains) { seen = own }
        if seen == all { return act(all) }
        let (which, answer) =
            seen.allSatisfy(all.contains) ? ("all shown", "Those shown") : ("this one", "This one")
        dialogs.ask(
            Question(
                title: "\(all.count) marked, and not \(which)",
                message: level.selectedPicture?.caption ?? "", answer: answer,
                accept: { act(seen) }, marked: { act(all) }))
    }

    /// Resolves `text`, a path being relative to the folder shown; takes the place of the `request` before.
    func findPlace(
        _ text: String,
        as request: ReferenceWritableKeyPath<BrowserModel, MainRequest?> = \.request,
        receive: @escaping @MainActor (Result<Source, SourceError>) -> Void
    ) {
        self[keyPath: request] = services.sources.map { sources in
            context.request { [folder = gallery.folder, origin] answer in
                sources.find(text, in: folder, isTyped: origin == .typed, completion: answer)
            } receive: { [weak self] result in
                receive(result)
                self?.endRequest((try? result.get()) == nil ? self?.display.message : nil)
            }
        }
    }

    /// Closes what is open, topmost first, if `stops` after what is going on; returns false if there is nothing.
    @discardableResult
    func goBack(stops: Bool = true) -> Bool {
        stops && (level.stopRange() || gallery.stopLoadingAll() || saving.stop())
            || dialogs.closeInfo() || viewer.close() || stops && gallery.clearFilter()
            || gallery.closeAlbum() || stops && level.currentSection?.pager?.stop() == true
    }

    func goBackOrQuit() throws {
        let isClosed = viewer.isOpenSinceStart ? dialogs.closeInfo() : goBack(stops: false)
        if !isClosed { try quit() }
    }

    /// Quits the program; asks first if saves are pending, or marks would be lost without being printed.
    func quit(printing pictures: [Picture] = []) throws {
        try checkHaste()
        let unsaved = saving.openCount
        let marked = pictures.isEmpty ? gallery.markedCount : 0
        let losses = nonNil(
            unsaved > 0 ? "\(unsaved) not saved yet." : nil,
            marked > 0 ? "\(marked) marked: s saves them, Q prints their names." : nil,
            fileProgress.isEmpty ? nil : "\(fileProgress): the rest is done first.")
        if losses.isEmpty { return leave(printing: pictures) }
        dialogs.ask(
            Question(
                title: "Quit?", message: losses.joined(separator: " "), answer: "Quit",
                accept: { [weak self] in self?.leave(printing: pictures) }))
    }

    func leave(printing pictures: [Picture] = []) {
        chosen = pictures.compactMap { picture in
            guard let field = options.printedField else { return picture.name }
            let values = PictureRecord(picture, section: 1, index: 1).values
            return values.first { $0.name == field }?.value
        }
        effects.append(.quit)
    }

    /// Saves the marked pictures, and quits once all are saved unless a key is pressed before.
    func saveAndQuit() throws {
        if !level.marks.isEmpty { saving.save(level.chosenOrders, to: "") }
        guard saving.openCount > 0 else { return try quit() }
        show("saving \(saving.openCount), then quitting: any key stays here")
        quitsWhenSaved = true
    }

    /// Retries what has failed on the screen, pictures and pages of the visible sections, or else pages of sections out of sight.
    func retryFailed() {
        let seen =
            viewer.isOpen ? level.selectedIDs : level.visibleIDs
        let pictures = pictureRequests.reduce(viewer.details?.retry(seen) ?? 0) {
            $0 + $1.retry(seen)
        }
        let hasPages = gallery.retryPages(of: level.visibleBlocks.map(level.section(ofBlock:)))
        if pictures == 0, !hasPages, !gallery.retryPages(of: level.sections) {
            show("nothing here has failed")
        }
    }

    func copyAddress() {
        guard let address = level.selectedPicture?.place else { return }
        let text = address.filePath ?? address.text
        // A shell that it is pasted into would run what follows a line feed.
        guard text.utf8.count <= Self.maxCopied, !text.utf8.contains(where: { $0 < 0x20 }) else {
            return show("the address is too long to copy, or has control characters")
        }
        let shown = texts.text(address)
        guard let clipboard = services.clipboard else {
            effects.append(.copy(text))
            return show("copied \(shown)")
        }
        clipboard.copy(
            text,
            completion: onMain { [display] failure in
                display.show(failure.map { "could not copy: \($0)" } ?? "copied \(shown)")
            })
    }

    /// Copies the selected picture's file, by the terminal if that takes files.
    func copyPicture() {
        guard let picture = level.selectedPicture, picture.kind == .picture,
            let clipboard = services.pictureClipboard
        else { return show("there is no picture to copy") }
        let shown = texts.text(picture.largest)
        show("copying \(shown)")
        clipboard.copy(
            picture, forTerminal: takesFiles,
            completion: onMain { [weak self] result in
                switch result {
                case .failure(let error): self?.show("could not copy: \(error)")
                case .success(let file):
                    self?.show("copied \(shown)")
                    if let file {
                        self?.effects.append(.copyFile(file.bytes, mediaType: file.mediaType))
                    }
                }
            })
    }

    func openElsewhere() throws {
        try checkRights()
        guard let address = level.selectedPicture?.place else { return }
        show(services.opening?.open(address) ?? "there is no browser to open it in")
    }

    /// Sets a bookmark to the selected picture; without a letter, the next key gives it.
    func setBookmark(_ letter: String) {
        guard letter.count == 1 else { return awaitLetter(for: .setBookmark) }
        guard let state = services.state, let place = gallery.place else {
            return show("this place cannot be kept")
        }
        state.setBookmark(letter, place)
        show("'\(letter) comes back here")
    }

    /// Opens the gallery of a bookmark at its picture.
    func goToBookmark(_ letter: String) {
        guard !letter.isEmpty else { return awaitLetter(for: .goToBookmark) }
        withBookmarks { [weak self] places in
            guard let self else { return }
            guard let place = places[letter], let picture = Address(place.picture) else {
                return show("there is no bookmark \(letter)")
            }
            let destination = Destination.place(picture, number: place.number)
            if gallery.place?.gallery == place.gallery { return gallery.go(to: destination) }
            open(place: place.gallery, at: destination)
        }
    }

    /// Follows the gallery, whose pictures so far count as seen, or no longer.
    func follow() {
        guard let followed = services.followed, let address = gallery.key,
            let section = level.sections.first(where: { $0.address.text == address })
        else { return show("this place cannot be followed") }
        followed.toggle(
            address, seen: section.pictures,
            completion: onMain { [display] isFollowed in
                let name = address.split(separator: "://").last ?? ""
                display.show(
                    isFollowed
                        ? "following \(name): what comes from now on is new" : "no longer followed")
            })
    }

    /// Shows what is new in followed galleries, and the gallery of recent places.
    func openHome() {
        guard let home = services.home, let followed = services.followed else {
            return show("no places are kept (--no-state)")
        }
        followed.look(
            completion: onMain { [viewer, gallery] news in
                viewer.close()
                gallery.open(news + [home])
            })
    }

    /// Lets the next key be a bookmark's letter, and shows those that are set.
    private func awaitLetter(for command: Command) {
        awaitedLetter = AwaitedLetter(command: command)
        withBookmarks { [weak self] places in
            let facts = places.sorted { $0.key < $1.key }.map {
                InfoScene.Fact(label: $0.key, value: "\($0.value.caption), \($0.value.title)")
            }
            self?.awaitedLetter?.bookmarks = facts
        }
    }

    private func withBookmarks(_ receive: @escaping @MainActor ([String: Place]) -> Void) {
        guard let state = services.state else { return receive([:]) }
        state.bookmarks(completion: onMain(receive))
    }

    /// A command that waits for a letter, and the bookmarks that there are.
    struct AwaitedLetter {
        let command: Command
        var bookmarks: [InfoScene.Fact] = []
    }
}
