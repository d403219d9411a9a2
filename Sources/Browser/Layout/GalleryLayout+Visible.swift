import Raster

extension GalleryLayout {
    /// The pictures of which at least one row lies in `rows`; consecutive, since numbers grow downwards.
    func pictures(in rows: Range<Int>) -> Range<Int> {
        guard !blocks.isEmpty, !rows.isEmpty else { return 0..<0 }
        let first = firstPicture(endingAfter: rows.lowerBound)
        let end = firstPicture(startingAtOrAfter: rows.upperBound)
        return first..<max(first, end)
    }

    /// The first picture whose last row is at or below `row`.
    private func firstPicture(endingAfter row: Int) -> Int {
        firstPicture(whoseRowIsAtLeast: row - metrics.elementRows + 1)
    }

    private func firstPicture(startingAtOrAfter row: Int) -> Int {
        firstPicture(whoseRowIsAtLeast: row)
    }

    /// The first picture whose top row is at least `row`; the count of all if there is none.
    private func firstPicture(whoseRowIsAtLeast row: Int) -> Int {
        let block = blocks[block(atRow: row)]
        let below = max(0, row - (block.firstRow + 1))
        let rowsAbove = (below + metrics.pitch - 1) / metrics.pitch
        return block.firstPicture + min(block.count, rowsAbove * metrics.perRow)
    }

    /// The picture whose element covers the cell at `x` in a row of the gallery.
    func picture(atX x: Int, row: Int) -> Int? {
        pictures(in: row..<row + 1).first { frame(ofPicture: $0).contains(x: x, y: row) }
    }

    /// The largest row that may be at the top of the body.
    var maxScrollRow: Int { max(0, totalRows - metrics.bodyRows) }
}
