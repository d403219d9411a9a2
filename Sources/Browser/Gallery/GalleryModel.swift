import Basics
import Gallery
import Network
import Pipeline
import Raster
import Thumbnails
import Trace

/// The grid and list: the stack of open galleries, their visible part, and the thumbnails requested for it.
@MainActor final class GalleryModel: ContextSharing {
    /// The command line's gallery, then the albums opened from it; never empty.
    private(set) var levels: [GalleryLevel] = []
    /// The galleries that were closed, most recent last; cleared when another is opened.
    private var closedLevels: [GalleryLevel] = []
    /// Galleries that cannot be reopened, with marked pictures.
    private var leftLevels: [GalleryLevel] = []
    /// The command line's sections, without related ones.
    let sources: [Section]
    private(set) var layout: Layout
    /// What the list was left for last.
    private(set) var tiledLayout: Layout
    private(set) var order: PictureOrder
    /// Whether pictures fill their tiles, cropped.
    private(set) var cropsTiles: Bool
    let tiles: PictureRequests
    /// Requests the preview of the selected picture beside the list.
    let pane: PictureRequests
    /// What plays in tiles.
    var playbacks: [PictureID: Playback] = [:]
    var loadingChanged: (Section) -> Void = { _ in }
    /// Called when the pictures of a section are gone because it was reloaded or its album was closed.
    var sectionForgotten: (Int) -> Void = { _ in }

    let context: BrowserContext
    private let factory: SectionFactory
    private var tileColumns: Int
    var velocity = ScrollVelocity()
    private(set) var hasStarted = false
    /// Whether it has been told that changes of a folder are not seen.
    private var isUnheardTold = false
    /// Continues a move that waits for a page once one has loaded; discarded by any key press.
    var pendingMove: (() -> Void)?
    /// The identifier of the section that is being loaded to its end.
    var sectionLoadedToEnd: Int?

    init(sources: [Source], pages: any PageLoading, context: BrowserContext) {
        self.context = context
        factory = SectionFactory(pages: pages, context: context)
        tiles = PictureRequests(context)
        pane = PictureRequests(context)
        layout = context.options.layout
        tiledLayout = layout == .list ? .grid : layout
        order = context.options.order
        cropsTiles = context.options.cropsTiles
        tileColumns = TileWidths.clamped(context.options.tileColumns)
        self.sources = sources.map(factory.section(of:))
        levels = [makeLevel(self.sources)]
        head(
            to: options.at.map(Destination.named)
                ?? (options.goesToNewest ? .newest : nil))
        for requests in [tiles, pane] {
            requests.found = { [weak self] in self?.record($1, of: $0) }
        }
    }

    /// Records the size of a decoded picture, and looks for it on this machine.
    func record(_ facts: PictureFacts, of want: PictureRequests.Want) {
        section(withID: want.id.section)?
            .record(facts, of: want.request.address, at: want.id.index)
    }

    /// Returns a picture's size in pixels, as far as its file or page has told it.
    func size(of id: PictureID) -> PixelSize? { section(withID: id.section)?.size(at: id.index) }

    /// Loads the first pages; with very many sections, those far below wait until they come within reach.
    func start() {
        hasStarted = true
        resume()
        display.needsUpdate = true
        // Enough to fill any screen; a list of thousands of pictures, each its own section, must not be fetched all at once.
        for section in sources.prefix(32) { section.pager?.advance() }
    }

    /// The visible gallery: the album opened last, or the command line's.
    var level: GalleryLevel { levels[levels.count - 1] }

