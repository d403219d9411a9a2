public import Raster

/// A terminal as far as tests need one: takes the bytes a program writes and keeps the screen they make.
///
/// Understands what xterm's description in terminfo lists (ECMA-48, DEC's private modes), palette and 24-bit colours,
/// scroll regions, the alternate screen, UTF-8 and wide characters. What it does not understand is kept in
/// `unrecognised`, so that a test can insist on there being none. Not thread-safe.
public final class ScreenEmulator {
    /// What is visible: the alternate screen while that is on.
    public internal(set) var grid: CellGrid
    /// The column of the cursor, from 0.
    public internal(set) var cursorX = 0
    /// The row of the cursor, from 0.
    public internal(set) var cursorY = 0
    /// The private modes (`CSI ? n h`) that are on: 25 cursor, 1049 alternate screen, 1000 and 1006 mouse.
    public internal(set) var modes: Set<Int> = [7, 25]
    /// The rows that scroll.
    public internal(set) var region: Range<Int>
    /// The title set by OSC 0 or 2.
    public internal(set) var title = ""
    /// The titles pushed and not yet popped (XTWINOPS 22 and 23).
    public internal(set) var keptTitles: [String] = []
    /// What OSC 52 put on the clipboard, still in base 64.
    public internal(set) var clipboard = ""
    /// Sequences that were not understood, for messages.
    public internal(set) var unrecognised: [String] = []
    /// How many bytes have been fed.
    public internal(set) var byteCount = 0
    /// How often the whole screen was erased.
    public internal(set) var clearCount = 0

    /// What it answers to questions; nil for a terminal that never answers.
    public var answers: TerminalAnswers? {
        didSet { attach() }
    }
    /// The terminal around it, if it is tmux that hands on what it is asked to.
    private(set) var outer: ScreenEmulator?
    /// Answers that nobody has sent to the program yet.
    public internal(set) var pendingAnswers: [UInt8] = []

    /// What glyphs behind the last scalar stand for: characters with marks.
    var marked: [UInt32: [Unicode.Scalar]] = [:]
    var pen = Cell.blank
    var isInserting = false
    /// The cursor stands behind the last column: the next character goes to the next row.
    var isWrapPending = false
    var usesLineDrawing = false
    var saved = SavedCursor()
    var mainScreen: CellGrid?
    var lastGlyph: UInt32 = 0x20
    var parser = Parser()
    /// What graphics protocols have put there.
    public var graphics = ShownGraphics()

    /// What DECSC keeps.
    struct SavedCursor {
        var x = 0
        var y = 0
        /// What glyphs behind the last scalar stand for: characters with marks.
        var marked: [UInt32: [Unicode.Scalar]] = [:]
        var pen = Cell.blank
    }

    /// Has another terminal around it, with no pictures.
    private func attach() {
        guard let others = answers?.outer else { return outer = nil }
        let terminal = ScreenEmulator(size: size)
        terminal.answers = TerminalAnswers()
        terminal.answers?.others = others
        graphics.files = [:]
        outer = terminal
    }

    /// Hands on a string of tmux's own, in which escape characters stand twice.
    func passThrough(_ bytes: ArraySlice<UInt8>) {
        guard let outer else { return }
        let text = String(decoding: bytes, as: UTF8.self)
        outer.graphics.cell = graphics.cell
        outer.feed(Array(text.replacing("\u{1B}\u{1B}", with: "\u{1B}").utf8))
        graphics = outer.graphics
        pendingAnswers += outer.takeAnswers()
    }

    /// Makes an empty screen.
    public init(size: CellSize) {
        grid = CellGrid(size: size)
        region = 0..<size.rows
    }

    /// The extent, in cells.
    public var size: CellSize { grid.size }

    /// Whether the program has the alternate screen.
    public var isAlternate: Bool { mainScreen != nil }

    /// The style and colours the next character would get.
    public var currentPen: Cell { pen }

    /// Takes what a program wrote; sequences may be cut anywhere.
    public func feed(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            byteCount += 1
            consume(byte)
        }
    }

    /// Changes the size as a terminal does: what still fits stays, at the left top.
    public func resize(to size: CellSize) {
        grid = Self.resized(grid, to: size)
        mainScreen = mainScreen.map { Self.resized($0, to: size) }
        region = 0..<size.rows
        cursorX = min(cursorX, size.columns - 1)
        cursorY = min(cursorY, size.rows - 1)
        isWrapPending = false
    }

    /// The characters of row `y`, without blanks at the end.
    public func text(row y: Int) -> String {
        guard (0..<size.rows).contains(y) else { return "" }
        var scalars = String.UnicodeScalarView()
        for x in 0..<size.columns {
            let glyph = grid[x, y].glyph
            if glyph != 0 {
                scalars.append(
                    contentsOf: marked[glyph] ?? Unicode.Scalar(glyph).map { [$0] } ?? [])
            }
        }
        while scalars.last == " " {
            scalars.removeLast()
        }
        return String(scalars)
    }

    /// Hands out the answers to what has been asked so far.
    public func takeAnswers() -> [UInt8] {
        defer { pendingAnswers = [] }
        return pendingAnswers
    }

    /// All rows, separated by line feeds.
    public var text: String {
        (0..<size.rows).map(text(row:)).joined(separator: "\n")
    }

    /// Whether `text` is somewhere on the screen, within one row.
    public func shows(_ text: String) -> Bool {
        (0..<size.rows).contains { self.text(row: $0).contains(text) }
    }

    private static func resized(_ grid: CellGrid, to size: CellSize) -> CellGrid {
        var result = CellGrid(size: size)
        for y in 0..<min(size.rows, grid.size.rows) {
            for x in 0..<min(size.columns, grid.size.columns) {
                result[x, y] = grid[x, y]
            }
        }
        return result
    }
}
