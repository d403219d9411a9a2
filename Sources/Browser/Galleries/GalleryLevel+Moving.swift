import Raster

/// Moving the selection.
extension GalleryLevel {
    /// Selects a picture, scrolling as little as possible.
    func select(number: Int, keepingColumn: Bool = false) {
        let row = scrollRow
        select(
            number: number, offset: layout.frame(ofPicture: number).y - row,
            keepingColumn: keepingColumn)
    }

    /// Selects a picture and shows it `offset` rows below the top of the body, as far as the ends allow.
    func select(number: Int, offset: Int, keepingColumn: Bool = false) {
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

    /// The picture `rows` rows further down, in the column that is kept.
    func picture(_ rows: Int, rowsBelow number: Int) -> Int {
        layout.picture(
            rows, rowsBelow: number, column: min(column, metrics.perRow - 1))
    }

    /// Moves to the start of a section `count` further on, its header at the top.
    func moveToSection(_ count: Int) {
        guard let number = selectedNumberNow else { return }
        select(number: layout.sectionStart(count, from: number), offset: 1)
    }
}
