import Pipeline
import Raster

/// Which pictures around the screen are wanted, and how urgently: what is seen first, from the selected one outwards, whole tiles before
/// those that the screen's edge cuts; then what lies ahead, then a screen behind, both from the screen's edge on.
struct PictureWindow {
    private(set) var wants: [(picture: Int, priority: Priority)] = []

    /// Farther than any two elements on one screen are apart: a cut tile shows the less of its picture, and no title.
    private static let cut = 0x4000

    private let layout: GalleryLayout
    private let visible: Range<Int>
    private let seen: Range<Int>

    /// Works the window out for a gallery whose body shows `visible` rows and which is scrolled in `direction`;
    /// `rowsAhead` beyond the body are wanted.
    init(
        layout: GalleryLayout, visible: Range<Int>, selected: Int?, direction: Int, rowsAhead: Int
    ) {
        self.layout = layout
        self.visible = visible
        seen = layout.pictures(in: visible)
        appendSeen(from: selected)
        append(rowsAhead, direction, at: .prefetch)
        append(visible.count, -direction, at: .idle)
    }

    private mutating func appendSeen(from selected: Int?) {
        let middle = selected.flatMap { seen.contains($0) ? layout.frame(ofPicture: $0) : nil }
        let pictures = seen.map { picture -> (picture: Int, priority: Priority) in
            if picture == selected { return (picture, .urgent) }
            let frame = layout.frame(ofPicture: picture)
            let distance = middle.map { self.distance($0, frame) } ?? frame.y - visible.lowerBound
            let isWhole =
                visible.contains(frame.y) && visible.contains(frame.y + frame.size.rows - 1)
            return (picture, Priority(.visible, distance: isWhole ? distance : Self.cut + distance))
        }
        appendSorted(pictures)
    }

    /// Appends the pictures of so many rows below the screen, or above it (`direction` -1).
    private mutating func append(_ rows: Int, _ direction: Int, at level: Priority.Level) {
        let range =
            direction > 0
            ? visible.upperBound..<visible.upperBound + rows
            : max(0, visible.lowerBound - rows)..<visible.lowerBound
        let pictures = layout.pictures(in: range).lazy.filter { [seen] in !seen.contains($0) }
            .map { [layout, visible] picture in
                let y = layout.frame(ofPicture: picture).y
                let distance = direction > 0 ? y - visible.upperBound : visible.lowerBound - y
                return (picture: picture, priority: Priority(level, distance: distance))
            }
        appendSorted(Array(pictures))
    }

    private mutating func appendSorted(_ pictures: [(picture: Int, priority: Priority)]) {
        wants += pictures.sorted {
            $0.priority == $1.priority ? $0.picture < $1.picture : $0.priority > $1.priority
        }
    }

    /// How far two elements are apart on the screen, in columns.
    private func distance(_ one: CellRect, _ other: CellRect) -> Int {
        let x = Double(one.x - other.x)
        let y = Double(one.y - other.y) * layout.metrics.cellAspect
        return Int((x * x + y * y).squareRoot())
    }
}
