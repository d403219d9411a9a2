import Gallery
import Network
import Raster

/// One gallery on the stack: its sections, what is selected, and how far it is scrolled.
///
/// What is kept is the selected picture and its height on the screen; the scroll row follows from them. So whatever
/// is inserted above, and whatever the layout becomes, the selected picture stays where the user's eye is.
@MainActor final class GalleryLevel {
    let sections: SectionList
    private(set) var metrics: GalleryMetrics
    /// The shape of its pictures; nil until enough of them are known.
    var shape: Double?
    /// Whether the user has done anything here: until then the first picture is selected, whichever section answers first.
    var isTouched = false
    /// The marked pictures, by their largest image: survives reloading, sorting and filtering.
    var marks: Set<Address> = []
    /// Where a range of marks begins.
    var rangeStart: PictureID?
    /// 1 after moving down, -1 after moving up: where the next pictures are fetched ahead.
    var direction = 1

    /// Rows from the top of the body to the selected element, as wished; `scrollRow` keeps it within bounds.
    var offset = 1
    /// The place in the row that moving up and down keeps, even across shorter rows.
    var column = 0
    /// The scroll row while there is no picture, only headers and notes.
    var looseRow = 0
    /// As `selection`, without looking whether it still exists.
    var selected: PictureID?
    private var cachedLayout: GalleryLayout?
    /// Whether sections have changed since the selection was last looked after.
    private var isStale = true
    /// What the selection was when the sections last changed, to find it again after a reload.
    private var remembered: Picture?
    private var rememberedNumber = 0

    init(sections: SectionList, metrics: GalleryMetrics) {
        self.sections = sections
        self.metrics = metrics
    }

    var layout: GalleryLayout {
        refresh()
        return cachedLayout ?? layOut()
    }

    private func layOut() -> GalleryLayout {
        // The bar says what the only section is called.
        let isOnly = sections.sections.count { $0.owner == nil } == 1
        let blocks = sections.sections.map {
            GalleryLayout.Block(
                count: $0.arrangement.count, hasNote: $0.hasNote,
                hasHeader: $0.owner != nil || !isOnly)
        }
        let layout = GalleryLayout(blocks, metrics: metrics)
        cachedLayout = layout
        return layout
    }

    /// Lays out anew with other sizes; the selected picture keeps its height on the screen as far as it can.
    func adopt(_ metrics: GalleryMetrics) {
        var metrics = metrics
        metrics.shape = shape ?? metrics.shape
        guard metrics != self.metrics else { return }
        self.metrics = metrics
        cachedLayout = nil
        column = selectedNumber.map { layout.column(ofPicture: $0) } ?? 0
    }

    /// To be called after any change of any section; the work is put off until the layout is asked for, so that a thousand
    /// sections answering between two frames cost one layout.
    func sectionsChanged() {
        cachedLayout = nil
        isStale = true
    }

    /// The titles of the current section and of the one that its pages belong to.
    var path: [String] {
        let section = currentSection
        let owner = section?.owner.flatMap(sections.section)
        return [owner?.title, section?.title].compactMap(\.self).filter { !$0.isEmpty }
    }

    /// The picture with that number over all sections, which must exist.
    func id(ofPicture number: Int) -> PictureID {
        let place = layout.block(ofPicture: number)
        let section = sections.sections[place]
        let shownAt = number - layout.blocks[place].firstPicture
        return PictureID(section: section.id, index: section.arrangement.number(at: shownAt))
    }

    /// The number over all sections of a picture that is shown.
    func number(of id: PictureID) -> Int? {
        guard let place = sections.place(of: id.section),
            let shownAt = sections.sections[place].arrangement.place(of: id.index)
        else { return nil }
        return layout.blocks[place].firstPicture + shownAt
    }

    var visiblePictures: Range<Int> { layout.pictures(in: visibleRows) }

    var visibleBlocks: Range<Int> {
        let rows = visibleRows
        guard !layout.blocks.isEmpty else { return 0..<0 }
        return layout.block(atRow: rows.lowerBound)..<layout.block(atRow: rows.upperBound - 1) + 1
    }

    var currentSection: Section? {
        if let selection { return sections.section(selection.section) }
        return visibleBlocks.first.map { sections.sections[$0] }
    }

    /// The selected picture; nil only while there is none at all.
    var selection: PictureID? {
        refresh()
        return selected
    }

    var selectedPicture: Picture? { selection.flatMap(sections.picture) }

    var selectedNumber: Int? { selection.flatMap(number) }

    /// Notes what is selected, to find it again when the sections change.
    func remember() {
        remembered = selectedPicture
        rememberedNumber = selectedNumber ?? 0
    }

    private func refresh() {
        guard isStale else { return }
        isStale = false
        guard layOut().pictureCount > 0 else {
            selected = nil
            return
        }
        guard isTouched, let selected else { return select(number: 0, offset: .max) }
        if sections.picture(selected) != remembered || number(of: selected) == nil {
            self.selected = substitute(for: selected)
        }
        remember()
    }

    /// The same picture elsewhere in its section, or what is now in its place.
    private func substitute(for selection: PictureID) -> PictureID {
        if let section = sections.section(selection.section), !section.pictures.isEmpty {
            let index =
                index(of: remembered, in: section, near: selection.index)
                ?? min(selection.index, section.pictures.count - 1)
            let id = PictureID(section: section.id, index: index)
            if number(of: id) != nil { return id }
        }
        return id(ofPicture: min(rememberedNumber, layout.pictureCount - 1))
    }

    private func index(of picture: Picture?, in section: Section, near index: Int) -> Int? {
        guard let image = picture?.image else { return nil }
        if section.pictures.indices.contains(index), section.pictures[index].image == image {
            return index
        }
        return section.pictures.firstIndex { $0.image == image }
    }
}
