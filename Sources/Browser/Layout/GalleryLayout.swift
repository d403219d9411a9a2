import Raster

/// Where everything in a gallery is.
///
/// Pure arithmetic on the sections' counts: costs nothing a picture, so 100,000 are as cheap as 10.
///
/// Rows count from the gallery's top, whatever is scrolled; a picture is named by its number over all sections.
struct GalleryLayout {
    /// One section as the layout sees it.
    struct Shape: Equatable {
        /// How many pictures.
        var count: Int
        /// Whether a line of text follows them.
        var hasNote: Bool
    }

    /// One section's place.
    struct Block {
        /// The header's row.
        var firstRow: Int
        /// The number of its first picture.
        var firstPicture: Int
        /// How many pictures.
        var count: Int
        /// Whether a line of text follows them.
        var hasNote: Bool
    }

    /// The sizes it was made with.
    let metrics: GalleryMetrics
    /// The sections, from top to bottom.
    let blocks: [Block]
    /// Rows of the whole gallery.
    let totalRows: Int
    /// Pictures of the whole gallery.
    let pictureCount: Int

    /// Lays sections of these shapes out.
    init(_ shapes: [Shape], metrics: GalleryMetrics) {
        self.metrics = metrics
        var blocks: [Block] = []
        blocks.reserveCapacity(shapes.count)
        var row = 0
        var picture = 0
        for shape in shapes {
            blocks.append(
                Block(
                    firstRow: row, firstPicture: picture, count: shape.count,
                    hasNote: shape.hasNote))
            row += Self.rows(of: shape, metrics: metrics)
            picture += shape.count
        }
        self.blocks = blocks
        totalRows = row
        pictureCount = picture
    }

    private static func rows(of shape: Shape, metrics: GalleryMetrics) -> Int {
        let rowCount = (shape.count + metrics.perRow - 1) / metrics.perRow
        // Each row of elements ends with its free row; a note has one of its own.
        return 1 + rowCount * metrics.pitch + (shape.hasNote ? 2 : 0)
    }

    /// The section that holds the picture, by place; the picture must exist.
    func block(ofPicture picture: Int) -> Int {
        lastBlock { $0.firstPicture <= picture }
    }

    /// The section that holds the row, by place; 0 for rows above everything.
    func block(atRow row: Int) -> Int {
        lastBlock { $0.firstRow <= row }
    }

    /// The last block for which `holds` is true, by bisection: it is true for the first ones, then false.
    private func lastBlock(where holds: (Block) -> Bool) -> Int {
        var low = 0
        var high = blocks.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if holds(blocks[middle]) { low = middle } else { high = middle }
        }
        return low
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
            x: span.x, y: block.firstRow + 1 + row * metrics.pitch, columns: span.columns,
            rows: metrics.elementRows)
    }

    /// The row below the picture's element, or below the note of its section if that comes right after it.
    ///
    /// The picture must exist.
    func endRow(ofPicture picture: Int) -> Int {
        let frame = frame(ofPicture: picture)
        let place = block(ofPicture: picture)
        let note = noteRow(ofBlock: place)
        let isLastRow = frame.y + metrics.pitch == note
        return blocks[place].hasNote && isLastRow ? note + 1 : frame.y + frame.size.rows
    }

    /// The row of the section's note, after its pictures.
    func noteRow(ofBlock place: Int) -> Int {
        let block = blocks[place]
        let rows = (block.count + metrics.perRow - 1) / metrics.perRow
        return block.firstRow + 1 + rows * metrics.pitch
    }

    /// The row after the section's last one.
    func endRow(ofBlock place: Int) -> Int {
        place + 1 < blocks.count ? blocks[place + 1].firstRow : totalRows
    }
}
