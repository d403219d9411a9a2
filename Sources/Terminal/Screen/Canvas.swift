import Basics
public import Raster

/// A whole screen of cells, drawn by the views and shown by the screen.
public struct Canvas: Sendable {
    /// The extent, in cells.
    public let size: CellSize
    /// `size.rows` rows of `size.columns` cells; their glyphs may be places in `marked`.
    public internal(set) var cells: [Cell]
    /// Pictures whose pixels may be shown instead of their cells.
    private(set) var pictures: [PlacedPicture] = []
    private(set) var marked = MarkedCharacters()
    /// What stands for the rest of a text that is cut.
    var ellipsis = "…"
    /// Whether texts are to be written in ASCII.
    public var isASCII = false
    /// What drawing is confined to; the whole screen unless a view narrows it.
    public var clip: CellRect
    /// Where the rows in `scrollRows` stand in something longer; when it changes, the screen tries to scroll them.
    public var scrollOffset: Int?
    /// Where the terminal's cursor stands, for what reads the screen aloud and for typing; nil where it is hidden.
    var cursor: (x: Int, y: Int)?
    /// The rows that move with `scrollOffset`.
    public var scrollRows: Range<Int> = 0..<0

    /// Makes a blank canvas.
    public init(size: CellSize) {
        self.size = CellSize(columns: max(0, size.columns), rows: max(0, size.rows))
        cells = Array(repeating: .blank, count: self.size.columns * self.size.rows)
        clip = CellRect(x: 0, y: 0, columns: self.size.columns, rows: self.size.rows)
    }

    /// Makes a canvas that shows `grid`.
    public init(_ grid: CellGrid) {
        self.init(size: grid.size)
        cells = grid.cells
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
        if cell.glyph != 0, cells[index].glyph == 0, x > 0 { cells[index - 1].glyph = 0x20 }
        if x + 1 < size.columns, cells[index + 1].glyph == 0, cells[index].glyph != 0 {
            cells[index + 1].glyph = 0x20
        }
        cells[index] = cell
    }

    /// Fills the part of `rectangle` inside `clip` with `cell`.
    public mutating func fill(_ rectangle: CellRect, with cell: Cell) {
        let visible = rectangle.intersection(clip)
        for y in visible.y..<visible.bottom {
            for x in visible.x..<visible.right { put(cell, x: x, y: y) }
        }
    }

    /// Copies `grid` with its left top cell to (`x`, `y`), clipped.
    public mutating func draw(_ grid: CellGrid, x: Int, y: Int) {
        let visible = CellRect(x: x, y: y, columns: grid.size.columns, rows: grid.size.rows)
            .intersection(clip)
        for row in visible.y..<visible.bottom {
            for column in visible.x..<visible.right {
                put(grid[column - x, row - y], x: column, y: row)
            }
        }
    }

    /// Copies `grid` into the middle of `box`, clipped; what it leaves free there becomes `ground`, unless that is nil.
    public mutating func draw(_ grid: CellGrid, centeredIn box: CellRect, on ground: CellColor?) {
        if let ground { fill(box, with: Cell(glyph: 0x20, background: ground)) }
        let before = clip
        clip = before.intersection(box)
        draw(
            grid, x: box.x + (box.size.columns - grid.size.columns) / 2,
            y: box.y + (box.size.rows - grid.size.rows) / 2)
        clip = before
    }

    /// Tells that the cells of `rectangle` are a picture's, clipped; whatever is put over them later is not.
    ///
    /// Changes nothing that can be seen: such cells are written by a `CellWriter` where the terminal allows it.
    public mutating func markPicture(_ rectangle: CellRect) {
        let visible = rectangle.intersection(clip)
        for y in visible.y..<visible.bottom {
            for x in visible.x..<visible.right where x < size.columns && y < size.rows {
                cells[y * size.columns + x].style.insert(.picture)
            }
        }
    }

    /// Tells that the cells in the middle of `box` may show the pixels of `picture`, clipped; whatever is put over them
    /// later may not.
    public mutating func place(_ picture: CodedPicture, centeredIn box: CellRect) {
        let frame = CellRect(
            x: box.x + (box.size.columns - picture.cells.columns) / 2,
            y: box.y + (box.size.rows - picture.cells.rows) / 2,
            columns: picture.cells.columns, rows: picture.cells.rows)
        let screen = CellRect(x: 0, y: 0, columns: size.columns, rows: size.rows)
        let visible = frame.intersection(box).intersection(clip).intersection(screen)
        pictures.append(PlacedPicture(picture: picture, frame: frame, visible: visible))
    }

    /// Draws `text` from (`x`, `y`) in at most `width` cells, in the terminal's own colours.
    public mutating func draw(_ text: String, x: Int, y: Int, width: Int, style: CellStyle = []) {
        draw(text, x: x, y: y, width: width, ink: Ink(style: style))
    }

