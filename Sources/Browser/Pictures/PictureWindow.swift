import Pipeline
import Raster

extension GalleryLayout {
    /// More than the distance between any two elements on a screen; a clipped tile shows less of its picture and no title.
    private static let cut = 0x4000

    /// Returns the pictures wanted by a gallery that shows the rows `visible` and is scrolled in `direction`, most urgent first.
    ///
    /// These are the visible ones, from the selected one outwards, whole tiles before clipped ones; then what lies up to `rowsAhead` rows
    /// ahead, then one screen behind, both from the screen's edge outwards.
    func window(
        visible: Range<Int>, selected: Int?, direction: Int, rowsAhead: Int
    ) -> [(picture: Int, priority: Priority)] {
        let seen = pictures(in: visible)
        let middle = selected.flatMap { seen.contains($0) ? frame(ofPicture: $0) : nil }
        func priority(of picture: Int) -> Priority {
            let frame = frame(ofPicture: picture)
            guard seen.contains(picture) else {
                let isBelow = frame.y >= visible.upperBound
                let distance = isBelow ? frame.y - visible.upperBound : visible.lowerBound - frame.y
                return Priority(
                    isBelow == (direction > 0) ? .prefetch : .idle, distance: distance)
            }
            if picture == selected { return .urgent }
            // From the selected one, in columns.
            let distance =
                middle.map {
                    let x = Double($0.x - frame.x)
                    let y = Double($0.y - frame.y) * metrics.cellAspect
                    return Int((x * x + y * y).squareRoot())
                } ?? frame.y - visible.lowerBound
            let isWhole = visible.contains(frame.y) && visible.contains(frame.bottom - 1)
            return Priority(.visible, distance: isWhole ? distance : Self.cut + distance)
        }
        let rows = direction > 0 ? (visible.count, rowsAhead) : (rowsAhead, visible.count)
        let reach = max(0, visible.lowerBound - rows.0)..<visible.upperBound + rows.1
        return pictures(in: reach).map { ($0, priority(of: $0)) }.sorted {
            $0.1 == $1.1 ? $0.0 < $1.0 : $0.1 > $1.1
        }
    }

}
