/// A size in pixels.
public struct PixelSize: Hashable, Sendable, BitwiseCopyable {
    /// The width, in pixels.
    public var width: Int
    /// The height, in pixels.
    public var height: Int

    /// Creates a size of `width` × `height` pixels.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The number of pixels.
    public var count: Int { width * height }

    /// Returns the size, limited to `most` in both directions.
    public func limited(to most: PixelSize) -> PixelSize {
        PixelSize(width: min(width, most.width), height: min(height, most.height))
    }

    /// Returns the size with both sides changed by `change`, at least one pixel each.
    public func scaled(_ change: (Double) -> Double) -> PixelSize {
        PixelSize(
            width: max(1, Int(change(Double(width)))), height: max(1, Int(change(Double(height)))))
    }
}

/// A size in terminal cells.
public struct CellSize: Hashable, Sendable, BitwiseCopyable {
    /// The width, in cells.
    public var columns: Int
    /// The height, in cells.
    public var rows: Int

    /// Creates a size of `columns` × `rows` cells.
    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// The number of cells.
    public var count: Int { columns * rows }

    /// Returns the size in pixels, of which each cell has `cell`.
    public func pixels(each cell: PixelSize) -> PixelSize {
        PixelSize(width: columns * cell.width, height: rows * cell.height)
    }
}

/// A rectangle of terminal cells; it may extend beyond the screen, so its origin may be negative.
public struct CellRect: Hashable, Sendable {
    /// The column of the left edge, in cells.
    public var x: Int
    /// The row of the top edge, in cells.
    public var y: Int
    /// The extent, in cells.
    public var size: CellSize

    /// Creates a rectangle whose top left cell is (`x`, `y`).
    public init(x: Int, y: Int, columns: Int, rows: Int) {
        self.x = x
        self.y = y
        size = CellSize(columns: columns, rows: rows)
    }

    /// Creates a rectangle at the origin.
    public init(_ size: CellSize) { self.init(x: 0, y: 0, columns: size.columns, rows: size.rows) }

    /// Creates a rectangle in the middle of `box`, which it may exceed.
    public init(_ size: CellSize, centeredIn box: CellRect) {
        self.init(
            x: box.x + (box.columns - size.columns) / 2, y: box.y + (box.rows - size.rows) / 2,
            columns: size.columns, rows: size.rows)
    }

    /// The width, in cells.
    public var columns: Int { size.columns }
    /// The height, in cells.
    public var rows: Int { size.rows }
    /// The column after the last one.
    public var right: Int { x + columns }
    /// The row after the last one.
    public var bottom: Int { y + rows }

    /// Whether the cell at (`x`, `y`) lies inside.
    public func contains(x column: Int, y row: Int) -> Bool {
        column >= x && column < right && row >= y && row < bottom
    }

    /// Splits the rectangle into pieces no larger than `most`.
    func pieces(atMost most: CellSize) -> [CellRect] {
        stride(from: y, to: bottom, by: most.rows).flatMap { top in
            stride(from: x, to: right, by: most.columns).map { left in
                CellRect(
                    x: left, y: top, columns: min(most.columns, right - left),
                    rows: min(most.rows, bottom - top))
            }
        }
    }
}

/// A part of a picture as fractions of its width and height, 0…1 from the top left corner.
public struct UnitRect: Hashable, Sendable {
    /// The left edge, as a fraction of the width.
    public var x: Double
    /// The top edge, as a fraction of the height.
    public var y: Double
    /// The width, as a fraction of the whole width.
    public var width: Double
    /// The height, as a fraction of the whole height.
    public var height: Double

    /// Creates a part whose top left corner is (`x`, `y`).
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The whole picture.
    public static let whole = UnitRect(x: 0, y: 0, width: 1, height: 1)

    /// Returns what `part` is of this part, in fractions of the whole.
    public func part(_ part: UnitRect) -> UnitRect {
        UnitRect(
            x: x + part.x * width, y: y + part.y * height, width: part.width * width,
            height: part.height * height)
    }
}
