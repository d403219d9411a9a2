import Gallery
import Network
import Raster
import State

/// Moving the selection; beyond the loaded pictures it waits at the end of a section that may grow and never skips past it.
///
/// Where the reader was in each gallery is kept behind the screen, and gone to when the gallery is opened again. The next page of a section
/// is loaded within reach of the screen, for a move that waits for it, or to the section's end.
extension GalleryModel {
    /// Selects the picture under the pointer, or the first one below a header; returns false unless a picture was clicked.
    @discardableResult
    func click(x: Int, y: Int) -> Bool {
        let body = display.body
        guard body.contains(x: x, y: y) else { return false }
        let row = level.scrollRow + y - body.y
        let picture =
            level.visibleRows.contains(row) ? level.layout.picture(atX: x, row: row) : nil
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
        let total = level.pictureCount
        guard total > 0 else { return }
        let open = level.openEnd(from: 0)
        let end = open?.end ?? total
        level.select(number: min(number, end) - 1)
        guard number > end else { return }
        guard open != nil else { return show("there are only \(total)") }
        loadOn(from: 0, for: " to \(number)") { [weak self] in self?.go(to: number) }
    }

    /// Selects the last loaded picture and loads the next page, or selects the picture with this number.
    func goToLast(_ number: Int?) {
        if let number { return go(to: number) }
        level.sections.forEach { $0.fruitlessPages = 0 }
        let total = level.pictureCount
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
        let total = level.pictureCount
        show(section.isLoading ? "\(total) loaded, loading on…" : "\(total) loaded")
        if section.isLoading { pendingMove = { [weak self] in self?.sayLoaded(section) } }
    }

    func goToFirstNew() {
        guard
            let number = level.first(
                in: 0..<level.pictureCount, holding: PictureQuery("is:new"))
        else { return show("nothing here is new") }
        level.select(number: number)
    }

    func go(to destination: Destination) {
        head(to: destination)
        goOnToDestination()
    }

    /// Has the gallery go to a picture as soon as that is loaded.
    func head(to destination: Destination?) {
        if let destination { level.journey = .heading(to: destination) }
    }

    /// Ends what waits for a page: the reader stays here, which is not kept as a place before another picture is selected.
    func stay() {
        pendingMove = nil
        guard level.selection != nil else { return }
        switch level.journey {
        case .heading: level.kept.place = place
        case .unplaced: if level.isResuming { level.kept.place = place }
        case .newest, .there: return
        }
        level.journey = .there
    }

    /// Goes to the destination if it is loaded, or else loads pages until it is.
    func goOnToDestination() {
        let total = level.pictureCount
        guard case .heading(let destination) = level.journey, !level.isReloading, total > 0 else {
            return
        }
        var found = level.number(of: destination)
        var text = "with a date"
        switch destination {
        case .named(let name):
            text = name
            found = found ?? Int(name).flatMap { (1...total).contains($0) ? $0 - 1 : nil }
        case .place(_, let number):
            text = "where you were"
            // It is gone, or further away than new pictures explain.
            if found == nil, total >= number || !level.mayGrow { found = min(number, total) - 1 }
        case .newest, .first: break
        }
        if let found {
            level.arrive(at: found)
            if case .place = destination { show("where you were: g goes to the start") }
        } else if destination != .newest, level.mayGrow {
            loadOn(from: 0, for: " to \(text)") { [weak self] in self?.goOnToDestination() }
        } else {
            stay()
            show("there is no picture \(text)")
        }
    }

    /// Shows the gallery as it was read once that is known, and goes to where it was left unless the reader is elsewhere.
    func resume() {
        let level = level
        guard let state = services.state, level.sections.count == 1, let gallery = key
        else { return }
        level.isResuming = true
        state.place(
            in: gallery,
            completion: onMain { [weak self, weak level] place in
                guard let self, let level else { return }
                level.isResuming = false
                guard let place else { return level.kept.place = nil }
                if level.reading == ReadingView() {
                    level.reading = ReadingView(place.view)
                    level.kept.place?.view = level.reading.words
                }
                guard options.resumes, level.journey == .unplaced, place.number > 1,
                    let picture = Address(place.picture)
                else { return }
                level.journey = .heading(to: .place(picture, number: place.number))
                goOn()
            })
    }

