public import Raster

/// Random screens that combine everything difficult, deterministic for a seed: pictures of any width next to texts with wide characters,
/// cells that change from one to the other, scrolling rows.
public struct MixedScreens {
    /// The cells of the current step.
    public private(set) var grid: CellGrid
    /// Whether each cell is drawn as part of a picture.
    public private(set) var isPicture: [Bool]
    /// The position of the scrolling rows.
    public private(set) var offset = 500
    /// The rows that scroll.
    public private(set) var scrollRows: Range<Int>
    /// The number of steps taken.
    public private(set) var step = 0
    private let depth: ColorDepth
    private var random: RandomCells

    /// Creates the first screen.
    public init(seed: UInt64, size: CellSize, depth: ColorDepth) {
        self.depth = depth
        random = RandomCells(seed: seed)
        grid = CellGrid(size: size)
        isPicture = Array(repeating: false, count: size.columns * size.rows)
        scrollRows = 1..<max(2, size.rows - 1)
        for _ in 0..<8 { change() }
        mend()
    }

    /// Advances to the next screen, on a terminal that now has `size`.
    public mutating func advance(size: CellSize) {
        step += 1
        if size != grid.size {
            grid = CellGrid(size: size)
            isPicture = Array(repeating: false, count: size.columns * size.rows)
            scrollRows = 1..<max(2, size.rows - 1)
        }
        if random.below(4) == 0 {
            scroll(by: random.below(7) - 3)
        }
        for _ in 0..<1 + random.below(5) { change() }
        mend()
    }

    private mutating func change() {
        let (x, y) = (random.below(grid.size.columns), random.below(grid.size.rows))
        switch random.below(10) {
        case 0...2:
            picture(
                x: x, y: y, columns: 1 + random.below(30), rows: 1 + random.below(8))
        // Slivers, which are rewritten instead of skipped with a cursor movement.
        case 3: picture(x: x, y: y, columns: 1 + random.below(4), rows: 1)
        case 4...6: text(x: x, y: y)
        case 7: shift(row: y, from: x, by: 1 + random.below(3))
        case 8: panel(x: x, y: y, columns: 2 + random.below(20), rows: 2 + random.below(6))
        default: fill(x: x, y: y, columns: 1 + random.below(40), rows: 1, with: .blank)
        }
    }

    private mutating func picture(x: Int, y: Int, columns: Int, rows: Int) {
        let glyphs: [UInt32] = [0x2580, 0x2580, 0x2584, 0x258C, 0x2588, 0x20, 0x2820, 0x23]
        for row in y..<min(grid.size.rows, y + rows) {
            let cells = random.photograph(columns: columns, depth: depth)
            for (column, cell) in cells.enumerated() where x + column < grid.size.columns {
                var cell = cell
                cell.glyph = glyphs[random.below(glyphs.count)]
                set(cell, x: x + column, y: row, isPicture: true)
            }
        }
    }

    private mutating func text(x: Int, y: Int) {
        let scalars = Array("a 写真 b—é 画像, of cats".unicodeScalars)
        // The styles that all terminals combine with colours.
        let style = [CellStyle(), .bold, .reverse, [.bold, .reverse]][random.below(4)]
        var column = x
        for _ in 0..<1 + random.below(20) {
            let cell = Cell(
                glyph: scalars[random.below(scalars.count)].value,
                foreground: depth == .mono ? .standard : CellColor(palette: 2),
                background: random.below(3) == 0 || depth == .mono
                    ? .standard : CellColor(palette: 5), style: style)
            let width = CharacterWidth.of(cell.glyph)
            guard column + width <= grid.size.columns else { return }
            set(cell, x: column, y: y, isPicture: false)
            if width == 2 {
                var half = cell
                half.glyph = 0
                set(half, x: column + 1, y: y, isPicture: false)
            }
            column += width
        }
    }

    /// Draws a window over existing content, which may cut texts on both sides.
    private mutating func panel(x: Int, y: Int, columns: Int, rows: Int) {
        fill(x: x, y: y, columns: columns, rows: rows, with: Cell(glyph: 0x2502, style: .reverse))
    }

    /// Inserts or deletes characters in a row, as an optimizer might shift them.
    private mutating func shift(row y: Int, from start: Int, by distance: Int) {
        let width = grid.size.columns
        let isRight = random.below(2) == 0
        let before = (grid, isPicture)
        for x in start..<width {
            let source = isRight ? x - distance : x + distance
            let isKept = source >= start && source < width
            let letter = Cell(glyph: 0x61 + UInt32(x % 26))
            grid[x, y] = isKept ? before.0[source, y] : letter
            isPicture[y * width + x] = isKept && before.1[y * width + source]
        }
    }

    private mutating func fill(x: Int, y: Int, columns: Int, rows: Int, with cell: Cell) {
        for row in y..<min(grid.size.rows, y + rows) {
            for column in x..<min(grid.size.columns, x + columns) {
                set(cell, x: column, y: row, isPicture: false)
            }
        }
    }

    private mutating func scroll(by distance: Int) {
        offset += distance
        let before = (grid, isPicture)
        let width = grid.size.columns
        for y in scrollRows {
            for x in 0..<width {
                let isKept = scrollRows.contains(y + distance)
                grid[x, y] = isKept ? before.0[x, y + distance] : .blank
                isPicture[y * width + x] = isKept && before.1[(y + distance) * width + x]
            }
        }
    }

    private mutating func set(_ cell: Cell, x: Int, y: Int, isPicture: Bool) {
        grid[x, y] = cell
        self.isPicture[y * grid.size.columns + x] = isPicture
    }

    /// Replaces halves of wide characters, which cannot be drawn, with blanks.
    private mutating func mend() {
        let width = grid.size.columns
        for index in grid.cells.indices {
            let isLast = index % width == width - 1
            let glyph = grid.cells[index].glyph
            let isWhole: Bool
            if glyph == 0 {
                isWhole =
                    index % width > 0 && CharacterWidth.of(grid.cells[index - 1].glyph) == 2
            } else if CharacterWidth.of(glyph) == 2 {
                isWhole = !isLast && grid.cells[index + 1].glyph == 0
                // The right half has the same attributes.
                if isWhole {
                    grid.cells[index + 1] = grid.cells[index]
                    grid.cells[index + 1].glyph = 0
                }
            } else {
                isWhole = true
            }
            if !isWhole {
                grid.cells[index] = .blank
                isPicture[index] = false
            }
        }
    }
}
