import Basics
import Gallery
import Network
import Raster
import State

/// One gallery on the stack: its sections, selection and scroll position.
///
/// Stores the selected picture and its row on the screen, and derives the scroll row from them, so that the selected picture
/// stays in place when pictures are inserted above it or the layout changes.
@MainActor final class GalleryLevel {
    /// In order; related sections follow the one whose pages fill them.
    private(set) var sections: [Section]
    /// The place of each section by its identifier.
    private(set) var sectionPlaces: [Int: Int] = [:]
    private let factory: SectionFactory
    private(set) var metrics: GalleryMetrics
    /// The height-to-width ratio of its pictures; nil until enough of them are known.
    var tileShape: Double?
    /// Whether there has been any input, after which tiles keep their shape.
    var isTouched = false
    /// Where the reader is, or is to go.
    var journey = Journey.unplaced
    /// Whether its first picture is opened once it has loaded.
    var opensFirst = false
    /// How the viewer shows its pictures.
    var reading = ReadingView()
    /// Whether it is not known yet where it was left.
    var isResuming = false
    /// The place kept last, or at which the reader has not meant to be; and when, in seconds of a steady clock.
    var kept: (place: Place?, time: Double) = (nil, 0)
    /// The new addresses of files that were renamed, until their folder is read again.
    var renamed: [Address: Address] = [:]
    /// The largest image of each marked picture; survives reloading, sorting and filtering.
    var marks: Set<Address> = []
    /// The pictures of which it was said that they do not belong to the gallery.
    var unwanted: Set<Address> = []
    /// The first picture of a range of marks.
    var rangeStart: (id: PictureID, image: Address)?
    /// 1 after moving down, -1 after moving up; the direction of the prefetch.
    var direction = 1

    /// The desired distance from the top of the body to the selected picture, in rows; `scrollRow` keeps it within bounds.
    var offset = 1
    /// Twice the column of cells kept when moving up and down, even across shorter rows.
    var column = 0
    /// The scroll row while there are no pictures, only headers and notes.
    var looseRow = 0
    /// Like `selection`, but possibly of a picture that no longer exists.
    var selected: PictureID?
    /// What was selected before a filter hid it, to return to.
    var hidden: PictureID?
    private var cachedLayout: GalleryLayout?
    /// The rows that the wheel has turned beyond a whole line of tiles, and when, in seconds.
    var wheel = (rows: 0, time: -Double.infinity)
    /// Whether sections have changed since the selection was last checked.
    private var isStale = true
    /// The image of the picture to be selected, to find it again after the sections have changed.
    private var remembered: Address?
    /// The order of its section then, and the pictures, if they have been replaced since.
    private var known = (pictures: PictureList?.none, arrangement: Arrangement(PictureOrder()))
    private var rememberedNumber = 0
    /// Its place among the pictures shown of its section.
    private var rememberedPlace = 0

    init(_ sections: [Section], factory: SectionFactory, metrics: GalleryMetrics) {
        self.sections = sections
        self.factory = factory
        self.metrics = metrics
        notePlaces()
    }

    private func notePlaces() {
        sectionPlaces = Dictionary(uniqueKeysWithValues: zip(sections.map(\.id), 0...))
    }

    func section(_ id: Int) -> Section? { sectionPlaces[id].map { sections[$0] } }

    /// Returns a picture, along with what is held back of it.
    func picture(_ id: PictureID) -> Picture? { section(id.section)?.picture(at: id.index) }

    var mayGrow: Bool { sections.contains(where: \.mayGrow) }

    var layout: GalleryLayout {
        refresh()
        return cachedLayout ?? layOut()
    }

    private func layOut() -> GalleryLayout {
        // The top line already shows the title of an only section.
        let isOnly = sections.count { $0.owner == nil } == 1
        let blocks = sections.enumerated().flatMap { place, section in
            let groups = section.arrangement.groups
            var whole = GalleryLayout.Block(
                count: section.arrangement.count, hasNote: section.hasNote,
                hasHeader: section.owner != nil || !isOnly, section: place)
            guard !groups.isEmpty else { return [whole] }
            // The section's own header is left out: its title is above.
            whole.hasHeader = true
            whole.count = 0
            return groups.indices.map { index in
                whole.offset += whole.count
                whole.heading = groups[index].heading
                whole.count = groups[index].count
                whole.hasNote = section.hasNote && index == groups.count - 1
                return whole
            }
        }
        let layout = GalleryLayout(blocks.flatMap(parts), metrics: metrics)
        cachedLayout = layout
        return layout
    }

