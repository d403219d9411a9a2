extension GalleryLayout {
    /// The place of a picture in its row.
    func column(ofPicture picture: Int) -> Int {
        (picture - blocks[block(ofPicture: picture)].firstPicture) % metrics.perRow
    }

    /// The picture `rows` rows of elements below (or above, negative), across sections, in `column` or as near as its
    /// row has one.
    func picture(_ rows: Int, rowsBelow picture: Int, column: Int) -> Int {
        var picture = picture
        for _ in 0..<rows.magnitude {
            let next =
                rows > 0
                ? below(picture, column: column) : above(picture, column: column)
            guard let next else { break }
            picture = next
        }
        return picture
    }

    private func below(_ picture: Int, column: Int) -> Int? {
        let place = block(ofPicture: picture)
        let rowStart = rowStart(of: picture, in: blocks[place]) + metrics.perRow
        let end = blocks[place].firstPicture + blocks[place].count
        if rowStart < end {
            return min(rowStart + column, end - 1)
        }
        guard let next = blocks[(place + 1)...].first(where: { $0.count > 0 }) else { return nil }
        return next.firstPicture + min(column, next.count - 1)
    }

    private func above(_ picture: Int, column: Int) -> Int? {
        let place = block(ofPicture: picture)
        let rowStart = rowStart(of: picture, in: blocks[place]) - metrics.perRow
        if rowStart >= blocks[place].firstPicture {
            return rowStart + column
        }
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
