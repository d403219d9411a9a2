import Raster

/// The filmstrip of neighbouring pictures below the viewer's.
extension ViewerModel {
    /// The numbers of the pictures in the filmstrip, with the selected one as close to the middle as possible.
    var filmstripPictures: Range<Int> {
        guard filmstripRows > 0, let number = level.selectedNumber else { return 0..<0 }
        let total = level.layout.pictureCount
        let count = min(total, fullArea.columns / (filmstripBox.columns + 2))
        let first = min(max(0, number - count / 2), total - count)
        return first..<first + count
    }

    var filmstripScene: [FramedScene] {
        let (pictures, box) = (filmstripPictures, filmstripBox)
        let left = (fullArea.columns - pictures.count * (box.columns + 2)) / 2
        return pictures.map { number in
            let id = level.id(ofPicture: number)
            return FramedScene(
                picture: filmstrip.pictureScene(of: id),
                frame: CellRect(
                    x: left + (number - pictures.lowerBound) * (box.columns + 2) + 1,
                    y: area.bottom + 1, columns: box.columns, rows: box.rows),
                isSelected: id == level.selection)
        }
    }

    /// The filmstrip's rows: a thumbnail and the selection's border; 0 without filmstrip.
    var filmstripRows: Int {
        isFilmstripShown && display.body.rows >= 16 ? filmstripBox.rows + 2 : 0
    }

    var filmstripBox: CellSize {
        let aspect = display.style.cellAspect
        return CellSize(
            columns: 12, rows: min(6, Layout.list.thumbnailRows(columns: 12, cellAspect: aspect)))
    }
}
