import Pipeline
import Raster

/// The wanted pictures and their priorities: visible ones first, from the selected one outwards, whole tiles before clipped ones;
/// then what lies ahead, then one screen behind, both from the screen's edge outwards.
struct PictureWindow {
    private(set) var wants: [(picture: Int, priority: Priority)] = []

    /// More than the distance between any two elements on a screen; a clipped tile shows less of its picture and no title.
    private static let cut = 0x4000

    private let layout: GalleryLayout
    private let visible: Range<Int>
    private let seen: Range<Int>

    /// Computes the window for a gallery that shows `visible` rows and is scrolled in `direction`;
    /// `rowsAhead` is the prefetch distance beyond the body.
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
                visible.contains(frame.y) && visible.contains(frame.bottom - 1)
            return (picture, Priority(.visible, distance: isWhole ? distance : Self.cut + distance))
        }
        appendSorted(pictures)
    }

    /// Appends the pictures in `rows` rows below the screen, or above it if `direction` is -1.
    private mutating func append(_ rows: Int, _ direction: Int, at level: Priority.Level) {
        let range =
            direction > 0
            ? visible.upperBound..<visible.upperBound + rows
            : max(0, visible.lowerBound - rows)..<visible.lowerBound
        let pictures = layout.pictures(in: range).lazy.filter { [seen] in !seen.contains($0) }
            .map { [layout, visible] picture in
                let y = layout.line(ofPicture: picture).y
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

    /// Returns the distance of two elements on the screen, in columns.
    private func distance(_ one: CellRect, _ other: CellRect) -> Int {
        let x = Double(one.x - other.x)
        let y = Double(one.y - other.y) * layout.metrics.cellAspect
        return Int((x * x + y * y).squareRoot())
    }
}
