import Basics
import Raster

/// Where everything in a gallery is.
///
/// Pure arithmetic on the sections' counts: costs nothing a picture, so 100,000 are as cheap as 10. Rows count from
/// the gallery's top, whatever is scrolled; a picture is named by its number over all sections.
struct GalleryLayout {
    struct Block {
        var count: Int
        /// Whether a line of text follows them.
        var hasNote: Bool
        /// Whether a header stands above them.
        var hasHeader: Bool
        /// The header's row, or the first one where there is none.
        fileprivate(set) var firstRow = 0
        /// The row where the first picture begins.
        fileprivate(set) var pictureRow = 0
        /// The number of its first picture.
        fileprivate(set) var firstPicture = 0
    }

    let metrics: GalleryMetrics
    private(set) var blocks: [Block]
    private(set) var totalRows = 0
    private(set) var pictureCount = 0

    /// Lays the blocks out, of which only the counts are known yet.
    init(_ blocks: [Block], metrics: GalleryMetrics) {
        self.metrics = metrics
        self.blocks = blocks
        for place in blocks.indices {
            self.blocks[place].firstRow = totalRows
            let header = blocks[place].hasHeader ? 1 : 0
            self.blocks[place].pictureRow = totalRows + header + metrics.frameRows
            self.blocks[place].firstPicture = pictureCount
            // A header and the rows of elements, each with its free row; a note has one of its own.
            totalRows = noteRow(ofBlock: place) + (blocks[place].hasNote ? 2 : 0)
            pictureCount += blocks[place].count
        }
    }

    var maxScrollRow: Int { max(0, totalRows - metrics.bodyRows) }

    /// The section that holds the picture, by place; the picture must exist.
    func block(ofPicture picture: Int) -> Int {
        max(0, blocks.partitioningIndex { $0.firstPicture > picture } - 1)
    }

    /// The section that holds the row, by place; 0 for rows above everything.
    func block(atRow row: Int) -> Int { max(0, blocks.partitioningIndex { $0.firstRow > row } - 1) }

    func noteRow(ofBlock place: Int) -> Int {
        let block = blocks[place]
        let rows = (block.count + metrics.perRow - 1) / metrics.perRow
        return block.pictureRow + rows * metrics.pitch
    }

    func endRow(ofBlock place: Int) -> Int {
        place + 1 < blocks.count ? blocks[place + 1].firstRow : totalRows
    }

    /// Where the picture's element is; `y` is a row of the gallery.
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

    /// The top row of what belongs on the screen with the picture: its frame, and its section's header if it is in the first row.
    ///
    /// The picture must exist.
    func topRow(ofPicture picture: Int) -> Int {
        let row = frame(ofPicture: picture).y
        let block = blocks[block(ofPicture: picture)]
        return row == block.pictureRow ? block.firstRow : row - metrics.frameRows
    }

    /// The row below the picture's frame, or below the note of its section if that comes right after it.
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

    /// The pictures of which at least one row lies in `rows`; consecutive, since numbers grow downwards.
    func pictures(in rows: Range<Int>) -> Range<Int> {
        guard !blocks.isEmpty, !rows.isEmpty else { return 0..<0 }
        let first = firstPicture(whoseRowIsAtLeast: rows.lowerBound - metrics.elementRows + 1)
        let end = firstPicture(whoseRowIsAtLeast: rows.upperBound)
        return first..<max(first, end)
    }

    /// The first picture whose top row is at least `row`; the count of all if there is none.
    private func firstPicture(whoseRowIsAtLeast row: Int) -> Int {
        let block = blocks[block(atRow: row)]
        let below = max(0, row - block.pictureRow)
        let rowsAbove = (below + metrics.pitch - 1) / metrics.pitch
        return block.firstPicture + min(block.count, rowsAbove * metrics.perRow)
    }

    /// The picture whose element covers the cell at `x` in a row of the gallery.
    func picture(atX x: Int, row: Int) -> Int? {
        pictures(in: row..<row + 1).first { frame(ofPicture: $0).contains(x: x, y: row) }
    }

    func column(ofPicture picture: Int) -> Int {
        (picture - blocks[block(ofPicture: picture)].firstPicture) % metrics.perRow
    }

    /// The picture `rows` rows of elements below (or above, negative), across sections, in `column` or as near as its row has one;
    /// before `end`, with the number of rows that were left there.
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

    /// The first picture of the section `count` sections with pictures further down (or up, negative); going up stops
    /// at the start of the own section first.
    func sectionStart(_ count: Int, from picture: Int) -> Int {
        let starts = blocks.filter { $0.count > 0 }.map(\.firstPicture)
        guard let own = starts.lastIndex(where: { $0 <= picture }) else { return picture }
        let isInside = starts[own] < picture
        let target = own + count + (count < 0 && isInside ? 1 : 0)
        return starts[min(max(target, 0), starts.count - 1)]
    }
}
