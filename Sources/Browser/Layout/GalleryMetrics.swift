import Raster

/// The sizes a gallery is laid out with; everything in cells.
struct GalleryMetrics: Equatable {
    var layout: Layout
    var columns: Int
    /// The rows between top and bottom line.
    var bodyRows: Int
    /// The width of a grid thumbnail; a list thumbnail is half as wide.
    var tileColumns: Int
    var cellAspect: Double
    /// The height of a grid thumbnail by its width.
    var shape = 0.75
    /// Whether there are colours: without, pictures as small as in the list show nothing.
    var isColored = true

    /// Whether an item of the list is one line, without its picture.
    var isPlain: Bool { layout == .list && (tileColumns < 12 || !isColored) }

    /// The columns on the right of a list where the selected picture is shown; 0 where there is no room.
    var paneColumns: Int { layout == .list && columns >= 120 && isColored ? columns * 2 / 5 : 0 }

    /// The columns of the elements.
    var listColumns: Int { columns - paneColumns }

    /// The box of the picture beside the list, above seven rows of text; nil where there is none.
    var paneFrame: CellRect? {
        guard paneColumns > 0, bodyRows > 12 else { return nil }
        return CellRect(x: listColumns + 2, y: 1, columns: paneColumns - 3, rows: bodyRows - 8)
    }

    /// The shape for pictures of which two thirds agree, height by width: wide ones, covers and portraits; else what holds photographs.
    static func shape(for pictures: [Double]) -> Double {
        let sorted = pictures.sorted()
        let (low, high) = (sorted[sorted.count / 3], sorted[sorted.count * 2 / 3])
        return high < 0.6 ? 9 / 16 : low >= 1.15 ? 4 / 3 : low >= 0.9 ? 1 : 3 / 4
    }

    var thumbnailBox: CellSize { CellSize(columns: thumbnailColumns, rows: thumbnailRows) }

    private var thumbnailColumns: Int {
        switch layout {
        case .grid: max(1, min(tileColumns, columns - 2))
        // At least half of the row is left to the texts.
        case .list: max(1, min(tileColumns / 2, listColumns / 2))
        }
    }

    private var thumbnailRows: Int {
        let rows = layout.thumbnailRows(
            columns: thumbnailColumns, cellAspect: cellAspect, shape: shape)
        // A frame above and below, or a header.
        return max(1, min(rows, bodyRows - max(1, 2 * frameRows) - titleRows))
    }

    private var titleRows: Int { layout == .grid ? 1 : 0 }

    /// The rows above and below an element that the frame of the selected one takes; the list has no frames.
    var frameRows: Int { layout == .grid ? 1 : 0 }

    /// The rows of an element: a thumbnail over its title, or a list row, which has room for three lines of text.
    var elementRows: Int {
        switch layout {
        case .grid: thumbnailRows + titleRows
        case .list: isPlain ? 1 : max(thumbnailRows, min(3, bodyRows - 1), 1)
        }
    }

    /// The rows from one row of elements to the next: one row stays free between those with pictures.
    var pitch: Int { elementRows + (isPlain ? 0 : 1) }

    /// How many elements fit side by side, each with a free cell on either side for the frame of the selected one.
    var perRow: Int {
        switch layout {
        case .grid: max(1, columns / (thumbnailColumns + 2))
        case .list: isPlain ? 1 : max(1, listColumns / Self.leastItem)
        }
    }

    /// The columns that an item of the list needs for its picture and most of an address.
    private static let leastItem = 56

    /// The left edge and width of the element in that place of its row; what is left over of the width is spread evenly.
    func span(ofPlace place: Int) -> (x: Int, columns: Int) {
        guard layout == .grid else {
            let width = listColumns / perRow
            return (place * width, place == perRow - 1 ? listColumns - place * width : width - 1)
        }
        // One cell stays free between any two, before the rest is shared out.
        let spare = columns - perRow * (thumbnailColumns + 1) + 1
        let x = place * (thumbnailColumns + 1) + spare * (place + 1) / (perRow + 1)
        return (x, thumbnailColumns)
    }

    var rowsPerScreen: Int { max(1, bodyRows / pitch) }
}

/// The widths that larger and smaller step through, in cells: about an eighth to a quarter each, so that every step shows.
enum TileWidths {
    private static let steps = [
        8, 10, 12, 14, 16, 18, 20, 24, 28, 32, 36, 40, 48, 56, 64, 72, 80, 96, 108, 120,
    ]

    static func clamped(_ width: Int) -> Int { min(max(width, 8), 120) }

    /// The width `count` steps above (or, negative, below) `width`.
    static func width(_ count: Int, stepsFrom width: Int) -> Int {
        var width = width
        for _ in 0..<min(count.magnitude, UInt(steps.count)) {
            let next =
                count > 0
                ? steps.first { $0 > width } : steps.last { $0 < width }
            width = next ?? width
        }
        return width
    }
}
