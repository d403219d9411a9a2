import Basics
public import Raster

/// The cells of a whole screen, drawn by the views and shown by the screen.
public struct Canvas: Sendable {
    /// The size in cells.
    public let size: CellSize
    /// `size.rows` rows of `size.columns` cells; their glyphs may refer to `marked`.
    var cells: [Cell]
    /// Pictures whose pixels may be shown instead of their cells.
    private(set) var pictures: [PlacedPicture] = []
    private(set) var marked = MarkedCharacters()
    /// The replacement for the rest of truncated text.
    var ellipsis = "…"
    /// Whether texts are written in ASCII.
    public var isASCII = false
    /// The part of the screen to which drawing is confined; all of it unless a view narrows it.
    var clip: CellRect { didSet { clip = clip.intersection(CellRect(size)) } }
    /// The position of `scrollRows` in a longer content; when it changes, the screen tries to scroll.
    public var scrollOffset: Int?
    /// The position of the terminal's cursor, for screen readers and typing; nil if it is hidden.
    var cursor: (x: Int, y: Int)?
    /// The rows that move with `scrollOffset`.
    public var scrollRows: Range<Int> = 0..<0

    /// Creates a blank canvas.
    public init(size: CellSize) {
        self.size = CellSize(columns: max(0, size.columns), rows: max(0, size.rows))
        cells = Array(repeating: .blank, count: self.size.count)
        clip = CellRect(self.size)
    }

    /// Creates a canvas that shows `grid`.
    public init(_ grid: CellGrid) {
        self.init(size: grid.size)
        cells = grid.cells
    }

    /// Writes one cell; does nothing outside `clip`.
    ///
    /// The remaining half of a partly covered wide character becomes a blank.
    mutating func put(_ cell: Cell, x: Int, y: Int) {
        guard clip.contains(x: x, y: y) else { return }
        let index = y * size.columns + x
        if cell.glyph != 0, cells[index].glyph == 0, x > 0 { cells[index - 1].glyph = 0x20 }
        if x + 1 < size.columns, cells[index + 1].glyph == 0, cells[index].glyph != 0 {
            cells[index + 1].glyph = 0x20
        }
        cells[index] = cell
    }

    /// Fills the part of `rectangle` inside `clip` with `cell`.
    mutating func fill(_ rectangle: CellRect, with cell: Cell) {
        rectangle.intersection(clip).forEach { x, y in put(cell, x: x, y: y) }
    }

    /// Fills the part of `rectangle` inside `clip` with blanks of `ink`.
    mutating func fill(_ rectangle: CellRect, with ink: Ink) {
        fill(rectangle, with: ink.cell(" "))
    }

    /// Copies `grid` into the middle of `box`, clipped; margins are filled with `ground`, unless that is nil.
    public mutating func draw(_ grid: CellGrid, centeredIn box: CellRect, on ground: CellColor?) {
        if let ground { fill(box, with: Ink(background: ground)) }
        let frame = CellRect(grid.size, centeredIn: box)
        frame.intersection(box).intersection(clip).forEach { x, y in
            put(grid[x - frame.x, y - frame.y], x: x, y: y)
        }
    }

    /// Marks the cells of `rectangle`, clipped, as a picture's; cells written over them later are unmarked.
    ///
    /// Invisible; a `CellWriter` writes such cells if the terminal allows it.
    public mutating func markPicture(_ rectangle: CellRect) {
        rectangle.intersection(clip).forEach { x, y in
            cells[y * size.columns + x].style.insert(.picture)
        }
    }

    /// Lets the cells in the middle of `box`, clipped, show the pixels of `picture`; cells written over them later
    /// do not.
    public mutating func place(_ picture: CodedPicture, centeredIn box: CellRect) {
        let frame = CellRect(picture.cells, centeredIn: box)
        pictures.append(
            PlacedPicture(
                picture: picture, frame: frame, visible: frame.intersection(box).intersection(clip))
        )
    }

    /// Draws `text` at (`x`, `y`) in at most `width` cells, in the terminal's default colours.
    public mutating func draw(_ text: String, x: Int, y: Int, width: Int, style: CellStyle = []) {
        draw(text, x: x, y: y, width: width, ink: Ink(style: style))
    }

    /// Draws `text` at (`x`, `y`) in at most `width` cells; returns the number of cells used.
    @discardableResult
    mutating func draw(
        _ text: String, x: Int, y: Int, width: Int, ink: Ink, cut: TruncationMode = .tail
    ) -> Int {
        guard width > 0 else { return 0 }
        var column = x
        // Titles come from the network: no text needs more than the widest row.
        var short = String(text.unicodeScalars.prefix(8 * max(width, 256)))
        if isASCII { short = short.ascii }
        for cell in short.truncated(to: width, mode: cut, ellipsis: ellipsis).cells {
            guard column + cell.columns <= x + width else { break }
            put(cell, x: column, y: y, ink: ink)
            column += cell.columns
        }
        return column - x
    }

