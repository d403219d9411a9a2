import Gallery

/// When the next page of a section is loaded: within reach of the screen, for a move that waits for it, or to the section's end.
extension GalleryModel {
    /// Loads the next page of sections that end less than two screens below the body.
    ///
    /// Sections above the selected one are left alone: their pages would keep pushing the selected picture away.
    func loadPagesInReach() {
        guard hasStarted else { return }
        let (level, layout, rows) = (level, level.layout, level.visibleRows)
        let reach = rows.upperBound + 2 * rows.count
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
                section.fruitlessPages < Self.maxFruitlessPages
            {
                section.pager?.advance()
            }
        }
    }

    /// A filter that matches nothing must not fetch a whole site; `G` continues loading.
    private static let maxFruitlessPages = 5

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
        display.show("stopped: \(section.pictures.count) loaded")
        return true
    }

    /// Continues what waits for a page, after one has loaded or failed.
    func goOn() {
        if sectionLoadedToEnd != nil { goOnLoadingAll() }
        guard let again = pendingMove else { return goOnToDestination() }
        pendingMove = nil
        display.show("")
        again()
    }

    private func goOnLoadingAll() {
        let section = sectionLoadedToEnd.flatMap(section)
        guard let section, section.mayGrow else {
            sectionLoadedToEnd = nil
            guard let section, section.failure == nil else { return }
            return display.show("all \(section.pictures.count) are loaded")
        }
        display.show("loading all, \(section.pictures.count) so far: Esc stops")
        section.pager?.advance()
    }

    /// Loads the next page of the first section from picture `number` on that may grow, then calls `again` unless a key is pressed.
    func loadOn(from number: Int, for purpose: String, again: @escaping () -> Void) {
        guard let section = level.openEnd(from: number)?.section else { return }
        section.pager?.advance()
        display.show("\(section.pictures.count) loaded, loading on\(purpose): any key stays here")
        pendingMove = again
    }
}
