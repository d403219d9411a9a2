public import Raster

/// A whole screen of cells, drawn by the views and shown by the screen.
public struct Canvas: Sendable {
    /// The extent, in cells.
    public let size: CellSize
    /// `size.rows` rows of `size.columns` cells.
    public private(set) var cells: [Cell]
    /// What drawing is confined to; the whole screen unless a view narrows it.
    public var clip: CellRect
    /// Where the rows in `scrollRows` stand in something longer; when it changes, the screen tries to scroll them.
    public var scrollOffset: Int?
    /// The rows that move with `scrollOffset`.
    public var scrollRows: Range<Int> = 0..<0

    /// Makes a canvas in which every cell is `cell`.
    public init(size: CellSize, filledWith cell: Cell = .blank) {
        self.size = CellSize(columns: max(0, size.columns), rows: max(0, size.rows))
        cells = Array(repeating: cell, count: self.size.columns * self.size.rows)
        clip = CellRect(x: 0, y: 0, columns: self.size.columns, rows: self.size.rows)
    }

    /// The cell at column `x` and row `y`, nil outside the screen.
    public subscript(x: Int, y: Int) -> Cell? {
        guard x >= 0, y >= 0, x < size.columns, y < size.rows else { return nil }
        return cells[y * size.columns + x]
    }

    /// Puts one cell; nothing happens outside `clip` and the screen.
    ///
    /// What is left of a wide character that is partly covered becomes a blank.
    public mutating func put(_ cell: Cell, x: Int, y: Int) {
        guard clip.contains(x: x, y: y), x >= 0, y >= 0, x < size.columns, y < size.rows else {
            return
        }
        let index = y * size.columns + x
        if cell.glyph != 0, cells[index].glyph == 0, x > 0 {
            cells[index - 1].glyph = 0x20
        }
        if x + 1 < size.columns, cells[index + 1].glyph == 0, cells[index].glyph != 0 {
            cells[index + 1].glyph = 0x20
        }
        cells[index] = cell
    }

    /// Fills the part of `rectangle` inside `clip` with `cell`.
    public mutating func fill(_ rectangle: CellRect, with cell: Cell) {
        let visible = rectangle.intersection(clip)
        for y in visible.y..<visible.y + visible.size.rows {
            for x in visible.x..<visible.x + visible.size.columns {
                put(cell, x: x, y: y)
            }
        }
    }

    /// Copies `grid` with its left top cell to (`x`, `y`), clipped.
    public mutating func draw(_ grid: CellGrid, x: Int, y: Int) {
        let visible = CellRect(x: x, y: y, columns: grid.size.columns, rows: grid.size.rows)
            .intersection(clip)
        for row in visible.y..<visible.y + visible.size.rows {
            for column in visible.x..<visible.x + visible.size.columns {
                put(grid[column - x, row - y], x: column, y: row)
            }
        }
    }

    /// Changes the cells of `rectangle` where they are, clipped.
    public mutating func update(_ rectangle: CellRect, _ change: (inout Cell) -> Void) {
        let visible = rectangle.intersection(clip)
        for y in visible.y..<visible.y + visible.size.rows {
            for x in visible.x..<visible.x + visible.size.columns
            where x < size.columns && y < size.rows {
                change(&cells[y * size.columns + x])
            }
        }
    }

    /// Moves `rows` up by `distance` rows (down if negative); the rows set free become blank.
    mutating func scroll(_ rows: Range<Int>, by distance: Int) {
        let width = size.columns
        let before = Array(cells[rows.lowerBound * width..<rows.upperBound * width])
        for y in rows {
            let source = y + distance - rows.lowerBound
            for x in 0..<width {
                cells[y * width + x] =
                    rows.contains(y + distance) ? before[source * width + x] : .blank
            }
        }
    }
}

extension CellRect {
    /// The part of the rectangle that lies in `other`; empty if none does.
    func intersection(_ other: CellRect) -> CellRect {
        let left = max(x, other.x)
        let top = max(y, other.y)
        let right = min(x + size.columns, other.x + other.size.columns)
        let bottom = min(y + size.rows, other.y + other.size.rows)
        return CellRect(x: left, y: top, columns: max(0, right - left), rows: max(0, bottom - top))
    }
}
