import Raster

/// How far the gallery is scrolled: follows from the selected picture and its height on the screen.
extension GalleryLevel {
    /// The row of the gallery at the top of the body.
    var scrollRow: Int {
        guard let number = selectedNumberNow else { return min(looseRow, layout.maxScrollRow) }
        return scrollRow(showing: number, at: offset)
    }

    /// The row at the top of the body when the picture is shown `offset` rows below it, as far as the ends allow.
    func scrollRow(showing number: Int, at offset: Int) -> Int {
        let frame = layout.frame(ofPicture: number)
        // What a page that failed has to say stands below the last pictures, and must be seen from there.
        let lowest = layout.endRow(ofPicture: number) - metrics.bodyRows
        // The body's first row belongs to a header, its own or the sticky one.
        let highest = frame.y - 1
        let wished = max(lowest, frame.y - offset)
        return min(max(0, min(wished, highest)), layout.maxScrollRow)
    }

    /// Rows from the top of the body to the selected element.
    var selectedOffset: Int? {
        selectedNumberNow.map { layout.frame(ofPicture: $0).y - scrollRow }
    }

    /// The rows of the gallery that the body shows.
    var visibleRows: Range<Int> { scrollRow..<scrollRow + metrics.bodyRows }

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
}
