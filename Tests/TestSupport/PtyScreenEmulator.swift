public import Raster

/// A terminal emulator for tests: processes the bytes a program writes and maintains the screen.
///
/// Supports the sequences in xterm's terminfo description (ECMA-48, DEC's private modes), palette and 24-bit colours, scroll regions, the
/// alternate screen, UTF-8 and wide characters. Anything else is recorded in `unrecognised`, so that a test can insist on there being none.
/// Not thread-safe.
public final class ScreenEmulator {
    /// The visible cells: those of the alternate screen while it is active.
    public internal(set) var grid: CellGrid
    /// The cursor's column, from 0.
    public internal(set) var cursorX = 0
    /// The cursor's row, from 0.
    public internal(set) var cursorY = 0
    /// The active private modes (`CSI ? n h`): 25 cursor, 1049 alternate screen, 1000 and 1006 mouse.
    public internal(set) var modes: Set<Int> = [7, 25]
    /// The rows that scroll.
    public internal(set) var region: Range<Int>
    /// The title set by OSC 0 or 2.
    public internal(set) var title = ""
    /// The titles pushed and not yet popped (XTWINOPS 22 and 23).
    public internal(set) var keptTitles: [String] = []
    /// The clipboard contents set by OSC 52, in base 64.
    public internal(set) var clipboard = ""
    /// Sequences that were not understood, for messages.
    public internal(set) var unrecognised: [String] = []
    /// The number of bytes fed.
    public internal(set) var byteCount = 0
    /// The number of times the whole screen was erased.
    public internal(set) var clearCount = 0
    /// What was on the alternate screen when it was left last.
    public internal(set) var leftScreen: CellGrid?

    /// The answers to queries; nil for a terminal that never answers.
    public var answers: TerminalAnswers? {
        didSet { attach() }
    }
    /// The surrounding terminal, if this one is tmux passing queries through.
    private(set) var outer: ScreenEmulator?
    /// The bytes passed through since the program last read a reply; tmux discards what its terminal has not read.
    var passedCount = 0
    /// Answers not yet sent to the program.
    public internal(set) var pendingAnswers: [UInt8] = []

    /// Characters with combining marks, by substitute glyphs beyond the last scalar.
    var marked: [UInt32: [Unicode.Scalar]] = [:]
    var pen = Cell.blank
    var isInserting = false
    /// Whether the cursor is past the last column: the next character goes to the next row.
    var isWrapPending = false
    var usesLineDrawing = false
    var saved = SavedCursor()
    var mainScreen: CellGrid?
    var lastGlyph: UInt32 = 0x20
    var parser = Parser()
    /// The pictures shown by graphics protocols.
    public var graphics = ShownGraphics()

    /// The state saved by DECSC.
    struct SavedCursor {
        var x = 0
        var y = 0
        /// Characters with combining marks, by substitute glyphs beyond the last scalar.
        var marked: [UInt32: [Unicode.Scalar]] = [:]
        var pen = Cell.blank
    }

    /// Attaches a surrounding terminal, without pictures.
    private func attach() {
        guard let others = answers?.outer else { return outer = nil }
        let terminal = ScreenEmulator(size: size)
        terminal.answers = TerminalAnswers()
        terminal.answers?.others = others
        graphics.files = [:]
        passedCount = 0
        outer = terminal
    }

    /// Passes on one of tmux's passthrough strings, in which escape characters are doubled.
    func passThrough(_ bytes: ArraySlice<UInt8>) {
        guard let outer else { return }
        passedCount += bytes.count
        guard passedCount < size.columns * size.rows * 8 else { return }
        let text = String(decoding: bytes, as: UTF8.self)
        outer.graphics.cell = graphics.cell
        outer.feed(Array(text.replacing("\u{1B}\u{1B}", with: "\u{1B}").utf8))
        graphics = outer.graphics
        pendingAnswers += outer.takeAnswers()
    }

    /// Creates an empty screen.
    public init(size: CellSize) {
        grid = CellGrid(size: size)
        region = 0..<size.rows
    }

    /// The extent, in cells.
    public var size: CellSize { grid.size }

    /// Whether the alternate screen is active.
    public var isAlternate: Bool { mainScreen != nil }

    /// The style and colours of the next character.
    public var currentPen: Cell { pen }

    /// Processes output of a program; sequences may be split anywhere.
    public func feed(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            byteCount += 1
            consume(byte)
        }
    }

    /// Changes the size like a terminal: what still fits stays at the top left.
    public func resize(to size: CellSize) {
        grid = Self.resized(grid, to: size)
        mainScreen = mainScreen.map { Self.resized($0, to: size) }
        region = 0..<size.rows
        cursorX = min(cursorX, size.columns - 1)
        cursorY = min(cursorY, size.rows - 1)
        isWrapPending = false
    }

    /// Returns the characters of row `y`, without trailing blanks.
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

    /// Returns and clears the pending answers.
    public func takeAnswers() -> [UInt8] {
        defer { pendingAnswers = [] }
        if !pendingAnswers.isEmpty { passedCount = 0 }
        return pendingAnswers
    }

    /// All rows, separated by line feeds.
    public var text: String {
        (0..<size.rows).map(text(row:)).joined(separator: "\n")
    }

    /// Returns whether `text` is on the screen, within one row.
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