    private func makeLevel(_ sections: [Section]) -> GalleryLevel {
        let level = GalleryLevel(sections, factory: factory, metrics: metrics)
        for section in sections {
            section.rearranged = { [weak level, display] in
                level?.invalidateLayout()
                display.stateChanged()
            }
            section.arrange(order)
            section.pager?.takePage = { [weak self, weak section, weak level] page, replacing in
                guard let self, let section, let level else { return }
                if level.journey == .newest { level.journey = .heading(to: .newest) }
                if replacing {
                    level.followRenamed()
                    forget(section, in: level)
                }
                level.take(page, into: section, replacing: replacing)
                if replacing {
                    level.forgetMissingMarks()
                    level.invalidateLayout()
                    if case .heading(let destination) = level.journey {
                        level.number(of: destination).map(level.arrive)
                    }
                }
            }
            section.pager?.stateChanged = { [weak self, weak section, weak level] in
                guard let self, let section, let level else { return }
                if !section.isLoading { services.watch?.resume(section.address) }
                level.invalidateLayout()
                loadingChanged(section)
                display.stateChanged()
            }
        }
        watchFolders(of: level)
        level.invalidateLayout()
        if sections.contains(where: { !$0.pictures.isEmpty }) { level.journey = .there }
        return level
    }

    /// Hears of changes of the files that a gallery shows, from when they are next read.
    private func watchFolders(of level: GalleryLevel) {
        guard let watch = services.watch else { return }
        for section in level.sections where section.address.isFile {
            section.watching = context.request { [address = section.address] answer in
                watch.subscribe(to: address, onChange: answer)
            } receive: { [weak self, weak section, weak level] (change: FolderWatch.Change) in
                guard let self, let section, let level else { return }
                if case .unheard(let reason) = change {
                    if !isUnheardTold { show(reason) }
                    isUnheardTold = true
                    return
                }
                if case .files(_, let renamed) = change {
                    level.renamed.follow(
                        Dictionary(
                            uniqueKeysWithValues: renamed.map {
                                (Address(path: $0), Address(path: $1))
                            }))
                }
                section.follow(change)
            }
        }
    }

    /// Forgets everything about the pictures of a section and its related sections.
    private func forget(_ section: Section, in level: GalleryLevel) {
        for other in level.sections where (other.owner ?? other.id) == section.id {
            sectionForgotten(other.id)
        }
    }

    func openAlbum(_ album: Picture) {
        guard let address = album.link else {
            return show("this album has no page")
        }
        open([factory.section(at: address, title: album.caption, opener: album.page)])
    }

    /// Opens the album after the one that is open, and its first picture; returns false if there is none.
    func openNextAlbum() -> Bool {
        guard levels.count > 1 else { return false }
        let outer = levels[levels.count - 2]
        let after = (outer.selectedNumber ?? 0) + 1..<max(1, outer.pictureCount)
        let next = after.lazy.first { number in
            outer.picture(outer.id(ofPicture: number))?.kind == .album
        }
        let reading = level.reading
        guard let next, closeAlbum() else { return false }
        level.select(number: next)
        level.selectedPicture.map(openAlbum)
        level.opensFirst = true
        level.reading = reading
        return true
    }

    func open(_ sources: [Source], at destination: Destination? = nil) {
        open(sources.map(factory.section(of:)), at: destination)
    }

    private func open(_ sections: [Section], at destination: Destination? = nil) {
        keepPlace(isLast: true)
        leave(closedLevels.count)
        levels.append(makeLevel(sections))
        let old = leftLevels.firstIndex {
            $0.sections.first?.address == sections.first?.address
        }
        if let old { level.marks = leftLevels.remove(at: old).marks }
        head(to: destination)
        resume()
        // The others begin as soon as they are within reach.
        sections.first?.pager?.advance()
    }

    /// Goes to the first picture of a gallery, which is read again, or else opened.
    func goToFirst(of source: Source) {
        guard let section = level.sections.first, section.address == source.address else {
            return open([source], at: .first)
        }
        head(to: .first)
        section.pager?.reread()
    }

    /// Forgets the galleries closed first, except for their marks.
    private func leave(_ count: Int) {
        leftLevels += closedLevels.prefix(count).filter { !$0.marks.isEmpty }
        closedLevels.removeFirst(count)
    }

    /// The titles of the open galleries and the section, outermost first; what a title repeats of the one before it is left out.
    var path: [String] {
        let titles = levels.flatMap(\.path)
        return zip([""] + titles, titles).map { outer, title in
            let rest = title.hasPrefix(outer) ? title.dropFirst(outer.count) : title[...]
            let name = rest.drop { " /-".contains($0) }
            return name.isEmpty || !outer.hasSuffix("/") ? title : String(name)
        }
    }

