import Basics
import Raster

/// Rows of pictures, as wide as the screen, in which each picture keeps its shape; places and rows of cells are counted from the first
/// picture.
///
/// A row takes pictures until they fill it at the full height, then is lowered until they fit. A picture takes two bytes, a row of them 16.
struct JustifiedRows {
    /// A picture's width in 256ths of its height, within the range of shapes that rows show whole.
    typealias Shape = UInt16

    /// Most photographs', for pictures of unknown shape.
    static let unknown: Shape = 384
    /// The width of the widest pictures that are shown whole, by their height: beyond it they would have a row to themselves.
    static let widest = 4.0
    /// The cells beside a picture, half on each side, for the selection's border.
    static let gap = 2
    /// So many pictures have rows of their own: a shape that becomes known late then costs some ten microseconds, however many there are,
    /// and a million are 245 blocks, which a frame looks through.
    static let most = 4096

    private var shapes: [Shape]
    /// The first picture of each row and the rows of cells above it, then their number and all rows of cells.
    private var starts: [Int] = [], tops: [Int] = []
    private let metrics: GalleryMetrics
    /// Whether more rows follow, so that the last one must not be shorter than the others.
    private let isContinued: Bool

    init(_ shapes: [Shape], isContinued: Bool = false, metrics: GalleryMetrics) {
        self.shapes = shapes
        self.metrics = metrics
        self.isContinued = isContinued
        formRows()
    }

    static func shape(of size: PixelSize) -> Shape {
        let shape = Double(size.width) / Double(max(1, size.height))
        return Shape(256 * min(max(shape, 1 / Fit.tallest), widest))
    }

    mutating func set(_ shape: Shape, at place: Int) {
        shapes[place] = shape
        formRows()
    }

    private mutating func formRows() {
        let unit = unit
        var width = 0.0
        starts = [0]
        tops = [0]
        for (place, shape) in shapes.enumerated() {
            width += max(2, Double(shape) * unit) + Double(Self.gap)
            guard width >= Double(metrics.columns) else { continue }
            starts.append(place + 1)
            width = 0
        }
        if width > 0, isContinued, starts.count > 1 { starts.removeLast() }
        if width > 0 { starts.append(shapes.count) }
        for (first, next) in zip(starts, starts.dropFirst()) {
            let high = Double(metrics.thumbnailBox.rows) * scale(first..<next)
            let below = metrics.pitch - metrics.thumbnailBox.rows
            tops.append(height + max(1, Int(high.rounded())) + below)
        }
    }

    /// The columns of a picture of full height and shape 1.
    private var unit: Double { Double(metrics.thumbnailBox.rows) * metrics.cellAspect / 256 }

    /// Returns the columns of pictures of full height.
    private func width(_ places: Range<Int>) -> Double {
        shapes[places].reduce(0) { $0 + max(2, Double($1) * unit) }
    }

    /// Returns by how much the pictures of a row are reduced to fit.
    private func scale(_ places: Range<Int>) -> Double {
        min(1, Double(metrics.columns - places.count * Self.gap) / width(places))
    }

    /// The rows of cells of all.
    var height: Int { tops[tops.count - 1] }

    /// Returns the first picture whose top is at least `row`, or their number if there is none.
    func firstPicture(from row: Int) -> Int {
        starts[min(tops.partitioningIndex { $0 >= row }, starts.count - 1)]
    }

    func line(ofPicture place: Int) -> GalleryLayout.Line {
        let row = starts.partitioningIndex { $0 > place } - 1
        return GalleryLayout.Line(
            pictures: starts[row]..<starts[row + 1], y: tops[row],
            rows: tops[row + 1] - tops[row] - 1)
    }

    /// Returns the left edge and width of a picture.
    func span(of place: Int) -> (x: Int, columns: Int) {
        let places = line(ofPicture: place).pictures
        let edges = [place, place + 1].map {
            Int((width(places.lowerBound..<$0) * scale(places)).rounded())
        }
        let gaps = (place - places.lowerBound) * Self.gap + Self.gap / 2
        return (edges[0] + gaps, edges[1] - edges[0])
    }
}
