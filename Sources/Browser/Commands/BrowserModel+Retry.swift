extension BrowserModel {
    /// Answers the question about a failed page.
    func answer(_ command: Command) {
        guard let entry = failureQueue.first else { return }
        switch command {
        case .retryPage:
            failureQueue.remove(section: entry.section)
            section(withID: entry.section)?.pager?.retry()
        case .dismiss: failureQueue.remove(section: entry.section)
        default: break
        }
    }

    private func section(withID id: Int) -> Section? {
        levels.lazy.compactMap { $0.sections.section(id) }.first
    }

    /// Asks again for what failed on the screen: pictures, and pages of the sections in view.
    func retryFailed() {
        let layout = level.layout
        let rows = level.visibleRows
        var seen = layout.pictures(in: rows).map(level.id(ofPicture:))
        if viewer != nil, let selection = level.selection {
            seen = [selection]
        }
        let pictures = tiles.retry(seen) + full.retry(seen) + (details?.retry(seen) ?? 0)
        let sections = visibleBlocks().map { level.sections.sections[$0] }
            .filter { $0.failure != nil }
        for section in sections {
            section.pager?.retry()
        }
        if pictures == 0, sections.isEmpty {
            show(message: "nothing here has failed")
        }
    }

    /// The sections of which a row is on the screen, by place.
    func visibleBlocks() -> Range<Int> {
        let layout = level.layout
        let rows = level.visibleRows
        guard !layout.blocks.isEmpty else { return 0..<0 }
        let first = layout.block(atRow: rows.lowerBound)
        let last = layout.block(atRow: rows.upperBound - 1)
        return first..<last + 1
    }

    /// Loads the current section from its first page, past the cache; the pictures stay until it is there.
    func reload() {
        guard let place = currentBlock() else { return }
        let sections = level.sections
        let section = sections.sections[place]
        let owner = section.owner.flatMap(sections.section) ?? section
        owner.pager?.restart()
    }

    /// The section of the selected picture, or the first on the screen, by place.
    func currentBlock() -> Int? {
        if let selection = level.selection { return level.sections.place(of: selection.section) }
        return visibleBlocks().first
    }
}
