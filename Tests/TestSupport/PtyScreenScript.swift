public import Raster

/// The screens of an imaginary program, deterministic for a seed: drawn by a probe and expected by a test.
///
/// A header, a body like a wall of photographs in half blocks with texts in between, and a footer; each step changes it like the real
/// program does: everything, a row, a scroll, a window on top, texts.
public struct ScreenScript {
    /// The cells of the current step.
    public private(set) var grid: CellGrid
    /// The scroll offset of the body, in rows.
    public private(set) var offset = 1000
    /// The number of steps taken.
    public private(set) var step = 0
    private let depth: ColorDepth
    private var random: RandomCells
    private var wall: [Int: [Cell]] = [:]
    private var popup = 0

    /// Returns the rows that scroll on a screen of `size`.
    public static func body(of size: CellSize) -> Range<Int> {
        size.rows > 4 ? 1..<size.rows - 1 : 0..<size.rows
    }

    /// Creates the first screen.
    public init(seed: UInt64, size: CellSize, depth: ColorDepth) {
        self.depth = depth
        random = RandomCells(seed: seed)
        grid = CellGrid(size: size)
        compose()
    }

    /// The areas of pictures in the current step.
    public var pictures: [CellRect] {
        let columns = grid.size.columns
        return Self.body(of: grid.size).filter { (offset + $0) % 9 != 0 }.flatMap { y in
            let isCovered = y >= 2 && y < popup
            let free =
                isCovered ? [0..<min(4, columns), min(24, columns)..<columns] : [0..<columns]
            return free.map {
                CellRect(x: $0.lowerBound, y: y, columns: $0.count, rows: 1)
            }
        }
    }

    /// Advances to the next screen, on a terminal that now has `size`.
    public mutating func advance(size: CellSize) {
        step += 1
        if size != grid.size {
            grid = CellGrid(size: size)
            wall = [:]
        }
        switch random.below(10) {
        case 0: wall = [:]
        case 1, 2: popup = random.below(3) * 6
        case 3: wall[offset + random.below(8)] = nil
        case 4: offset += random.below(60) - 30
        default: offset += random.below(7) - 3
        }
        compose()
    }

    /// Scrolls by one row and changes nothing else.
    public mutating func scrollOneRow() {
        step += 1
        offset += 1
        popup = 0
        compose()
    }

    /// Replaces all pictures.
    public mutating func repaint() {
        step += 1
        wall = [:]
        popup = 0
        compose()
    }

    private mutating func compose() {
        let body = Self.body(of: grid.size)
        for y in 0..<grid.size.rows {
            if body.contains(y) {
                set(row: y, to: wallRow(offset + y))
            } else {
                set(row: y, to: textRow("step \(step) row \(y) — 写真 gallery"))
            }
        }
        if popup > 0 {
            drawPopup()
        }
    }

    private mutating func wallRow(_ index: Int) -> [Cell] {
        if let row = wall[index], row.count == grid.size.columns {
            return row
        }
        let row =
            index % 9 == 0
            ? textRow("title \(index) of a picture, ñ, 画像, e")
            : random.photograph(columns: grid.size.columns, depth: depth)
        wall[index] = row
        return row
    }

    private func textRow(_ text: String) -> [Cell] {
        var cells: [Cell] = []
        for scalar in text.unicodeScalars {
            cells.append(
                Cell(
                    glyph: scalar.value,
                    background: depth == .mono ? .standard : CellColor(palette: 4),
                    style: step % 2 == 0 ? .bold : []))
            if CharacterWidth.of(scalar.value) == 2 {
                cells.append(
                    Cell(
                        glyph: 0, background: cells[cells.count - 1].background,
                        style: cells[cells.count - 1].style))
            }
        }
        cells = Array(cells.prefix(grid.size.columns))
        if let last = cells.last, CharacterWidth.of(last.glyph) == 2 {
            cells[cells.count - 1] = .blank
        }
        return cells + Array(repeating: .blank, count: grid.size.columns - cells.count)
    }

    private mutating func set(row y: Int, to cells: [Cell]) {
        for (x, cell) in cells.enumerated() {
            grid[x, y] = cell
        }
    }

    private mutating func drawPopup() {
        // Columns and widths are even, but a wide character may start at an odd column, so rows below are blanked first.
        for y in 2..<max(2, min(popup, grid.size.rows)) {
            for x in 0..<grid.size.columns
            where grid[x, y].glyph == 0 || CharacterWidth.of(grid[x, y].glyph) == 2 {
                grid[x, y].glyph = 0x2A
            }
            for x in 4..<max(4, min(24, grid.size.columns)) {
                grid[x, y] = Cell(glyph: 0x2591, style: .reverse)
            }
        }
    }
}

/// Random cells, deterministic for a seed.
public struct RandomCells {
    private var state: UInt64

    /// Creates a generator with a seed.
    public init(seed: UInt64) {
        state = seed
    }

    /// Returns the next number (SplitMix64).
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// Returns a number from 0 to `bound` - 1.
    public mutating func below(_ bound: Int) -> Int {
        Int(next() % UInt64(bound))
    }

    /// Returns a row of half blocks whose colours vary gradually, as in photographs.
    public mutating func photograph(columns: Int, depth: ColorDepth) -> [Cell] {
        var channels = (0..<6).map { _ in below(256) }
        return (0..<columns).map { _ in
            for index in channels.indices {
                channels[index] = max(0, min(255, channels[index] + below(61) - 30))
            }
            return Cell(
                glyph: below(12) == 0 ? 0x20 : 0x2580, foreground: color(channels[0..<3], depth),
                background: color(channels[3..<6], depth))
        }
    }

    private func color(_ channels: ArraySlice<Int>, _ depth: ColorDepth) -> CellColor {
        let parts = channels.map { UInt8($0) }
        switch depth {
        case .truecolor: return CellColor(RGB(red: parts[0], green: parts[1], blue: parts[2]))
        case .palette256: return CellColor(palette: parts[0])
        case .palette16: return CellColor(palette: parts[0] % 16)
        case .palette8: return CellColor(palette: parts[0] % 8)
        case .mono: return .standard
        }
    }
}