    /// Loads again what has changed on the disk of the sections on the screen.
    func recheckFiles() {
        let files = (level.visibleIDs.compactMap(level.picture) + level.chosenPictures)
            .map(\.largest)
        for place in Set(level.visibleBlocks.map { level.layout.blocks[$0].section }) {
            level.sections[place].reloadIfChanged(files)
        }
    }

    /// The path of the folder shown, without the slash at its end; nil if it is not one on this machine.
    var folder: String? {
        level.currentSection?.address.filePath.flatMap {
            $0.hasSuffix("/") ? String($0.dropLast()) : nil
        }
    }

    /// Returns the path that was typed: relative to the folder shown, or without one to where the program was started.
    func path(_ typed: String) -> String {
        let path = texts.expanded(typed)
        if path.isEmpty || path.hasPrefix("/") { return path }
        return (folder ?? realPath(".") ?? "") + "/" + path
    }

    /// Puts the folder above the first gallery's in its place; returns false if that is not on this machine or there is none.
    func openParent() -> Bool {
        guard let path = level.currentSection?.address.filePath, levels.count == 1,
            let end = path.dropLast().lastIndex(of: "/"), path != "/"
        else { return false }
        let address = Address(path: String(path[...end]), isFolder: true)
        let name = path[end...].filter { $0 != "/" }
        let parent = factory.section(at: address, title: texts.text(address))
        levels.insert(makeLevel([parent]), at: 0)
        parent.pager?.advance()
        guard closeAlbum() else { return false }
        head(to: .named(name))
        return true
    }

    private var allLevels: [GalleryLevel] { leftLevels + closedLevels + levels }

    /// The marked pictures, also of galleries that were closed.
    var marked: [Picture] { allLevels.flatMap(\.marked) }

    var markedCount: Int { allLevels.reduce(0) { $0 + $1.marks.count } }

    func unmark(_ image: Address) { for level in allLevels { level.marks.remove(image) } }

    /// Reopens the most recently closed gallery as it was; returns false if there is none.
    func reopenAlbum() -> Bool {
        guard let level = closedLevels.popLast() else { return false }
        levels.append(level)
        watchFolders(of: level)
        for section in level.sections {
            section.reloadIfChanged([])
            // A folder is watched from when it is read.
            if section.folder != nil { section.pager?.reread() }
        }
        level.adopt(metrics)
        arrange()
        return true
    }

    /// Returns to the gallery from which the album was opened, as it was left; returns false if there is none.
    func closeAlbum() -> Bool {
        guard levels.count > 1 else { return false }
        keepPlace(isLast: true)
        let album = levels.removeLast()
        for section in album.sections {
            section.pager?.cancel()
            section.watching?.cancel()
            section.stopReading()
            forget(section, in: album)
        }
        closedLevels.append(album)
        // Further forward than anyone goes; each closed gallery keeps its picture list in memory.
        leave(max(0, closedLevels.count - 20))
        return true
    }

    func section(withID id: Int) -> Section? {
        levels.lazy.compactMap { $0.section(id) }.first
    }

    var isLoadingPage: Bool {
        levels.contains { $0.sections.contains(where: \.isLoading) }
    }

    /// Reloads the current section from its first page, bypassing the cache unless only its reading has changed; the pictures stay until
    /// that page has loaded.
    ///
    /// Then goes to `place`, or unless the reading has changed, to where the reader is.
    func reload(fromCache: Bool = false, at place: Destination? = nil) {
        guard let section = level.currentSection else { return }
        let owner = section.owner.flatMap(level.section(_:)) ?? section
        keepPlace(isLast: true)
        head(to: place ?? (fromCache ? nil : level.here))
        fromCache ? owner.pager?.reread() : owner.pager?.restart()
    }

    /// Retries the failed pages of `sections`; returns false if there are none.
    func retryPages(of sections: [Section]) -> Bool {
        let failed = sections.filter { $0.failure != nil }
        failed.forEach { $0.pager?.retry() }
        return !failed.isEmpty
    }