    /// Returns a block in parts whose rows are laid out one by one; a group is not divided.
    private func parts(of block: GalleryLayout.Block) -> [GalleryLayout.Block] {
        guard metrics.layout == .rows else { return [block] }
        let most = block.heading == nil ? JustifiedRows.most : max(1, block.count)
        return stride(from: 0, to: max(1, block.count), by: most).map { start in
            var part = block
            part.offset = block.offset + start
            part.count = min(most, block.count - start)
            let isLast = start + part.count == block.count
            part.hasHeader = block.hasHeader && start == 0
            part.hasNote = block.hasNote && isLast
            let shapes = sections[block.section]
                .shapes(at: part.offset..<part.offset + part.count)
            part.rows = JustifiedRows(shapes, isContinued: !isLast, metrics: metrics)
            return part
        }
    }

    /// Adapts rows to the size of a loaded picture; the selected one keeps its row on the screen.
    func learn(_ size: PixelSize, ofPicture number: Int) {
        let id = id(ofPicture: number)
        let shape = JustifiedRows.shape(of: size)
        guard let section = section(id.section),
            section.shapes.indices.contains(id.index), section.shapes[id.index] != shape
        else { return }
        section.shapes[id.index] = shape
        cachedLayout?.set(shape, ofPicture: number)
    }

    /// Lays out again with new metrics; the selected picture keeps its row on the screen as far as possible.
    func adopt(_ metrics: GalleryMetrics) {
        var metrics = metrics
        metrics.shape = tileShape ?? metrics.shape
        guard metrics != self.metrics else { return }
        self.metrics = metrics
        cachedLayout = nil
        column = selectedNumber.map(layout.column(ofPicture:)) ?? 0
    }

    /// Must be called after any change of a section; layout is deferred until it is needed, so that a thousand sections changing
    /// between two frames cost one layout.
    func invalidateLayout() {
        cachedLayout = nil
        isStale = true
    }

    /// Adds a page's pictures to its section, and those that it recommends to related sections.
    func take(_ page: Page, into section: Section, replacing: Bool) {
        if replacing {
            sections.removeAll { $0.owner == section.id }
            notePlaces()
            if section.id == (hidden ?? selected)?.section {
                known.pictures = known.pictures ?? section.pictures
            }
            // Its index is another picture's now.
            if hidden != nil { selected = nil }
            section.empty()
        }
        section.adopt(title: page.title)
        section.append(page.pictures)
        if section.isNews, !section.pictures.isEmpty {
            var album = section.album
            // Its cover is the first picture.
            album.variants = [section.pictures[0].variants[0]]
            section.append(related: [album])
        }
        for related in page.related where !section.isNews && !related.pictures.isEmpty {
            let target =
                sections.first { $0.owner == section.id && $0.title == related.title }
                ?? insertRelated(titled: related.title, after: section)
            target.append(related: related.pictures)
        }
    }

    private func insertRelated(titled title: String, after section: Section) -> Section {
        let related = factory.related(to: section, title: title)
        let last = sections.lastIndex { $0 === section || $0.owner == section.id }
        sections.insert(related, at: last.map { $0 + 1 } ?? sections.count)
        notePlaces()
        return related
    }

    /// The titles of the section whose pages fill the current section, if any, and of the current section.
    var path: [String] {
        let section = currentSection
        let owner = section?.owner.flatMap(self.section(_:))
        return nonNil(owner?.title, section?.title).nonEmpty
    }

    /// Returns the picture with this number, counted over all sections; it must exist.
    func id(ofPicture number: Int) -> PictureID {
        let block = layout.blocks[layout.block(ofPicture: number)]
        let section = sections[block.section]
        return PictureID(
            section: section.id,
            index: section.arrangement.number(at: block.offset + number - block.firstPicture))
    }

    /// Returns the number of a picture counted over all sections; nil if it is not shown.
    func number(of id: PictureID) -> Int? {
        guard let place = sectionPlaces[id.section],
            let shownAt = sections[place].arrangement.place(of: id.index),
            let first = layout.firstBlock(ofSection: place)
        else { return nil }
        // The pictures of a section follow each other, whatever their groups.
        return layout.blocks[first].firstPicture + shownAt
    }

