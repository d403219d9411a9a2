import Gallery
import Raster

/// One gallery on the stack: its sections, what is selected, and how far it is scrolled.
///
/// Albums opened from it lie above it.
///
/// What is kept is the selected picture and its height on the screen; the scroll row follows from them. So whatever is inserted above,
/// and whatever the layout becomes, the selected picture stays where the reader's eye is.
@MainActor final class GalleryLevel {
    /// The album's title; empty for the galleries of the command line.
    let title: String
    /// The sections.
    let sections: SectionList
    /// The sizes of the layout.
    private(set) var metrics: GalleryMetrics
    /// The selected picture; nil only while there is none at all.
    var selection: PictureID? {
        refresh()
        return selected
    }
    /// Whether the reader has done anything here: until then the first picture is selected, whichever section answers first.
    var isTouched = false
    /// 1 after moving down, -1 after moving up: where the next pictures are fetched ahead.
    private(set) var direction = 1

    /// Rows from the top of the body to the selected element, as wished; `scrollRow` keeps it within bounds.
    private var offset = 1
    /// The place in the row that moving up and down keeps, even across shorter rows.
    private var column = 0
    /// The scroll row while there is no picture, only headers and notes.
    private var looseRow = 0
    private var selected: PictureID?
    private var cachedLayout: GalleryLayout?
    /// Whether sections have changed since the selection was last looked after.
    private var isStale = true
    /// What the selection was when the sections last changed, to find it again after a reload.
    private var selectedPicture: Picture?
    private var selectedNumber = 0

    /// Makes a gallery over `sections`.
    init(title: String, sections: SectionList, metrics: GalleryMetrics) {
        self.title = title
        self.sections = sections
        self.metrics = metrics
    }

    /// Where everything is; worked out again when something has changed.
    var layout: GalleryLayout {
        refresh()
        return cachedLayout ?? layOut()
    }

    private func layOut() -> GalleryLayout {
        let shapes = sections.sections.map {
            GalleryLayout.Shape(count: $0.pictures.count, hasNote: $0.hasNote)
        }
        let layout = GalleryLayout(shapes, metrics: metrics)
        cachedLayout = layout
        return layout
    }

    /// Lays out anew with other sizes; the selected picture keeps its height on the screen as far as it can.
    func adopt(_ metrics: GalleryMetrics) {
        guard metrics != self.metrics else { return }
        self.metrics = metrics
        cachedLayout = nil
        column = selectedNumberNow.map { layout.column(ofPicture: $0) } ?? 0
    }

    /// To be called after any change of any section.
    ///
    /// The work waits until somebody looks, so that a thousand sections answering between two frames cost one layout.
    func sectionsChanged() {
        cachedLayout = nil
        isStale = true
    }

    /// Finds the selected picture again after the sections have changed.
    private func refresh() {
        guard isStale else { return }
        isStale = false
        guard layOut().pictureCount > 0 else {
            selected = nil
            return
        }
        guard isTouched, let selected else {
            return select(number: 0, offset: 1)
        }
        if sections.picture(selected) != selectedPicture {
            self.selected = substitute(for: selected)
        }
        remember()
    }

    /// The same picture elsewhere in its section, or what is now in its place.
    private func substitute(for selection: PictureID) -> PictureID {
        if let section = sections.section(selection.section), !section.pictures.isEmpty {
            let same = section.pictures.firstIndex { $0.image == selectedPicture?.image }
            let index = same ?? min(selection.index, section.pictures.count - 1)
            return PictureID(section: section.id, index: index)
        }
        return id(ofPicture: min(selectedNumber, layout.pictureCount - 1))
    }

    private func remember() {
        selectedPicture = selection.flatMap(sections.picture)
        selectedNumber = selectedNumberNow ?? 0
    }

    /// The picture with that number over all sections, which must exist.
    func id(ofPicture number: Int) -> PictureID {
        let place = layout.block(ofPicture: number)
        return PictureID(
            section: sections.sections[place].id,
            index: number - layout.blocks[place].firstPicture)
    }

    /// The number over all sections of a picture that exists.
    func number(of id: PictureID) -> Int? {
        guard let place = sections.place(of: id.section),
            id.index < layout.blocks[place].count
        else { return nil }
        return layout.blocks[place].firstPicture + id.index
    }