    /// Draws `text` from (`x`, `y`) in at most `width` cells; returns the cells it took.
    @discardableResult
    mutating func draw(
        _ text: String, x: Int, y: Int, width: Int, ink: Ink, cut: TruncationMode = .tail
    ) -> Int {
        guard width > 0 else { return 0 }
        var column = x
        // Titles come from the network: no text on a screen is longer than its widest row.
        var short = String(text.unicodeScalars.prefix(8 * max(width, 256)))
        if isASCII { short = short.ascii }
        for cell in short.truncated(to: width, mode: cut, ellipsis: ellipsis).cells {
            guard column + cell.columns <= x + width else { break }
            put(cell, x: column, y: y, ink: ink)
            column += cell.columns
        }
        return column - x
    }

    /// Draws `text` so that it ends before the column `right`; returns the column it begins in.
    @discardableResult
    mutating func draw(_ text: String, endingAt right: Int, y: Int, width: Int, ink: Ink) -> Int {
        let cut = text.truncated(to: width, ellipsis: ellipsis)
        let x = right - cut.columns
        draw(cut, x: x, y: y, width: cut.columns, ink: ink)
        return x
    }

    /// Puts a part of a text with its marks; a wide character is drawn whole or not at all.
    private mutating func put(_ text: TextCell, x: Int, y: Int, ink: Ink) {
        var cell = ink.cell(text.base)
        if !text.marks.isEmpty { cell.glyph = marked.glyph(of: text) }
        guard text.columns == 2 else { return put(cell, x: x, y: y) }
        let hasRoom =
            clip.contains(x: x, y: y) && clip.contains(x: x + 1, y: y) && x + 1 < size.columns
        put(ink.cell(" "), x: x + 1, y: y)
        put(hasRoom ? cell : ink.cell(" "), x: x, y: y)
        if hasRoom { put(ink.cell("\0"), x: x + 1, y: y) }
    }

    /// The text in the cells of row `y`.
    public func text(row y: Int) -> String {
        var text = String.UnicodeScalarView()
        for x in 0..<size.columns {
            text.append(contentsOf: self[x, y].map { marked.scalars(of: $0.glyph) } ?? [])
        }
        return String(text)
    }

    /// Uses the numbers of `known` for characters with marks, so that cells can be compared with another canvas that does;
    /// adds to it what it lacks.
    mutating func renumberMarked(by known: inout MarkedCharacters) {
        guard !marked.isEmpty else { return }
        for index in cells.indices where cells[index].glyph > MarkedCharacters.lastScalar {
            guard let text = marked.text(of: cells[index].glyph) else { continue }
            cells[index].glyph = known.glyph(of: text)
        }
        marked = known
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

/// Characters with marks on them, numbered for use as the glyphs of cells: behind the last Unicode scalar.
struct MarkedCharacters: Sendable {
    private var texts: [TextCell] = []
    private var glyphs: [TextCell: UInt32] = [:]

    /// Greater glyphs are numbers of characters with marks.
    static let lastScalar: UInt32 = 0x10FFFF

    var isEmpty: Bool { texts.isEmpty }
    var count: Int { texts.count }

    /// The glyph for `text`, a new one if there is none yet.
    mutating func glyph(of text: TextCell) -> UInt32 {
        if let glyph = glyphs[text] { return glyph }
        texts.append(text)
        let glyph = Self.lastScalar + UInt32(texts.count)
        glyphs[text] = glyph
        return glyph
    }

    func text(of glyph: UInt32) -> TextCell? {
        let index = Int(glyph) - Int(Self.lastScalar) - 1
        return texts.indices.contains(index) ? texts[index] : nil
    }

    /// What to write for `glyph`; nothing for the right half of a wide character.
    func scalars(of glyph: UInt32) -> [Unicode.Scalar] {
        if let text = text(of: glyph) { return [text.base] + text.marks }
        return glyph == 0 ? [] : [Unicode.Scalar(glyph) ?? "\u{FFFD}"]
    }
}

extension CellRect {
    /// The column behind the last one.
    var right: Int { x + size.columns }
    /// The row below the last one.
    var bottom: Int { y + size.rows }

    /// As wide as this one, but of the row `y` alone.
    func row(_ y: Int) -> CellRect { CellRect(x: x, y: y, columns: size.columns, rows: 1) }

    /// The part of the rectangle that lies in `other`; empty if none does.
    func intersection(_ other: CellRect) -> CellRect {
        let left = max(x, other.x)
        let top = max(y, other.y)
        return CellRect(
            x: left, y: top, columns: max(0, min(right, other.right) - left),
            rows: max(0, min(bottom, other.bottom) - top))
    }
}

extension CellStyle {
    /// The cell belongs to a picture: the screen may write it beside ncurses.
    static let picture = CellStyle(rawValue: 0x80)
}

extension Cell {
    /// Whether it can be written beside ncurses: marked, and one column wide for certain.
    @inline(__always) var isPicture: Bool {
        guard style.contains(.picture) else { return false }
        if style.contains(.pixels) { return true }
        // Blocks first, whatever the C library knows of them: asking it takes longer than writing them.
        return (0x20..<0x7F).contains(glyph) || (0x2580..<0x25A0).contains(glyph)
            || (0x1FB00..<0x1FC00).contains(glyph) || (0x1CC00..<0x1CEB0).contains(glyph)
            || Unicode.Scalar(glyph)?.libraryColumns == 1
    }
}
