import Gallery
import Network
import Pipeline
import Raster
import State

/// Moving the selection; beyond the loaded pictures it waits at the end of a section that may grow and never skips past it.
///
/// Where the reader was in each gallery is kept behind the screen, and gone to when the gallery is opened again.
extension GalleryModel {
    /// Selects the picture under the pointer, or the first one below a header; returns false unless a picture was clicked.
    @discardableResult
    func click(x: Int, y: Int) -> Bool {
        let body = display.body
        guard body.contains(x: x, y: y) else { return false }
        let row = level.scrollRow + y - body.y
        let picture = level.layout.picture(atX: x, row: row)
        let header = level.layout.blocks.first {
            $0.hasHeader && $0.firstRow == row && $0.count > 0
        }
        if let number = picture ?? header?.firstPicture { level.select(number: number) }
        return picture != nil
    }

    /// Moves by `steps`; `move` returns how many are left over at the end of such a section, which are made once a page has loaded.
    func go(_ steps: Int, _ move: @escaping (Int) -> Int) {
        let rest = move(steps)
        guard rest > 0, let number = level.selectedNumber else { return }
        loadOn(from: number, for: "") { [weak self] in self?.go(rest, move) }
    }

    /// Moves by screens, or by parts of one.
    func page(_ steps: Int, parts: Int) {
        let lines =
            level.selectedNumber.map { level.layout.linesPerScreen(from: $0, steps) }
            ?? level.metrics.rowsPerScreen
        go(max(1, lines / parts) * steps, level.page(byRows:))
    }

    /// Selects the picture with this number, counted from 1, loading pages until it is reached.
    func go(to number: Int) {
        let total = level.layout.pictureCount
        guard total > 0 else { return }
        let end = level.openEnd(from: 0)?.end ?? total
        level.select(number: min(number, end) - 1)
        guard number > end else { return }
        guard level.openEnd(from: 0) != nil else {
            return display.show("there are only \(total)")
        }
        loadOn(from: 0, for: " to \(number)") { [weak self] in self?.go(to: number) }
    }

    /// Selects the last loaded picture and loads the next page, or selects the picture with this number.
    func goToLast(_ number: Int?) {
        if let number { return go(to: number) }
        level.sections.forEach { $0.fruitlessPages = 0 }
        let total = level.layout.pictureCount
        guard total > 0 else { return }
        level.select(number: total - 1)
        let last = level.layout.blocks[level.layout.block(ofPicture: total - 1)].section
        guard let section = level.sections[last...].first(where: \.mayGrow) else {
            return
        }
        section.pager?.advance()
        sayLoaded(section)
    }

    private func sayLoaded(_ section: Section) {
        let total = level.layout.pictureCount
        display.show(section.isLoading ? "\(total) loaded, loading on…" : "\(total) loaded")
        if section.isLoading { pendingMove = { [weak self] in self?.sayLoaded(section) } }
    }

    /// Loads the current section to its end, regardless of other input; `stopLoadingAll` ends it.
    func loadAll() {
        guard let section = level.currentSection else { return }
        wholeSection = section.owner ?? section.id
        section.pager?.retry()
        goOnLoadingAll()
    }

    /// Stops loading a section to its end; returns false if none is being loaded.
    func stopLoadingAll() -> Bool {
        guard let section = wholeSection.flatMap(section) else { return false }
        wholeSection = nil
        display.show("stopped: \(section.pictures.count) loaded")
        return true
    }

    /// Continues what waits for a page, after one has loaded or failed.
    func goOn() {
        if wholeSection != nil { goOnLoadingAll() }
        goOnToDestination()
        guard let again = pendingMove else { return }
        pendingMove = nil
        display.show("")
        again()
    }

    func goToFirstNew() {
        let query = PictureQuery("is:new")
        guard let number = level.first(in: 0..<level.layout.pictureCount, holding: query) else {
            return display.show("nothing here is new")
        }
        level.select(number: number)
    }

    func goToNewest() {
        level.followsNewest = true
        go(to: .newest)
    }

    func go(to destination: Destination) {
        level.destination = destination
        goOnToDestination()
    }

