import Raster

/// List, grid or rows; the raw value is the option's value on the command line.
public enum Layout: String, CaseIterable, Sendable {
    case list
    /// Tiles of one size.
    case grid
    /// Rows of pictures that keep their shape (`JustifiedRows`).
    case rows

    /// Returns the height of a thumbnail of `columns` cells, in rows of cells, at least 1.
    ///
    /// In a grid it follows `shape`, height by width: the default 3/4 holds 4:3 without margins and 3:2 with small ones. Lists are
    /// denser and use 2/3, as do rows, for photographs' most frequent shape.
    public func thumbnailRows(columns: Int, cellAspect: Double, shape: Double = 0.75) -> Int {
        let shape = self == .grid ? shape : 0.67
        return max(1, Int((Double(columns) / cellAspect * shape).rounded()))
    }
}

/// The sizes used to lay out a gallery, in cells.
struct GalleryMetrics: Equatable {
    var layout: Layout
    var columns: Int
    /// The rows between the top and bottom lines.
    var bodyRows: Int
    /// The least width of a grid thumbnail; list thumbnails are half as wide, and rows as high as such a photograph.
    var tileColumns: Int
    var cellAspect: Double
    /// The height-to-width ratio of grid thumbnails.
    var shape = 0.75
    /// Whether there are colours; without them, pictures as small as in the list are unrecognizable.
    var isColored = true

    /// Whether list items are single lines without pictures.
    var isPlain: Bool { layout == .list && (tileColumns < 12 || !isColored) }

    /// The columns to the right of a list for a preview of the selected picture; 0 if there is no room.
    var paneColumns: Int { layout == .list && columns >= 120 && isColored ? columns * 2 / 5 : 0 }

    /// The columns left for the elements.
    var listColumns: Int { columns - paneColumns }

    /// The box of the preview, above seven rows of text; nil without preview.
    var paneFrame: CellRect? {
        guard paneColumns > 0, bodyRows > 12 else { return nil }
        return CellRect(x: listColumns + 2, y: 1, columns: paneColumns - 3, rows: bodyRows - 8)
    }

    /// Returns the height-to-width ratio on which two thirds of the pictures agree (wide, square or tall), else one for photographs.
    static func shape(for pictures: [Double]) -> Double {
        let sorted = pictures.sorted()
        let low = sorted[sorted.count / 3]
        let high = sorted[sorted.count * 2 / 3]
        return high < 0.6 ? 9 / 16 : low >= 1.15 ? 4 / 3 : low >= 0.9 ? 1 : 3 / 4
    }

    var thumbnailBox: CellSize { CellSize(columns: thumbnailColumns, rows: thumbnailRows) }

    private var thumbnailColumns: Int {
        switch layout {
        case .grid: max(1, columns / perRow - JustifiedRows.gap)
        case .rows: max(1, min(tileColumns, columns - JustifiedRows.gap))
        // At least half of the row is reserved for text.
        case .list: max(1, min(tileColumns / 2, listColumns / 2))
        }
    }

    private var thumbnailRows: Int {
        let rows = layout.thumbnailRows(
            columns: thumbnailColumns, cellAspect: cellAspect, shape: shape)
        // Rows for a header or note, the title, and the selection border above and below.
        let most = max(1, min(rows, bodyRows - (layout == .list ? 1 : 4)))
        return layout == .grid ? filling(most) : most
    }

    /// Returns the height with which rows of tiles fill the body, the nearest of two: at most a fifth above `rows`, and at most a fifth
    /// below what follows from `tileColumns`, where spare columns have raised that to `rows`; `rows` if there is none.
    private func filling(_ rows: Int) -> Int {
        let least = layout.thumbnailRows(
            columns: min(tileColumns, thumbnailColumns), cellAspect: cellAspect, shape: shape)
        // Each has a title and an empty row below, as is above the first.
        let room = max(rows + 2, bodyRows - 1)
        let lines = room / (rows + 2)
        let heights = [room / lines - 2, room / (lines + 1) - 2].filter {
            $0 * 5 >= least * 4 && $0 * 5 <= rows * 6 && $0 <= max(rows, bodyRows - 4)
        }
        return heights.min { abs($0 - rows) < abs($1 - rows) } ?? rows
    }

    /// The box for which pixels are kept, so that a screen of another width, whose tiles have another, shows its pictures at once.
    var keptBox: CellSize? {
        // With three tiles or more beside each other, none is wider.
        let columns = layout == .rows ? tileColumns : max(thumbnailColumns, tileColumns * 4 / 3)
        let rows = layout.thumbnailRows(columns: columns, cellAspect: cellAspect, shape: shape)
        return switch layout {
        case .list: nil
        // A fifth more may fill the screen.
        case .grid: CellSize(columns: columns, rows: rows * 6 / 5)
        case .rows:
            CellSize(
                columns: Int((Double(rows) * cellAspect * JustifiedRows.widest).rounded(.up)),
                rows: rows)
        }
    }

    /// The rows above and below an element reserved for the selection border; the list has none.
    var frameRows: Int { layout == .list ? 0 : 1 }

    /// The most rows of an element: a thumbnail with its title, or a list row with room for three lines of text.
    var elementRows: Int {
        switch layout {
        case .grid, .rows: thumbnailRows + 1
        case .list: isPlain ? 1 : max(thumbnailRows, min(3, bodyRows - 1), 1)
        }
    }

    /// The distance between rows of elements; those with pictures are separated by an empty row.
    var pitch: Int { elementRows + (isPlain ? 0 : 1) }

    /// The number of elements side by side, each with an empty cell on both sides for the selection border; in rows as many as fit.
    var perRow: Int {
        switch layout {
        case .grid, .rows: max(1, columns / (tileColumns + JustifiedRows.gap))
        // Wide enough for a picture and most of an address.
        case .list: isPlain ? 1 : max(1, listColumns / 56)
        }
    }

    /// Returns the left edge and width of the element in this column; spare width is distributed evenly.
    func span(ofPlace place: Int) -> (x: Int, columns: Int) {
        guard layout == .grid else {
            let width = listColumns / perRow
            return (place * width, place == perRow - 1 ? listColumns - place * width : width - 1)
        }
        let width = thumbnailColumns + JustifiedRows.gap
        let spare = columns - perRow * width
        return (
            place * width + JustifiedRows.gap / 2 + spare * (place + 1) / (perRow + 1),
            thumbnailColumns
        )
    }

    var rowsPerScreen: Int { max(1, bodyRows / pitch) }
}

/// The tile widths for zooming, in cells; steps of about an eighth to a quarter, so that each one is noticeable.
enum TileWidths {
    private static let steps = [
        8, 10, 12, 14, 16, 18, 20, 24, 28, 32, 36, 40, 48, 56, 64, 72, 80, 96, 108, 120,
    ]

    static var count: Int { steps.count }

    static func clamped(_ width: Int) -> Int { min(max(width, 8), 120) }

    /// Returns the width one step above `width`, or below; the same if it is the last one.
    static func next(to width: Int, isLarger: Bool) -> Int {
        (isLarger ? steps.first { $0 > width } : steps.last { $0 < width }) ?? width
    }
}
