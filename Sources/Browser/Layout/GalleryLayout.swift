import Basics
import Raster

/// The positions of all elements of a gallery.
///
/// Pure arithmetic on the sections' counts, with no cost per picture: 100,000 are as cheap as 10. Rows are counted from the
/// top of the gallery, regardless of scrolling; pictures are numbered over all sections.
struct GalleryLayout {
    struct Block {
        var count: Int
        /// Whether a note follows the pictures.
        var hasNote: Bool
        /// Whether a header precedes the pictures.
        var hasHeader: Bool
        /// The place of the section that it belongs to.
        var section = 0
        /// The heading of its group; nil for what is not grouped.
        var heading: String?
        /// The place of its first picture among those that the section shows.
        var offset = 0
        /// The row of the header, or the first row if there is none.
        fileprivate(set) var firstRow = 0
        /// The first row of the first picture.
        fileprivate(set) var pictureRow = 0
        /// The number of the first picture.
        fileprivate(set) var firstPicture = 0
    }

    let metrics: GalleryMetrics
    private(set) var blocks: [Block]
    private(set) var totalRows = 0
    private(set) var pictureCount = 0

    /// Creates the layout of blocks that only have their counts set.
    init(_ blocks: [Block], metrics: GalleryMetrics) {
        self.metrics = metrics
        self.blocks = blocks
        for place in blocks.indices {
            self.blocks[place].firstRow = totalRows
            let header = blocks[place].hasHeader ? 1 : 0
            self.blocks[place].pictureRow = totalRows + header + metrics.frameRows
            self.blocks[place].firstPicture = pictureCount
            // Each row of elements includes an empty row; a note is followed by one.
            totalRows = noteRow(ofBlock: place) + (blocks[place].hasNote ? 2 : 0)
            pictureCount += blocks[place].count
        }
    }

    var maxScrollRow: Int { max(0, totalRows - metrics.bodyRows) }

    /// Returns the index of the block that contains the picture, which must exist.
    func block(ofPicture picture: Int) -> Int {
        max(0, blocks.partitioningIndex { $0.firstPicture > picture } - 1)
    }

    /// Returns the index of the first block of a section; nil if it has none.
    func firstBlock(ofSection place: Int) -> Int? {
        let first = blocks.partitioningIndex { $0.section >= place }
        return first < blocks.count && blocks[first].section == place ? first : nil
    }

    /// Returns the index of the block that contains the row; 0 for rows above all blocks.
    func block(atRow row: Int) -> Int { max(0, blocks.partitioningIndex { $0.firstRow > row } - 1) }

    func noteRow(ofBlock place: Int) -> Int {
        let block = blocks[place]
        let rows = (block.count + metrics.perRow - 1) / metrics.perRow
        return block.pictureRow + rows * metrics.pitch
    }

    func endRow(ofBlock place: Int) -> Int {
        place + 1 < blocks.count ? blocks[place + 1].firstRow : totalRows
    }

    /// Returns the frame of the picture's element; `y` is a row of the gallery.
    ///
    /// The picture must exist.
    func frame(ofPicture picture: Int) -> CellRect {
        let block = blocks[block(ofPicture: picture)]
        let (row, place) = (picture - block.firstPicture).quotientAndRemainder(
            dividingBy: metrics.perRow)
        let span = metrics.span(ofPlace: place)
        return CellRect(
            x: span.x, y: block.pictureRow + row * metrics.pitch, columns: span.columns,
            rows: metrics.elementRows)
    }

    /// Returns the top row to keep visible with the picture: its selection border, or the section's header for the first row.
    ///
    /// The picture must exist.
    func topRow(ofPicture picture: Int) -> Int {
        let row = frame(ofPicture: picture).y
        let block = blocks[block(ofPicture: picture)]
        return row == block.pictureRow ? block.firstRow : row - metrics.frameRows
    }

