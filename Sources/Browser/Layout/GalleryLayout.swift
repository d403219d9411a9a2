import Basics
import Raster

/// The positions of all elements of a gallery.
///
/// Pure arithmetic on the sections' counts, with no cost per picture: 100,000 are as cheap as 10, save for the forming of
/// `JustifiedRows`. Rows are counted from the top of the gallery, regardless of scrolling; pictures are numbered over all sections.
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
        /// Where its pictures are unless all are of one size.
        var rows: JustifiedRows?
        /// Whether it goes on with the pictures of the block before.
        var isContinuation: Bool { offset > 0 && heading == nil }
        /// The row of the header, or the first row if there is none.
        fileprivate(set) var firstRow = 0
        /// The first row of the first picture.
        fileprivate(set) var pictureRow = 0
        /// The number of the first picture.
        fileprivate(set) var firstPicture = 0
        /// The numbers of its pictures.
        var pictures: Range<Int> { firstPicture..<firstPicture + count }
    }

    /// Pictures side by side, and the rows of cells from their first one that their elements take.
    struct Line {
        var pictures: Range<Int>
        var y: Int
        var rows: Int
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
            var block = blocks[place]
            block.firstRow = totalRows
            let header = block.hasHeader ? 1 : 0
            let margin =
                block.count == 0 && !block.hasNote || block.isContinuation ? 0 : metrics.frameRows
            block.pictureRow = totalRows + header + margin
            block.firstPicture = pictureCount
            self.blocks[place] = block
            // Each row of elements includes an empty row; a note is followed by one.
            totalRows = noteRow(ofBlock: place) + (block.hasNote ? 2 : 0)
            pictureCount += block.count
        }
    }

    var maxScrollRow: Int { max(0, totalRows - metrics.bodyRows) }

    /// Returns the index of the block that contains the picture, which must exist.
    ///
    /// Such searches go by indices, since an element would be copied at each step.
    func block(ofPicture picture: Int) -> Int {
        max(0, blocks.partitioningIndex { $0.firstPicture > picture } - 1)
    }

    /// Returns the index of the first block of a section; nil if it has none.
    func firstBlock(ofSection place: Int) -> Int? {
        let first = blocks.partitioningIndex { $0.section >= place }
        return first < blocks.count && blocks[first].section == place ? first : nil
    }

    /// Returns the index of the block that contains the row; 0 for rows above all blocks.
    func block(atRow row: Int) -> Int {
        max(0, blocks.partitioningIndex { $0.firstRow > row } - 1)
    }

    func noteRow(ofBlock place: Int) -> Int {
        let block = blocks[place]
        return block.pictureRow + (block.rows?.height ?? lineCount(of: block) * metrics.pitch)
    }

    /// Adapts rows to the shape of a picture, which must exist.
    mutating func set(_ shape: JustifiedRows.Shape, ofPicture picture: Int) {
        let place = block(ofPicture: picture)
        let end = noteRow(ofBlock: place)
        let first = blocks[place].firstPicture
        blocks[place].rows?.set(shape, at: picture - first)
        let growth = noteRow(ofBlock: place) - end
        totalRows += growth
        for later in blocks.indices.dropFirst(place + 1) {
            blocks[later].firstRow += growth
            blocks[later].pictureRow += growth
        }
    }

    /// Returns the first row from `row` on, or the last up to it if `upwards`, at which a line of tiles or a block begins, so that none is
    /// cut off; only in grids.
    func lineStart(from row: Int, upwards: Bool = false) -> Int {
        guard metrics.layout == .grid, !blocks.isEmpty, row > 0 else { return max(0, row) }
        let place = block(atRow: row)
        let block = blocks[place]
        if row == block.firstRow { return row }
        let first = block.pictureRow - metrics.frameRows
        // The first line is seen from the block's first row.
        let lines =
            upwards
            ? min((row - first) / metrics.pitch, lineCount(of: block) - 1)
            : max(1, (row - first + metrics.pitch - 1) / metrics.pitch)
        if lines < 1 { return block.firstRow }
        return lines < lineCount(of: block)
            ? first + lines * metrics.pitch : endRow(ofBlock: place)
    }

    private func lineCount(of block: Block) -> Int {
        (block.count + metrics.perRow - 1) / metrics.perRow
    }

    /// Returns the line of a picture, which must exist.
    func line(ofPicture picture: Int) -> Line {
        let block = blocks[block(ofPicture: picture)]
        let first = block.firstPicture
        let place = picture - first
        let row = place / metrics.perRow
        let start = row * metrics.perRow
        let line =
            block.rows?.line(ofPicture: place)
            ?? Line(
                pictures: start..<min(start + metrics.perRow, block.count),
                y: row * metrics.pitch, rows: metrics.elementRows)
        return Line(
            pictures: first + line.pictures.lowerBound..<first + line.pictures.upperBound,
            y: block.pictureRow + line.y, rows: line.rows)
    }

    func endRow(ofBlock place: Int) -> Int {
        place + 1 < blocks.count ? blocks[place + 1].firstRow : totalRows
    }

    /// Returns the frame of the picture's element; `y` is a row of the gallery.
    ///
    /// The picture must exist.
    func frame(ofPicture picture: Int) -> CellRect {
        let line = line(ofPicture: picture)
        let block = blocks[block(ofPicture: picture)]
        let span =
            block.rows?.span(of: picture - block.firstPicture)
            ?? metrics.span(ofPlace: picture - line.pictures.lowerBound)
        return CellRect(x: span.x, y: line.y, columns: span.columns, rows: line.rows)
    }

    /// Returns the box of a picture's thumbnail in a grid or rows; the picture must exist.
    func box(ofPicture picture: Int) -> CellSize {
        guard metrics.layout == .rows else { return metrics.thumbnailBox }
        let size = frame(ofPicture: picture).size
        return CellSize(columns: size.columns, rows: size.rows - 1)
    }

    /// Returns the top row to keep visible with the picture: its selection border, or the section's header for the first row.
    ///
    /// The picture must exist.
    func topRow(ofPicture picture: Int) -> Int {
        let row = line(ofPicture: picture).y
        let block = blocks[block(ofPicture: picture)]
        return row == block.pictureRow && !block.isContinuation
            ? block.firstRow : row - metrics.frameRows
    }

    /// Returns the row below the picture's border, or below the section's note if that follows directly.
    ///
    /// The picture must exist.
    func endRow(ofPicture picture: Int) -> Int {
        let line = line(ofPicture: picture)
        let place = block(ofPicture: picture)
        if blocks[place].hasNote,
            line.pictures.upperBound == blocks[place].pictures.upperBound
        {
            return noteRow(ofBlock: place) + 1
        }
        return line.y + line.rows + metrics.frameRows
    }

    /// Returns the pictures with at least one row in `rows`; they are consecutive, since numbers grow downwards.
    func pictures(in rows: Range<Int>) -> Range<Int> {
        guard !blocks.isEmpty, !rows.isEmpty else { return 0..<0 }
        var first = firstPicture(whoseRowIsAtLeast: rows.lowerBound)
        if first > 0, case let above = line(ofPicture: first - 1),
            above.y + above.rows > rows.lowerBound
        {
            first = above.pictures.lowerBound
        }
        return first..<max(first, firstPicture(whoseRowIsAtLeast: rows.upperBound))
    }

    /// Returns the first picture whose top row is at least `row`, or the total count if there is none.
    private func firstPicture(whoseRowIsAtLeast row: Int) -> Int {
        let block = blocks[block(atRow: row)]
        let below = max(0, row - block.pictureRow)
        let linesAbove = (below + metrics.pitch - 1) / metrics.pitch
        let above = block.rows?.firstPicture(from: below) ?? linesAbove * metrics.perRow
        return block.firstPicture + min(block.count, above)
    }

    /// Returns the picture whose element covers the cell at `x` in a row of the gallery.
    func picture(atX x: Int, row: Int) -> Int? {
        pictures(in: row..<row + 1).first { frame(ofPicture: $0).contains(x: x, y: row) }
    }

    /// Returns twice the column of the middle of a picture, which must exist.
    func column(ofPicture picture: Int) -> Int {
        let frame = frame(ofPicture: picture)
        return 2 * frame.x + frame.columns
    }

    /// Returns the picture `lines` lines below (above if negative), across sections, nearest to `column`, staying before `end`, and the
    /// number of lines left over there.
    func picture(
        _ lines: Int, linesBelow picture: Int, column: Int, end: Int = .max
    ) -> (picture: Int, rest: Int) {
        var picture = picture
        for made in 0..<Int(lines.magnitude) {
            guard let next = line(besides: picture, lines), next.lowerBound < end else {
                return (picture, Int(lines.magnitude) - made)
            }
            picture =
                next.min {
                    abs(self.column(ofPicture: $0) - column)
                        < abs(self.column(ofPicture: $1) - column)
                } ?? picture
        }
        return (picture, 0)
    }

    /// Returns the pictures of the line below a picture's, or above it if `direction` is negative.
    private func line(besides picture: Int, _ direction: Int) -> Range<Int>? {
        let own = line(ofPicture: picture).pictures
        let next = direction > 0 ? own.upperBound : own.lowerBound - 1
        return (0..<pictureCount).contains(next) ? line(ofPicture: next).pictures : nil
    }

    /// Returns the number of lines below a picture's, or above it if `direction` is negative, that are a screen away at most; at least 1.
    func linesPerScreen(from picture: Int, _ direction: Int) -> Int {
        let start = line(ofPicture: picture).y
        var count = 0
        var picture = picture
        while let next = line(besides: picture, direction)?.lowerBound {
            guard abs(line(ofPicture: next).y - start) <= metrics.bodyRows else {
                return max(1, count)
            }
            count += 1
            picture = next
        }
        return max(count, metrics.rowsPerScreen)
    }

    /// Returns the first picture of the `count`th next non-empty section (previous if negative); going up from inside a section,
    /// its own start comes first.
    func sectionStart(_ count: Int, from picture: Int) -> Int {
        let starts = blocks.filter { $0.count > 0 && !$0.isContinuation }.map(\.firstPicture)
        guard let own = starts.lastIndex(where: { $0 <= picture }) else { return picture }
        let isInside = starts[own] < picture
        let target = own + count + (count < 0 && isInside ? 1 : 0)
        return starts[min(max(target, 0), starts.count - 1)]
    }
}