    /// Arranges all open galleries anew, in an order that `change` has changed.
    private func arrange(_ change: (inout PictureOrder) -> Void = { _ in }) {
        change(&order)
        for level in levels {
            level.sections.forEach { $0.arrange(order) }
        }
        display.stateChanged()
    }

    private func sort(by key: PictureOrder.Key, isReversed: Bool) {
        arrange {
            $0.key = key
            $0.isReversed = isReversed
            $0.shuffle += 1
        }
        show("sorted by \(key.rawValue)\(isReversed ? ", reversed" : "")")
    }

    /// Sorts by the key with this name, reversed after a dash; says what the order is if the name is empty.
    func sort(by name: String) {
        let key = PictureOrder.Key(rawValue: String(name.drop { $0 == "-" }))
        if let key {
            sort(by: key, isReversed: name.hasPrefix("-"))
        } else {
            show(
                name.isEmpty
                    ? "sorted by \(order.key.rawValue)" : "not one of \(Command.orders)")
        }
    }

    func sortByNextKey() {
        sort(by: PictureOrder.Key.allCases.next(after: order.key), isReversed: order.isReversed)
    }

    /// Puts the pictures under headings of this kind; says what they are if the name is empty.
    func group(by name: String) {
        if name.isEmpty { return show("grouped by \(order.grouping.rawValue)") }
        display.choice(
            name, among: PictureOrder.Grouping.allCases, after: order.grouping, named: \.rawValue
        ).map { grouping in arrange { $0.grouping = grouping } }
    }

    /// Shows only the pictures of a folder that look the same, in groups.
    func showDuplicates() {
        arrange {
            $0.grouping = .alike
            $0.filter = "have:yes"
        }
    }

    func reverse() { sort(by: order.key, isReversed: !order.isReversed) }

    func filter(by text: String) { arrange { $0.filter = text } }

    /// Adds the condition that pictures are new to the filter, or removes it.
    func hideSeen() {
        let words = order.filter.split(separator: " ")
        var others = words.filter { $0 != "is:new" }
        if others == words { others.append("is:new") }
        filter(by: others.joined(separator: " "))
    }

    /// Removes the filter; returns false if there is none.
    func clearFilter() -> Bool {
        guard !order.filter.isEmpty else { return false }
        arrange {
            $0.filter = ""
            if $0.grouping == .alike { $0.grouping = .none }
        }
        show("all shown")
        return true
    }

    var metrics: GalleryMetrics {
        GalleryMetrics(
            layout: layout, columns: display.size.columns, bodyRows: display.body.size.rows,
            tileColumns: tileColumns, cellAspect: display.style.cellAspect,
            isColored: display.style.depth != .mono)
    }

    func relayout() {
        levels.forEach { $0.adopt(metrics) }
        display.stateChanged()
    }

    func toggleCropping() {
        display.toggle(&cropsTiles, "cropped pictures fill the tiles", "whole pictures")
    }

    /// Lays out as the name says, or if it is empty as a list, or no longer as one.
    func changeLayout(_ name: String) {
        let other = layout == .list ? tiledLayout : .list
        let named = display.choice(name, among: Layout.allCases, after: layout, named: \.rawValue)
        guard let named else { return }
        layout = name.isEmpty ? other : named
        if layout != .list { tiledLayout = layout }
        relayout()
    }

    /// Enlarges tiles by `steps`, or more until that can be seen, or shrinks them if negative.
    func resizeTiles(by steps: Int) {
        let box = metrics.thumbnailBox
        for count in 1...TileWidths.count where count <= abs(steps) || metrics.thumbnailBox == box {
            tileColumns = TileWidths.next(to: tileColumns, isLarger: steps > 0)
        }
        relayout()
    }

    /// Makes tiles `columns` wide, or as wide as at the start.
    func resizeTiles(to columns: String) {
        guard columns.isEmpty || Int(columns) != nil else {
            return show("\(columns) is no number")
        }
        tileColumns = TileWidths.clamped(Int(columns) ?? options.tileColumns)
        relayout()
    }
}