    /// Draws `text` in the first row of `area`; returns the number of cells used.
    @discardableResult
    mutating func draw(
        _ text: String, in area: CellRect, ink: Ink, cut: TruncationMode = .tail
    ) -> Int {
        draw(text, x: area.x, y: area.y, width: area.columns, ink: ink, cut: cut)
    }

    /// Draws `text` so that it ends before column `right`; returns its first column.
    @discardableResult
    mutating func draw(_ text: String, endingAt right: Int, y: Int, width: Int, ink: Ink) -> Int {
        // In ASCII some characters become several.
        let cut = (isASCII ? text.ascii : text).truncated(to: width, ellipsis: ellipsis)
        let x = right - cut.columns
        draw(cut, x: x, y: y, width: cut.columns, ink: ink)
        return x
    }

    /// Writes a character with its combining marks; a wide character is drawn whole or not at all.
    private mutating func put(_ text: TextCell, x: Int, y: Int, ink: Ink) {
        var cell = ink.cell(text.base)
        if !text.marks.isEmpty { cell.glyph = marked.glyph(of: text) }
        guard text.columns == 2 else { return put(cell, x: x, y: y) }
        let hasRoom = clip.contains(x: x, y: y) && clip.contains(x: x + 1, y: y)
        put(ink.cell(" "), x: x + 1, y: y)
        put(hasRoom ? cell : ink.cell(" "), x: x, y: y)
        if hasRoom { put(ink.cell("\0"), x: x + 1, y: y) }
    }

    /// Renumbers characters with marks as in `known`, so that cells can be compared between canvases; adds missing ones
    /// to `known`.
    mutating func renumberMarked(by known: inout MarkedCharacters) {
        guard marked.count > 0 else { return }
        for index in cells.indices where cells[index].glyph > MarkedCharacters.lastScalar {
            guard let text = marked.text(of: cells[index].glyph) else { continue }
            cells[index].glyph = known.glyph(of: text)
        }
        marked = known
    }

    /// Moves `rows` up by `distance` rows (down if negative); vacated rows become blank.
    mutating func scroll(_ rows: Range<Int>, by distance: Int) {
        let width = size.columns
        let before = cells
        for y in rows {
            let source = y + distance
            for x in 0..<width {
                cells[y * width + x] = rows.contains(source) ? before[source * width + x] : .blank
            }
        }
    }
}

/// Characters with combining marks, represented in cells by glyph numbers after the last Unicode scalar.
struct MarkedCharacters {
    private var texts: [TextCell] = []
    private var glyphs: [TextCell: UInt32] = [:]

    /// Greater glyphs are the numbers of characters with marks.
    static let lastScalar: UInt32 = 0x10FFFF

    var count: Int { texts.count }

    /// Returns the glyph for `text`, creating one if needed.
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

    /// Returns what to write for `glyph`; nothing for the right half of a wide character.
    func scalars(of glyph: UInt32) -> [Unicode.Scalar] {
        if let text = text(of: glyph) { return [text.base] + text.marks }
        return glyph == 0 ? [] : [Unicode.Scalar(glyph) ?? "\u{FFFD}"]
    }
}

extension CellRect {
    /// Calls `body` with the column and row of each cell, row by row.
    @inline(__always)
    func forEach(_ body: (_ x: Int, _ y: Int) -> Void) {
        for y in y..<bottom {
            for x in x..<right { body(x, y) }
        }
    }

    /// Returns the part of this rectangle in row `y`.
    func row(_ y: Int) -> CellRect { CellRect(x: x, y: y, columns: columns, rows: 1) }

    /// Returns the part of this rectangle from column `x` on.
    func from(_ x: Int) -> CellRect { CellRect(x: x, y: y, columns: right - x, rows: rows) }

    /// Returns the rectangle without so many columns and rows at each edge, or with more if they are negative.
    func inset(columns: Int, rows: Int) -> CellRect {
        CellRect(
            x: x + columns, y: y + rows, columns: max(0, self.columns - 2 * columns),
            rows: max(0, self.rows - 2 * rows))
    }

    /// Returns the intersection with `other`, which may be empty.
    func intersection(_ other: CellRect) -> CellRect {
        let left = max(x, other.x)
        let top = max(y, other.y)
        return CellRect(
            x: left, y: top, columns: max(0, min(right, other.right) - left),
            rows: max(0, min(bottom, other.bottom) - top))
    }
}

extension CellStyle {
    /// The cell belongs to a picture and may be written without ncurses.
    static let picture = CellStyle(rawValue: 0x80)
}

extension Cell {
    /// Whether the cell can be written without ncurses: it is marked, and certainly one column wide.
    @inline(__always) var isPicture: Bool {
        guard style.contains(.picture) else { return false }
        if style.contains(.pixels) { return true }
        // Known ranges first: asking the C library takes longer than writing the cells.
        return (0x20..<0x7F).contains(glyph) || (0x2580..<0x25A0).contains(glyph)
            || (0x1FB00..<0x1FC00).contains(glyph) || (0x1CC00..<0x1CEB0).contains(glyph)
            || Unicode.Scalar(glyph)?.libraryColumns == 1
    }
}