    /// Returns the section that a block belongs to.
    func section(ofBlock place: Int) -> Section { sections[layout.blocks[place].section] }

    var pictureCount: Int { layout.pictureCount }

    var visiblePictures: Range<Int> { layout.pictures(in: visibleRows) }

    var visibleIDs: [PictureID] { visiblePictures.map(id(ofPicture:)) }

    var visibleBlocks: Range<Int> {
        let rows = visibleRows
        guard !layout.blocks.isEmpty else { return 0..<0 }
        return layout.block(atRow: rows.lowerBound)..<layout.block(atRow: rows.upperBound - 1) + 1
    }

    var currentSection: Section? {
        if let selection { return section(selection.section) }
        return visibleBlocks.first.map(section(ofBlock:))
    }

    /// Returns what is told about a picture, which must exist.
    func values(of id: PictureID) -> PictureValues {
        PictureValues(order(of: id), of: section(id.section)?.pictures.count ?? 0)
    }

    /// The selected picture, if there is one.
    var selectedIDs: [PictureID] { nonNil(selection) }

    /// The selected picture; nil only if there are no pictures.
    var selection: PictureID? {
        refresh()
        return selected
    }

    var selectedPicture: Picture? { selection.flatMap(picture) }

    var selectedNumber: Int? { selection.flatMap(number) }

    /// Where the reader is, as a destination.
    var here: Destination? {
        if journey == .newest { return .newest }
        return selection.flatMap { id in
            picture(id).map { .place($0.image, number: id.index + 1) }
        }
    }

    /// Records the selection, to find it again when the sections change.
    func remember() {
        remembered = selectedPicture?.image
        rememberedNumber = selectedNumber ?? 0
        guard let selected, let section = section(selected.section) else { return }
        known = (nil, section.arrangement)
        rememberedPlace = section.arrangement.place(of: selected.index) ?? 0
    }

    /// Follows the selected picture and the marked ones to their new names.
    func followRenamed() {
        // Where another picture was renamed to the name of one, that one is gone.
        let follow = { [renamed, sections] (image: Address) -> Address? in
            let isTaken = renamed.contains { old, new in
                new == image && sections.contains { $0.pictures.index(of: old) != nil }
            }
            return renamed[image] ?? (isTaken ? nil : image)
        }
        remembered = remembered.flatMap(follow)
        marks = Set(marks.compactMap(follow))
        renamed = [:]
    }

    private func refresh() {
        guard isStale else { return }
        isStale = false
        let wanted = hidden ?? selected
        guard layOut().pictureCount > 0 else {
            hidden = wanted
            selected = nil
            return
        }
        guard journey != .unplaced, let wanted else { return select(number: 0, offset: .max) }
        let found = find(remembered, near: wanted)
        let before = rememberedNumber
        if let found, number(of: found) != nil {
            selected = found
            hidden = nil
        } else {
            // What stands in for it stays as long as it can.
            if hidden == nil || selected.flatMap(number) == nil {
                selected = substitute(in: wanted.section, isGone: found == nil)
            }
            hidden = found
        }
        if hidden == nil { remember() }
        if rememberedNumber != before { column = layout.column(ofPicture: rememberedNumber) }
    }

    /// Returns where a picture that was at `place` is in its section, shown or not; nil if it is gone.
    func find(_ image: Address?, near place: PictureID) -> PictureID? {
        guard let image, let section = section(place.section) else { return nil }
        return section.pictures.index(of: image, near: place.index).map {
            PictureID(section: place.section, index: $0)
        }
    }

    /// Returns the picture shown that was nearest to the one to be selected, or else has its number now.
    private func substitute(in section: Int, isGone: Bool) -> PictureID {
        let now = self.section(section)
        let isSameOrder = now?.arrangement.order.key == known.arrangement.order.key
        let places = 0..<(isSameOrder ? known.arrangement.count : 0)
        let pictures = known.pictures ?? now?.pictures ?? PictureList()
        // Looking for what is gone, too, takes long.
        for distance in 0...(isGone ? min(places.count, 100) : places.count) {
            for place in [rememberedPlace + distance, rememberedPlace - distance]
            where places.contains(place) {
                let index = known.arrangement.number(at: place)
                let found = find(
                    pictures[index].image, near: PictureID(section: section, index: index))
                if let found, number(of: found) != nil { return found }
            }
        }
        return id(ofPicture: min(rememberedNumber, pictureCount - 1))
    }
}