    /// Returns the row below the picture's border, or below the section's note if that follows directly.
    ///
    /// The picture must exist.
    func endRow(ofPicture picture: Int) -> Int {
        let frame = frame(ofPicture: picture)
        let place = block(ofPicture: picture)
        let note = noteRow(ofBlock: place)
        let isLastRow = frame.y + metrics.pitch == note
        if blocks[place].hasNote, isLastRow { return note + 1 }
        return frame.y + frame.size.rows + metrics.frameRows
    }

    /// Returns the pictures with at least one row in `rows`; they are consecutive, since numbers grow downwards.
    func pictures(in rows: Range<Int>) -> Range<Int> {
        guard !blocks.isEmpty, !rows.isEmpty else { return 0..<0 }
        let first = firstPicture(whoseRowIsAtLeast: rows.lowerBound - metrics.elementRows + 1)
        let end = firstPicture(whoseRowIsAtLeast: rows.upperBound)
        return first..<max(first, end)
    }

    /// Returns the first picture whose top row is at least `row`, or the total count if there is none.
    private func firstPicture(whoseRowIsAtLeast row: Int) -> Int {
        let block = blocks[block(atRow: row)]
        let below = max(0, row - block.pictureRow)
        let rowsAbove = (below + metrics.pitch - 1) / metrics.pitch
        return block.firstPicture + min(block.count, rowsAbove * metrics.perRow)
    }

    /// Returns the picture whose element covers the cell at `x` in a row of the gallery.
    func picture(atX x: Int, row: Int) -> Int? {
        pictures(in: row..<row + 1).first { frame(ofPicture: $0).contains(x: x, y: row) }
    }

    func column(ofPicture picture: Int) -> Int {
        (picture - blocks[block(ofPicture: picture)].firstPicture) % metrics.perRow
    }

    /// Returns the picture `rows` rows below (above if negative), across sections, in `column` or the nearest one, staying before `end`,
    /// and the number of rows left over there.
    func picture(
        _ rows: Int, rowsBelow picture: Int, column: Int, end: Int = .max
    ) -> (picture: Int, rest: Int) {
        var picture = picture
        for made in 0..<Int(rows.magnitude) {
            let next =
                rows > 0
                ? below(picture, column: column) : above(picture, column: column)
            guard let next, next < end else { return (picture, Int(rows.magnitude) - made) }
            picture = next
        }
        return (picture, 0)
    }

    private func below(_ picture: Int, column: Int) -> Int? {
        let place = block(ofPicture: picture)
        let rowStart = rowStart(of: picture, in: blocks[place]) + metrics.perRow
        let end = blocks[place].firstPicture + blocks[place].count
        if rowStart < end { return min(rowStart + column, end - 1) }
        guard let next = blocks[(place + 1)...].first(where: { $0.count > 0 }) else { return nil }
        return next.firstPicture + min(column, next.count - 1)
    }

    private func above(_ picture: Int, column: Int) -> Int? {
        let place = block(ofPicture: picture)
        let rowStart = rowStart(of: picture, in: blocks[place]) - metrics.perRow
        if rowStart >= blocks[place].firstPicture { return rowStart + column }
        guard let previous = blocks[..<place].last(where: { $0.count > 0 }) else { return nil }
        let last = previous.firstPicture + previous.count - 1
        return min(self.rowStart(of: last, in: previous) + column, last)
    }

    private func rowStart(of picture: Int, in block: Block) -> Int {
        picture - (picture - block.firstPicture) % metrics.perRow
    }

    /// Returns the first picture of the `count`th next non-empty section (previous if negative); going up from inside a section,
    /// its own start comes first.
    func sectionStart(_ count: Int, from picture: Int) -> Int {
        let starts = blocks.filter { $0.count > 0 }.map(\.firstPicture)
        guard let own = starts.lastIndex(where: { $0 <= picture }) else { return picture }
        let isInside = starts[own] < picture
        let target = own + count + (count < 0 && isInside ? 1 : 0)
        return starts[min(max(target, 0), starts.count - 1)]
    }
}