    /// Goes to the destination if it is loaded, or else loads pages until it is.
    private func goOnToDestination() {
        guard let destination = level.destination else { return }
        let total = level.layout.pictureCount
        var (found, text, mayBeAhead) = (level.number(of: destination), "", true)
        switch destination {
        case .named(let name):
            text = name
            found = found ?? Int(name).flatMap { (1...max(1, total)).contains($0) ? $0 - 1 : nil }
        case .place(_, let number):
            text = "where you were"
            // It is gone, or further away than new pictures explain.
            if found == nil, total >= number || !level.mayGrow {
                found = min(number, total) - 1
            }
        case .newest: (text, mayBeAhead) = ("with a date", false)
        }
        if let found, found >= 0, total > 0 {
            if level.isLoadingOn { display.show("") }
            (level.isLoadingOn, level.destination) = (false, nil)
            level.isPlaced = true
            level.select(number: found)
            if case .place = destination { display.show("where you were: g goes to the start") }
        } else if mayBeAhead, level.mayGrow {
            guard total > 0 else { return }
            level.isLoadingOn = true
            loadOn(from: 0, for: " to \(text)")
        } else if total > 0 {
            level.destination = nil
            display.show("there is no picture \(text)")
        }
    }

    private func goOnLoadingAll() {
        let section = wholeSection.flatMap(section)
        guard let section, section.mayGrow else {
            wholeSection = nil
            guard let section, section.failure == nil else { return }
            return display.show("all \(section.pictures.count) are loaded")
        }
        display.show("loading all, \(section.pictures.count) so far: Esc stops")
        section.pager?.advance()
    }

    /// Loads the next page of the first section from picture `number` on that may grow, then calls `again` unless a key is pressed.
    func loadOn(from number: Int, for purpose: String, again: (() -> Void)? = nil) {
        guard let section = level.openEnd(from: number)?.section else { return }
        section.pager?.advance()
        display.show("\(section.pictures.count) loaded, loading on\(purpose): any key stays here")
        pendingMove = again
    }

    /// Goes to where the gallery was left once that is known, unless something else is selected meanwhile.
    func resume() {
        let level = level
        guard context.options.resumes, let state = context.services.state, level.destination == nil,
            !level.isPlaced, level.sections.count == 1, let gallery = key
        else { return }
        level.resuming = MainRequest(on: context.main) { answer in
            state.place(in: gallery, completion: answer)
            return .ended
        } receive: { [weak self, weak level] (place: Place?) in
            guard let self, let level, let place, !level.isPlaced else { return }
            if level.view.isEmpty { level.view = place.view }
            guard place.number > 1, let picture = Address(place.picture) else { return }
            level.destination = .place(picture, number: place.number)
            goOn()
            display.stateChanged()
        }
    }

    /// Keeps where the reader is, at most once a second unless this is the last moment.
    func keepPlace(isLast: Bool = false) {
        let (level, now) = (level, context.clock())
        let isKept = level.kept.id == level.selection && level.kept.view == level.view
        guard let state = context.services.state, !isKept, isLast || now - level.kept.time > 1,
            level.destination == nil, let place
        else { return }
        level.kept = (level.selection, level.view, now)
        state.keep(place)
    }

    /// The selected picture's place; nil if there is none that can be gone to again.
    var place: Place? {
        guard let id = level.selection, let picture = level.selectedPicture,
            let section = level.section(id.section), section.owner == nil, !section.isNews,
            let gallery = key
        else { return nil }
        var place = Place(gallery: gallery)
        (place.title, place.caption) = (section.title, picture.caption)
        (place.picture, place.thumbnail) = (picture.image.text, picture.thumbnail.text)
        (place.number, place.view) = (id.index + 1, level.view)
        return place
    }

    /// The address by which the current section's gallery is known; nil for what cannot be opened again or must be typed, and for the home
    /// screen.
    var key: String? {
        guard let address = level.currentSection?.address ?? level.sections.first?.address,
            !address.isOnFileServer,
            address.text != context.services.home?.address.text,
            address.filePath?.hasPrefix("/proc/") != true, !address.text.contains("?files=")
        else { return nil }
        return address.text
    }
}
