import Basics
import Raster

/// Rows of pictures, as wide as the screen, in which each picture keeps its shape; places, rows of cells and columns are counted from the
/// first picture.
///
/// A row takes pictures until they fill it at the full height, then is lowered until they fit. Rows are formed anew in each chunk of
/// pictures, so that a shape that becomes known late costs the same among a thousand pictures as among a million. A picture takes two
/// bytes, a row of them 16.
struct JustifiedRows {
    /// A picture's width in 256ths of its height, within the range of shapes that rows show whole.
    typealias Shape = UInt16

    /// Most photographs', for pictures of unknown shape.
    static let unknown: Shape = 384
    /// The width of the widest pictures that are shown whole, by their height: panoramas beyond it would be a row of their own.
    static let widest = 4.0
    /// The cells beside a picture, half on each side, for the selection's border.
    static let gap = 2
    /// Forming a chunk's rows takes some microseconds, and a million pictures have a thousand chunks to be counted.
    private static let chunkSize = 1024

    private struct Chunk {
        /// The first picture of each row and the cells above it.
        var rows: [(start: Int, top: Int)] = []
        /// The cells above it, and its own.
        var top = 0, height = 0
    }

    private var shapes: [Shape]
    private var chunks: [Chunk] = []
    private let columns: Int
    /// The rows of cells of the highest pictures, and of the title and gap below each.
    private let rows: Int, below: Int
    /// The columns of a picture of full height and shape 1.
    private let unit: Double

    init(_ shapes: [Shape], metrics: GalleryMetrics) {
        self.shapes = shapes
        columns = metrics.columns
        rows = metrics.thumbnailBox.rows
        below = metrics.pitch - rows
        unit = Double(rows) * metrics.cellAspect / 256
        for start in stride(from: 0, to: shapes.count, by: Self.chunkSize) {
            chunks.append(Chunk(top: height))
            formRows(from: start)
        }
    }

    static func shape(of size: PixelSize) -> Shape {
        let shape = Double(size.width) / Double(max(1, size.height))
        return Shape(256 * min(max(shape, 1 / Fit.tallest), widest))
    }

    /// The rows of cells of all.
    var height: Int { chunks.last.map { $0.top + $0.height } ?? 0 }

    /// Changes the shape of a picture, which moves the rest of its chunk.
    mutating func set(_ shape: Shape, at place: Int) {
        let index = place / Self.chunkSize
        let before = chunks[index].height
        shapes[place] = shape
        formRows(from: index * Self.chunkSize)
        let growth = chunks[index].height - before
        for later in chunks.indices.dropFirst(index + 1) { chunks[later].top += growth }
    }

    private mutating func formRows(from start: Int) {
        let end = min(start + Self.chunkSize, shapes.count)
        var (starts, width) = ([start], 0.0)
        for place in start..<end {
            width += self.width(place) + Double(Self.gap)
            guard width >= Double(columns), place + 1 < end else { continue }
            starts.append(place + 1)
            width = 0
        }
        // Only the last row of all may be shorter than the screen is wide.
        if end < shapes.count, width < Double(columns), starts.count > 1 { starts.removeLast() }
        var chunk = Chunk(top: chunks[start / Self.chunkSize].top)
        for (first, next) in zip(starts, starts.dropFirst() + [end]) {
            chunk.rows.append((first, chunk.height))
            let high = Double(rows) * scale(first..<next)
            chunk.height += max(1, Int(high.rounded())) + below
        }
        chunks[start / Self.chunkSize] = chunk
    }

    /// Returns the columns of a picture of full height.
    private func width(_ place: Int) -> Double { max(2, Double(shapes[place]) * unit) }

    /// Returns by how much the pictures of a row are reduced to fit.
    private func scale(_ places: Range<Int>) -> Double {
        let wanted = places.reduce(0) { $0 + width($1) }
        return min(1, Double(columns - places.count * Self.gap) / wanted)
    }

    func line(ofPicture place: Int) -> GalleryLayout.Line {
        let chunk = place / Self.chunkSize
        return line(chunk, chunks[chunk].rows.partitioningIndex { $0.start > place } - 1)
    }

    /// Returns the last line that begins at or above `row`, which is at least 0.
    func line(atRow row: Int) -> GalleryLayout.Line {
        let index = chunks.partitioningIndex { $0.top > row } - 1
        let chunk = chunks[index]
        return line(index, chunk.rows.partitioningIndex { chunk.top + $0.top > row } - 1)
    }

    private func line(_ index: Int, _ number: Int) -> GalleryLayout.Line {
        let (chunk, row) = (chunks[index], chunks[index].rows[number])
        let end = (start: min((index + 1) * Self.chunkSize, shapes.count), top: chunk.height)
        let next = number + 1 < chunk.rows.count ? chunk.rows[number + 1] : end
        return GalleryLayout.Line(
            pictures: row.start..<next.start, y: chunk.top + row.top, rows: next.top - row.top - 1)
    }

    /// Returns the left edge and width of a picture.
    func span(of place: Int) -> (x: Int, columns: Int) {
        let places = line(ofPicture: place).pictures
        let scale = scale(places)
        let before = places.prefix { $0 < place }.reduce(0) { $0 + width($1) }
        let left = Int((before * scale).rounded())
        let right = Int(((before + width(place)) * scale).rounded())
        return (left + (place - places.lowerBound) * Self.gap + Self.gap / 2, right - left)
    }
}