    /// Keeps where the reader is, at most once a second unless this is the last moment.
    func keepPlace(isLast: Bool = false) {
        if case .heading = level.journey { return }
        let now = context.clock()
        guard let state = services.state, !level.isResuming,
            isLast || now - level.kept.time > 1, let place, place != level.kept.place
        else { return }
        level.kept = (place, now)
        state.keep(place)
    }

    /// The selected picture's place; nil if there is none that can be gone to again.
    var place: Place? {
        guard let id = level.selection, let picture = level.selectedPicture,
            let section = level.section(id.section), section.owner == nil, !section.isNews,
            let gallery = key
        else { return nil }
        var place = Place(gallery: gallery)
        place.title = section.title
        place.caption = picture.caption
        place.picture = picture.image.text
        place.thumbnail = picture.thumbnail.text
        place.number = id.index + 1
        place.view = level.reading.words
        return place
    }

    /// The address by which the current section's gallery is known; nil for what cannot be opened again or must be typed, and for the home
    /// screen.
    var key: String? {
        guard let address = level.currentSection?.address ?? level.sections.first?.address,
            !address.isOnFileServer,
            address.text != services.home?.address.text,
            !address.isPipedIn, !address.text.contains("?files=")
        else { return nil }
        return address.text
    }

    /// Loads the next page of sections that end less than two screens below the body.
    ///
    /// Sections above the selected one are left alone: their pages would keep pushing the selected picture away.
    func loadPagesInReach() {
        guard hasStarted else { return }
        let level = level
        let layout = level.layout
        let rows = level.visibleRows
        let reach = rows.lowerBound + 3 * level.metrics.bodyRows
        let selected = level.selection.flatMap { level.section($0.section) }
        let own = selected.flatMap { level.sectionPlaces[$0.owner ?? $0.id] } ?? 0
        for place in layout.blocks.indices where layout.blocks[place].firstRow < reach {
            let number = layout.blocks[place].section
            // Only the last group tells where the section ends.
            if layout.blocks.dropFirst(place + 1).first?.section == number { continue }
            let section = level.sections[number]
            // The user is waiting for a visible section without pictures, wherever it is.
            let isBlank =
                section.pictures.isEmpty && layout.endRow(ofBlock: place) > rows.lowerBound
            if number >= own || isBlank, layout.endRow(ofBlock: place) < reach, section.mayGrow,
                // A filter that matches nothing must not fetch a whole site; `G` continues loading.
                section.fruitlessPages < 5
            {
                section.pager?.advance()
            }
        }
    }

    /// Loads the current section to its end, regardless of other input; `stopLoadingAll` ends it.
    func loadAll() {
        guard let section = level.currentSection else { return }
        sectionLoadedToEnd = section.owner ?? section.id
        section.pager?.retry()
        goOnLoadingAll()
    }

    /// Stops loading a section to its end; returns false if none is being loaded.
    func stopLoadingAll() -> Bool {
        guard let section = sectionLoadedToEnd.flatMap(section) else { return false }
        sectionLoadedToEnd = nil
        show("stopped: \(section.pictures.count) loaded")
        return true
    }

    /// Continues what waits for a page, after one has loaded or failed.
    func goOn() {
        if sectionLoadedToEnd != nil { goOnLoadingAll() }
        guard let again = pendingMove else { return goOnToDestination() }
        pendingMove = nil
        show("")
        again()
    }

    private func goOnLoadingAll() {
        let section = sectionLoadedToEnd.flatMap(section)
        guard let section, section.mayGrow else {
            sectionLoadedToEnd = nil
            guard let section, section.failure == nil else { return }
            return show("all \(section.pictures.count) are loaded")
        }
        show("loading all, \(section.pictures.count) so far: Esc stops")
        section.pager?.advance()
    }

    /// Loads the next page of the first section from picture `number` on that may grow, then calls `again` unless a key is pressed.
    func loadOn(from number: Int, for purpose: String, again: @escaping () -> Void) {
        guard let section = level.openEnd(from: number)?.section else { return }
        section.pager?.advance()
        show("\(section.pictures.count) loaded, loading on\(purpose): any key stays here")
        pendingMove = again
    }
}