    /// The number of the selected picture.
    var selectedNumberNow: Int? { selection.flatMap(number) }

    // MARK: Scrolling

    /// The row of the gallery at the top of the body.
    var scrollRow: Int {
        guard let number = selectedNumberNow else { return min(looseRow, layout.maxScrollRow) }
        return scrollRow(showing: number, at: offset)
    }

    private func scrollRow(showing number: Int, at offset: Int) -> Int {
        let frame = layout.frame(ofPicture: number)
        let lowest = frame.y + frame.size.rows - metrics.bodyRows
        // The body's first row belongs to a header, its own or the sticky one.
        let highest = frame.y - 1
        let wished = max(lowest, frame.y - offset)
        return min(max(0, min(wished, highest)), layout.maxScrollRow)
    }

    private var selectedOffset: Int? {
        selectedNumberNow.map { layout.frame(ofPicture: $0).y - scrollRow }
    }

    /// The rows of the gallery that the body shows.
    var visibleRows: Range<Int> { scrollRow..<scrollRow + metrics.bodyRows }

    // MARK: Selecting

    /// Selects a picture, scrolling as little as possible.
    func select(number: Int, keepingColumn: Bool = false) {
        let row = scrollRow
        select(
            number: number, offset: layout.frame(ofPicture: number).y - row,
            keepingColumn: keepingColumn)
    }

    /// Selects a picture and shows it `offset` rows below the top of the body, as far as the ends allow.
    private func select(number: Int, offset: Int, keepingColumn: Bool = false) {
        let before = selectedNumberNow ?? 0
        if number != before {
            direction = number > before ? 1 : -1
        }
        selected = id(ofPicture: number)
        self.offset = layout.frame(ofPicture: number).y - scrollRow(showing: number, at: offset)
        if !keepingColumn {
            column = layout.column(ofPicture: number)
        }
        remember()
    }

    /// Moves by single pictures, in reading order.
    func move(by count: Int) {
        guard let number = selectedNumberNow else { return }
        select(number: min(max(0, number + count), layout.pictureCount - 1))
    }

    /// Moves by rows, keeping the column; scrolls as little as possible.
    func move(byRows rows: Int) {
        guard let number = selectedNumberNow else { return scroll(by: rows) }
        select(number: picture(rows, rowsBelow: number), keepingColumn: true)
    }

    /// Moves by rows and scrolls as much, so that the selection keeps its height on the screen.
    func page(byRows rows: Int) {
        guard let number = selectedNumberNow, let offset = selectedOffset else {
            return scroll(by: rows * metrics.pitch)
        }
        select(
            number: picture(rows, rowsBelow: number), offset: offset, keepingColumn: true)
    }

    /// Scrolls by rows of cells; the selection moves only if it would leave the screen.
    func scroll(by rows: Int) {
        let target = min(max(0, scrollRow + rows), layout.maxScrollRow)
        guard var number = selectedNumberNow else {
            looseRow = target
            return
        }
        let step = rows > 0 ? 1 : -1
        while isBeyond(number, scrolledTo: target, step: step) {
            let next = picture(step, rowsBelow: number)
            guard next != number else { break }
            number = next
        }
        select(
            number: number, offset: layout.frame(ofPicture: number).y - target,
            keepingColumn: true)
        direction = step
    }

    /// Whether the picture has left the body at the end from which it is scrolled away.
    private func isBeyond(_ number: Int, scrolledTo row: Int, step: Int) -> Bool {
        let frame = layout.frame(ofPicture: number)
        return step > 0
            ? frame.y < row + 1 : frame.y + frame.size.rows > row + metrics.bodyRows
    }

    private func picture(_ rows: Int, rowsBelow number: Int) -> Int {
        layout.picture(
            rows, rowsBelow: number, column: min(column, metrics.perRow - 1))
    }

    /// Moves to the start of a section `count` further on, its header at the top.
    func moveToSection(_ count: Int) {
        guard let number = selectedNumberNow else { return }
        select(number: layout.sectionStart(count, from: number), offset: 1)
    }
}
